package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

// sought reports whether something that is looked for happened between two states, of which these are the events.
type sought func(was, is *model.Result, events []story.Event) bool

// anEvent is that anything happened.
func anEvent(_, _ *model.Result, events []story.Event) bool { return len(events) > 0 }

// aFinding is that something grave was found.
func aFinding(was, is *model.Result, _ []story.Event) bool {
	return slices.ContainsFunc(story.Alarms(was, is), func(e story.Event) bool { return e.What == story.EventAlarm })
}

// handovers are the events in which somebody takes a recipe.
var handovers = map[string]bool{story.EventAcquired: true, story.EventLeaderChanged: true, story.EventPromoted: true}

// aHandover is that the selected recipe changed hands, or, where it is not there, that it came or went; where none is
// selected, that any changed hands.
func (a *App) aHandover() sought {
	path, absent := "", false
	if p := a.history(); p != nil {
		path = p.Arg
	} else if m, _ := a.desk.Subject(); m != nil {
		path = m.Path
	} else if m := a.desk.GoneModel(); m != nil {
		path, absent = m.Path, true
	}
	return func(_, _ *model.Result, events []story.Event) bool {
		return slices.ContainsFunc(events, func(e story.Event) bool {
			return (path == "" || e.Path == path) && (absent || handovers[e.What])
		})
	}
}

// jump goes on to the next state in which something happened, or back to just before it.
func (a *App) jump(by int, want sought) tea.Cmd {
	p := a.player()
	if p == nil {
		return a.step(by)
	}
	s := &seeker{p: p, look: a.looker(p), want: want, going: a.search()}
	if by < 0 {
		return s.back
	}
	s.last = a.shown.Live
	return s.on
}

// seeker looks for a state of a recording. It works outside of the event loop.
type seeker struct {
	p     backend.Player
	look  func(before *waits.Waits) picture.Next
	want  sought
	going func() bool
	last  *model.Result // of the state where it stands
}

// farthest is how many states are passed at most.
const farthest = 100_000

// on goes on until something happened.
func (s *seeker) on() tea.Msg {
	out := playedMsg{}
	var before *waits.Waits
	for range farthest {
		if !s.going() {
			return nil
		}
		if out.edge = s.p.Move(1) == 0; out.edge {
			break
		}
		m := s.look(before)
		was := s.last
		before, s.last = m.Waits, m.Result
		if out.pass(m); s.want(was, m.Result, m.Events) {
			break
		}
	}
	return out
}

// How many moments are gone through at once on the way back. A state is decoded from the one before it, so each step
// back would cost as much as all that lead to it; going through a stretch forward, and remembering where something
// happened last, costs one step each.
const (
	firstStretch   = 64
	longestStretch = 4096
)

// back goes back to just before something happened.
func (s *seeker) back() tea.Msg {
	out := playedMsg{back: true}
	passed := 0
	for stretch := firstStretch; passed < farthest; stretch = min(2*stretch, longestStretch) {
		n := -s.p.Move(-stretch)
		if out.edge = n == 0; out.edge {
			break
		}
		hit := s.through(n)
		if !s.going() {
			return nil
		}
		if passed += n; hit >= 0 {
			s.p.Move(hit - n)
			break
		}
		s.p.Move(-n)
	}
	if passed > 0 {
		out.pass(s.look(nil))
	}
	return out
}

// through goes on by so many moments, and returns after how many of them something happened last: just before it; -1:
// nothing did.
func (s *seeker) through(n int) (hit int) {
	m := s.look(nil)
	hit = -1
	for i := 0; i < n && s.going(); i++ {
		was := m
		s.p.Move(1)
		if m = s.look(was.Waits); s.want(was.Result, m.Result, m.Events) {
			hit = i
		}
	}
	return hit
}

// search says that a place in a recording is looked for, until it is found; whatever was looked for before is no more.
func (a *App) search() (going func() bool) {
	a.halt()
	run, mine, ctx := a.deck.run, a.deck.run.Load(), a.ctx
	a.deck.search = mine
	a.say("searching the recording"+a.shown.Theme.Ellipsis+"  "+a.shown.Keys.Back.Help().Key+" stops", paint.Plain)
	return func() bool { return ctx.Err() == nil && run.Load() == mine }
}

// searching reports whether a place is being looked for.
func (a *App) searching() bool { return a.deck.search != 0 && a.deck.search == a.deck.run.Load() }

// searchText says where a search has come to; what is shown stands still meanwhile.
func (a *App) searchText() string {
	p := a.player()
	if p == nil {
		return ""
	}
	at, _, _ := p.Where()
	return "  at " + paint.Number(at+1)
}

// stopSearch shows the recording where a search has come to.
func (a *App) stopSearch() tea.Cmd {
	a.halt()
	a.message = message{}
	look := a.looker(a.player())
	return func() tea.Msg { return playedMsg{views: []picture.Next{look(nil)}, jump: true} }
}
