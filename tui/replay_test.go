package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/backend"
)

// reel is a recording for tests: stages one after the other.
type reel struct {
	frames []*znode.Snapshot
	at     int
	pasts  int // how often it was asked for what was before
}

func (r *reel) Changed() <-chan struct{} { return nil }
func (r *reel) Now() time.Time           { return r.frames[r.at].TakenAt }
func (r *reel) Take() (*znode.Snapshot, backend.Link) {
	return r.frames[r.at], backend.Link{Ensemble: "night.jsonl", File: true, ReadOnly: true, State: r.at}
}
func (r *reel) Move(by int) int {
	to := max(0, min(r.at+by, len(r.frames)-1))
	gone := to - r.at
	r.at = to
	return gone
}
func (r *reel) Seek(to time.Time) {
	for r.at = len(r.frames) - 1; r.at > 0 && r.frames[r.at].TakenAt.After(to); r.at-- {
	}
}
func (r *reel) Where() (int, int, bool) { return r.at, len(r.frames), false }
func (r *reel) Before(h model.Hints) (res *model.Result) {
	r.pasts++
	for _, f := range r.frames[:r.at] {
		res = inspect.Decode(f, res, h)
	}
	return res
}

// screen is a console that shows a recording.
func screen(t *testing.T, s *stage, r backend.Player) *driver {
	d := drive(t, s, 140, 40)
	d.app.Close()
	d.app = New(t.Context(), Options{Source: r, Operator: s, Theme: d.app.shown.Theme, Location: time.UTC, Recipes: everyRecipe(), Clock: func() time.Time { return d.clock }})
	d.app.Update(tea.WindowSizeMsg{Width: 140, Height: 40})
	return d
}

// night is a recording of a lock that goes from one to the next at 12:00:10, 12:00:25 and 12:01:00, and of one that waits
// with its holder at 12:00:30; a znode of no recipe changes every second.
func night() (*stage, *reel) {
	s, r := newStage(), &reel{}
	node := func(i int) string { return fmt.Sprintf("/locks/job/%slock-%010d", curator("1"), i) }
	for i := range 4 {
		s.add(node(i), znode.SessionID(0x100+i), time.Minute, fmt.Sprintf("web-%d", i+1))
	}
	s.add("/tick", 0, time.Hour, "0")
	for i := range 75 {
		switch i {
		case 10:
			s.del(node(0))
		case 25:
			s.del(node(1))
		case 30:
			phantom(s.add("/locks/orders/"+curator("2")+"lock-0000000001", sB, time.Minute, "web-1"))
		case 60:
			s.del(node(2))
		}
		snap, _ := s.set("/tick", fmt.Sprint(i)).Take()
		r.frames = append(r.frames, snap)
		s.now = s.now.Add(time.Second)
	}
	return s, r
}

// A recording goes to a time, to what is marked, to the next hand-over and the next finding.
func TestARecordingGoesToATime(t *testing.T) {
	s, r := night()
	d := screen(t, s, r)
	d.See("1 of 75", "p play").Press("/").Type("job").Press("enter", "esc", "}").See("as of 12:00:10", "web-2 0001").Press("}").See("as of 12:00:25", "web-3 0002")
	d.Press("}").See("as of 12:01:00", "web-4 0003").Press("}").See("that is the end").Press("{").See("as of 12:00:59", "web-3 0002")
	d.Press("(").See("as of 12:00:29").Press(")").See("as of 12:00:30")
	to := func(text string) *driver { return d.Press(":").Type("goto " + text).Press("enter") }
	to("12:00:20").See("as of 12:00:20", "web-2 0001").Press("m").See("12:00:20 is marked")
	to("+20s").See("as of 12:00:40").Press("m")
	to("11:00").See("as of 12:00:00", "1 of 75").Press("'").See("as of 12:00:20").Press("'").See("as of 12:00:40").Press("'").See("no moment is marked there")
	d.Press("\"").See("as of 12:00:20").Press("m").See("the mark at 12:00:20 is removed").Press("\"").See("no moment is marked there")
	to("2026-11-27T12:01:05").See("as of 12:01:05")
	to("noon").See("a time is written 10:09:30")
}

// A search that goes on through a recording decodes each state once: what was before the next one it has seen.
func TestASearchDecodesEachStateOnce(t *testing.T) {
	s, r := night()
	d := screen(t, s, r)
	d.Press("/").Type("job").Press("enter", "esc")
	r.pasts = 0
	if d.Press("}", "}", "}").See("as of 12:01:00"); r.pasts != 3 {
		t.Errorf("three searches over 60 states looked back %d times", r.pasts)
	}
}

// A search is told for as long as it goes on, esc ends it, and another one takes its place.
func TestASearchEnds(t *testing.T) {
	s, r := night()
	d := screen(t, s, r)
	begin := func() tea.Cmd {
		_, going := d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("}")})
		d.See("searching the recording", "esc stops")
		return going
	}
	going := begin()
	d.Press("j").See("searching the recording").Press("esc").SeeNot("searching").See("1 of 75")
	if d.run(going); r.at != 0 {
		t.Errorf("it went on to %d", r.at)
	}
	going = begin()
	d.Press("}").See("as of 12:00:10").SeeNot("searching")
	if d.run(going); r.at != 10 {
		t.Errorf("the first one went on to %d", r.at)
	}
}

// A recording plays at a speed, and stops by a key or at its end; every event on the way is told.
func TestARecordingPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, r := night()
		d := screen(t, s, r)
		began := time.Now()
		for range 4 {
			d.Press("+")
		}
		d.See("speed ×30")
		d.Press("p").See("that is the end", "75 of 75").SeeNot("playing ×")
		if took := time.Since(began); took < 2*time.Second || took > 4*time.Second {
			t.Errorf("74 s at 30 a second took %v", took)
		}
		d.Press("5").See("web-1", "web-2", "web-3", "web-4", "12:00:10", "12:00:25", "12:01:00")
		d.Press("1", ":").Type("goto 12:00:00").Press("enter")
		_, frame := d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("p")})
		d.See("playing ×30").Press("-", "-").See("speed ×5")
		d.Press("p").See("stopped").SeeNot("playing ×")
		if d.run(frame); d.app.deck.on || r.at != 0 {
			t.Errorf("it goes on: %d", r.at)
		}
	})
}

func TestARecordingIsSteppedThrough(t *testing.T) {
	s := town()
	r := &reel{}
	film := func() { snap, _ := s.Take(); r.frames = append(r.frames, snap) }
	film()
	s.now = s.now.Add(time.Second)
	s.add("/elsewhere", 0, 0, "x")
	film()
	s.now = s.now.Add(time.Second)
	for p := range s.nodes {
		if strings.HasSuffix(p, "lock-0000000011") {
			s.del(p)
		}
	}
	film()
	d := screen(t, s, r)
	d.See("1 of 3", "as of 12:00:00").Press(".").See("2 of 3", "as of 12:00:01").Press(".").See("3 of 3", "batch-1")
	d.Press(".").See("that is the end").Press("<").See("2 of 3").SeeNot("batch-1 released")
	d.Press(",", ",").See("that is the beginning", "1 of 3").Press(">").See("3 of 3", "batch-2")
	if len(d.app.shown.Log.Events) == 0 {
		t.Error("no events")
	}
	s.link.ReadOnly = true
	d.Press("W").See("cannot arm")
}
