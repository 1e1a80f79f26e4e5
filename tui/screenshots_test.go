package tui

import (
	"fmt"
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
	name  string
	w, h  int
	stage func() *stage // nil: town
	play  func(t *testing.T, d *driver)
}{
	{"lock-contention", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.Press("g").See("/locks/orders", "web-3", "job-9")
	}},
	{"election-changes-hands", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.Press("/").Type("scheduler").Press("enter", "esc")
		d.Wait(31 * time.Second)
		d.stage.del("/election/scheduler/" + curator("1") + "latch-0000000000")
		d.Sync()
		d.Wait(9*time.Second).See("sched-2", "LEAD")
	}},
	{"revoke-dialog", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.app.armed = true
		d.Press("/").Type("nightly").Press("enter", "esc", "r").See("if it lets go: batch-2 will hold")
	}},
	{"break-dialog", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.app.armed = true
		d.Press("/").Type("orders").Press("enter", "esc", "b").See("type web-1 to confirm")
	}},
	{"revoke-followed", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.app.armed = true
		d.stage.apply = func(p actions.Plan) actions.Result {
			d.stage.set(p.Target.Path, "unlock")
			return actions.Result{Plan: p, Outcome: actions.Done, Text: "asked batch-1 to let go", At: d.stage.now}
		}
		d.Press("/").Type("nightly").Press("enter", "esc", "r", "tab", "enter").Sync()
		d.Wait(9 * time.Second).Sync().See("still held for 9s")
	}},
	{"deadlock", 120, 32, askedTown, func(_ *testing.T, d *driver) {
		d.Press("3").See("DEADLOCK", "suggested")
	}},
	{"why", 120, 32, askedTown, func(_ *testing.T, d *driver) {
		d.Press("/").Type("nightly").Press("enter", "w").See("no server", "evidence on batch-1")
	}},
	{"overview", 120, 36, func() *stage { return asked(hintedCity()) }, func(_ *testing.T, d *driver) {
		d.Press("2").See("need attention now")
	}},
	{"session", 120, 32, askedTown, func(_ *testing.T, d *driver) {
		d.Press("4", "enter").See("NOT CONNECTED")
	}},
	{"readers-and-writers", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.Press("/").Type("catalog").Press("enter").See("inside    read")
	}},
	{"barrier-fills-up", 120, 32, hintedCity, kindShot("/jobs/load", "3 of 5")},
	{"votes", 120, 32, hintedCity, kindShot("/app/tx1", "✗ s_4")},
	{"queue", 120, 32, hintedCity, func(_ *testing.T, d *driver) {
		kindShot("/queues/mail", "5 items")(nil, d)
		for i := range 30 {
			if i%3 > 0 || i > 18 {
				d.stage.add(fmt.Sprintf("/queues/mail/queue-%010d", i+40), 0, 0, "job")
			} else {
				d.stage.del(fmt.Sprintf("/queues/mail/queue-%010d", i+39))
			}
			d.Wait(6 * time.Second).Sync()
		}
		d.See("depth", "up")
	}},
	{"join", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.app.opts.Joiner, d.app.opts.Me, d.app.armed = &seats{}, "eve@laptop", true
		d.Press("/").Type("nightly").Press("enter", "J").See("take a place in a recipe")
	}},
	{"narrow", 80, 24, nil, func(_ *testing.T, d *driver) { d.See("/locks/orders") }},
}

func askedTown() *stage { return asked(town()) }

func hintedCity() *stage {
	s := city()
	s.hints = hinted
	return s
}

// kindShot shows one recipe of the city.
func kindShot(path, see string) func(*testing.T, *driver) {
	return func(_ *testing.T, d *driver) {
		d.Press("/").Type(path).Press("enter").See(see)
	}
}

func TestScreenshots(t *testing.T) {
	for _, s := range shots {
		t.Run(s.name, func(t *testing.T) {
			stage := town
			if s.stage != nil {
				stage = s.stage
			}
			d := driveTheme(t, stage(), s.w, s.h, NewTheme(term.Unicode(), termenv.ANSI))
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
