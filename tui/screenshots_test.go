package tui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/shot"
	"github.com/zkscope/zkscope/internal/term"
)

// shots are the pictures of the documentation: each is a scenario that ends where the picture is taken.
var shots = []struct {
	name string
	w, h int
	play func(t *testing.T, d *driver)
}{
	{"lock-contention", 120, 32, func(_ *testing.T, d *driver) {
		d.Press("g").See("/locks/orders", "web-3", "job-9")
	}},
	{"election-changes-hands", 120, 32, func(_ *testing.T, d *driver) {
		d.Press("/").Type("scheduler").Press("enter", "esc")
		d.Wait(31 * time.Second)
		d.stage.del("/election/scheduler/" + curator("1") + "latch-0000000000")
		d.Sync()
		d.Wait(9*time.Second).See("sched-2", "LEAD")
	}},
	{"revoke-dialog", 120, 32, func(_ *testing.T, d *driver) {
		d.app.armed = true
		d.Press("/").Type("nightly").Press("enter", "esc", "r").See("if it lets go: batch-2 will hold")
	}},
	{"break-dialog", 120, 32, func(_ *testing.T, d *driver) {
		d.app.armed = true
		d.Press("/").Type("orders").Press("enter", "esc", "b").See("type web-1 to confirm")
	}},
	{"revoke-followed", 120, 32, func(_ *testing.T, d *driver) {
		d.app.armed = true
		d.stage.apply = func(p actions.Plan) actions.Result {
			d.stage.set(p.Target.Path, "unlock")
			return actions.Result{Plan: p, Outcome: actions.Done, Text: "asked batch-1 to let go", At: d.stage.now}
		}
		d.Press("/").Type("nightly").Press("enter", "esc", "r", "tab", "enter").Sync()
		d.Wait(9 * time.Second).Sync().See("still held for 9s")
	}},
	{"narrow", 80, 24, func(_ *testing.T, d *driver) { d.See("/locks/orders") }},
}

func TestScreenshots(t *testing.T) {
	for _, s := range shots {
		t.Run(s.name, func(t *testing.T) {
			d := driveTheme(t, town(), s.w, s.h, NewTheme(term.Unicode(), termenv.ANSI))
			s.play(t, d)
			keep(t, s.name, d.app.View(), s.w, s.h)
		})
	}
}

// keep compares a frame with docs/screenshots/NAME.ansi and the picture beside it, or writes both.
func keep(t *testing.T, name, frame string, w, h int) {
	t.Helper()
	dir := filepath.Join("..", "docs", "screenshots")
	text, picture := filepath.Join(dir, name+".ansi"), filepath.Join(dir, name+".png")
	if *update {
		png, err := shot.PNG(frame, w, h)
		if err != nil {
			t.Fatal(err)
		}
		for file, b := range map[string][]byte{text: []byte(frame), picture: png} {
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	want, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != frame {
		t.Errorf("the console looks different now; make shots draws it anew:\n%s\nwas:\n%s", frame, want)
	}
	png, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if shot.FrameHash(png) != shot.Hash(string(want)) {
		t.Errorf("%s does not show the text beside it: make shots draws it anew", picture)
	}
}
