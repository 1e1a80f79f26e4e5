package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/screenshot"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
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
		d.app.hand.Armed = true
		d.Press("/").Type("nightly").Press("enter", "esc", "r").See("if it lets go: next to hold is batch-2")
	}},
	{"break-dialog", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.app.hand.Armed = true
		d.Press("/").Type("orders").Press("enter", "esc", "b", "1").See("type web-1")
	}},
	{"revoke-followed", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.app.hand.Armed = true
		d.stage.apply = func(p actions.Plan) actions.Result {
			d.stage.set(p.Target.Path, "unlock")
			return actions.Result{Plan: p, Outcome: actions.Done, Text: "asked batch-1 to let go", At: d.stage.now}
		}
		d.Press("/").Type("nightly").Press("enter", "esc", "r", "tab", "enter").Sync()
		d.Wait(9 * time.Second).Sync().See("still held for 9s")
	}},
	{"history", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.Press("/").Type("orders").Press("enter", "esc")
		lock := func(i int) string { return "/locks/orders/" + curator(fmt.Sprint(i)) + fmt.Sprintf("lock-%010d", i) }
		for i := 4; i < 8; i++ {
			d.Wait(time.Duration(7+3*i) * time.Second)
			for p := range d.stage.nodes {
				if strings.HasSuffix(p, fmt.Sprintf("lock-%010d", i)) {
					d.stage.del(p)
				}
			}
			d.stage.add(lock(i+4), sA+znode.SessionID(i%3), 0, []string{"web-1", "web-3", "job-9"}[i%3])
			d.Sync()
		}
		d.Wait(12*time.Second).Press("H", "{", "{").See("history of /locks/orders", "holds", "waits")
	}},
	{"deadlock", 120, 32, askedTown, func(_ *testing.T, d *driver) {
		d.Press("3").See("DEADLOCK", "suggested")
	}},
	{"why", 120, 32, askedTown, func(_ *testing.T, d *driver) {
		d.Press("/").Type("nightly").Press("enter", "w").See("no server", "Evidence", "Do next")
	}},
	{"overview", 120, 36, func() *stage { return asked(hintedCity()) }, func(_ *testing.T, d *driver) {
		d.Press("2").See("urgent, ")
	}},
	{"session", 120, 32, askedTown, func(_ *testing.T, d *driver) {
		d.Press("4", "enter").See("NOT CONNECTED")
	}},
	{"readers-and-writers", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.Press("/").Type("catalog").Press("enter").See("read 1 reader-1")
	}},
	{"barrier-fills-up", 120, 32, hintedCity, kindShot("/jobs/load", "3 of 5")},
	{"votes", 120, 32, hintedCity, kindShot("/app/tx1", "✗ abort")},
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
		d.app.hand.Means.Joiner, d.app.hand.Means.Me, d.app.hand.Armed = &seats{}, "eve@laptop", true
		d.Press("/").Type("nightly").Press("enter", "J").See("take a place in a recipe")
	}},
	{"light", 120, 32, askedTown, inColour}, {"contrast", 120, 32, askedTown, inColour}, {"safe-dark", 120, 32, askedTown, inColour},
	{"safe-light", 120, 32, askedTown, inColour}, {"mono", 120, 32, askedTown, inColour}, {"ascii", 120, 32, askedTown, inColour},
	{"came-and-went", 120, 38, nil, func(_ *testing.T, d *driver) {
		d.Press("g", "j", "j")
		d.stage.add("/locks/orders/"+curator("5")+"lock-0000000008", sB, 0, "late-1").del(firstOrder)
		d.stage.add("/locks/new/"+curator("5")+"lock-0000000001", sB, 0, "late-1")
		d.Wait(time.Second).Sync().See("+4 late-1", "- web-1", "+lock")
	}},
	{"vote", 120, 32, hintedCity, func(_ *testing.T, d *driver) {
		d.app.hand.Armed = true
		d.Press("/").Type("tx1").Press("enter", "v").See("vote for s_2").Press("enter").See("it cannot be taken back")
	}},
	{"joined", 120, 32, nil, func(_ *testing.T, d *driver) {
		j := &seats{}
		d.app.hand.Means.Joiner, d.app.hand.Means.Me, d.app.hand.Armed = j, "eve@laptop", true
		d.Press("j", "J", "tab", "enter")
		d.moves(j.taken[0], func(st *actions.JoinState) {
			st.Phase, st.Text, st.Position, st.Of, st.Behind, st.Session = actions.JoinWaiting, "waiting: 3rd of 3, behind batch-2", 2, 3, "batch-2", sD
			st.Node, st.Dialect = "/locks/nightly/0a1b2c3d-0000-4000-8000-000000000009-lock-0000000013", layout.ZooKeeper
			d.stage.add(st.Node, sD, 0, "eve@laptop")
		}).Sync().See("3rd of 3", "batch-2 ◂ you", "c leaves the line at once")
	}},
	{"sessions", 120, 32, askedTown, func(_ *testing.T, d *driver) { d.Press("4").See("NOT CONNECTED") }},
	{"events", 120, 32, nil, func(_ *testing.T, d *driver) {
		d.stage.del(firstOrder)
		d.Wait(20 * time.Second).Sync().Press("5").See("events")
	}},
	{"servers", 120, 32, askedTown, func(_ *testing.T, d *driver) { d.Press("6").See("2 of 3 answered") }},
	{"tree", 120, 32, nil, func(_ *testing.T, d *driver) { d.Press("z").See("czxid") }},
	{"audit", 120, 32, askedTown, func(_ *testing.T, d *driver) { d.Press("9").See("broke the claim of web-9") }},
	{"act", 120, 32, hintedCity, func(_ *testing.T, d *driver) { d.Press("/").Type("release").Press("enter", "a").See("act on") }},
	{"narrow", 80, 24, nil, func(_ *testing.T, d *driver) { d.See("/locks/orders") }},
}

func askedTown() *stage { return asked(town()) }

// inColour has something in every colour: what is wrong, who holds, that keys act.
func inColour(_ *testing.T, d *driver) {
	d.app.hand.Armed = true
	d.See("deadlock", "phantom", "ARMED")
}

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
			on, draw, glyphs := paint.Dark, screenshot.PNG, term.Unicode()
			if at := slices.Index(paint.GroundNames[:], s.name); at >= 0 {
				on = paint.Ground(at)
			}
			if on == paint.Light || on == paint.SafeLight {
				draw = screenshot.LightPNG
			}
			if s.name == "ascii" {
				glyphs = term.ASCII()
			}
			d := driveTheme(t, stage(), s.w, s.h, paint.On(on, glyphs, termenv.ANSI))
			s.play(t, d)
			keep(t, s.name, d.app.View(), s.w, s.h, draw)
		})
	}
}

// keep compares a frame with docs/screenshots/NAME.ansi and the picture beside it, or writes both.
func keep(t *testing.T, name, frame string, w, h int, paint func(string, int, int) ([]byte, error)) {
	t.Helper()
	dir := filepath.Join("..", "docs", "screenshots")
	text, picture := filepath.Join(dir, name+".ansi"), filepath.Join(dir, name+".png")
	if *update {
		png, err := paint(frame, w, h)
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
	if screenshot.FrameHash(png) != screenshot.Hash(string(want)) {
		t.Errorf("%s does not show the text beside it: make shots draws it anew", picture)
	}
}
