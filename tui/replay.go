package tui

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

// farthest is how many states a jump to the next event passes at most.
const farthest = 100_000

// player is the recording that is shown, or nil.
func (a *App) player() backend.Player {
	p, _ := a.opts.Source.(backend.Player)
	return p
}

// step goes to the state after the one that is shown, or before it.
func (a *App) step(by int) tea.Cmd {
	p := a.player()
	if p == nil {
		a.say("only a recording can be stepped through", paint.Warn)
		return nil
	}
	a.halt()
	look := a.looker(p)
	return func() tea.Msg {
		if p.Move(by) == 0 {
			return playedMsg{edge: true, back: by < 0}
		}
		return playedMsg{views: []picture.Next{look(nil)}, back: by < 0}
	}
}

// looker takes the picture of where a recording stands, for the hints of now. What was seen in the moment before is given to
// it; nil: it is decoded, which takes fifty times as long. It may be called outside of the event loop.
func (a *App) looker(p backend.Player) func(before *waits.Waits) picture.Next {
	hints, gen := a.opts.Hints, a.hints
	return func(before *waits.Waits) picture.Next {
		if before == nil {
			before = picture.Past(p, hints)
		}
		m := picture.Take(p, hints, before)
		m.Gen, m.Aside = gen, true
		return m
	}
}

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

// aHandover is that the selected recipe changed hands; where none is selected, any.
func (a *App) aHandover() sought {
	path := ""
	if p := a.history(); p != nil {
		path = p.Arg
	} else if m, _ := a.desk.Subject(); m != nil {
		path = m.Path
	}
	return func(_, _ *model.Result, events []story.Event) bool {
		return slices.ContainsFunc(events, func(e story.Event) bool { return handovers[e.What] && (path == "" || e.Path == path) })
	}
}

// jump goes on to the next state in which something happened, or back to just before it.
func (a *App) jump(by int, want sought) tea.Cmd {
	p := a.player()
	if p == nil {
		return a.step(by)
	}
	going := a.search()
	look, last := a.looker(p), a.shown.Live
	return func() tea.Msg {
		out := playedMsg{back: by < 0}
		var before *waits.Waits
		for range farthest {
			if !going() {
				return nil
			}
			if out.edge = p.Move(by) == 0; out.edge {
				break
			}
			m := look(before)
			was, is, events := last, m.Result, m.Events
			if before = m.Waits; by < 0 {
				was, is, before = is, was, nil
				events = story.Diff(was, is)
			}
			last = m.Result
			if out.pass(m); want(was, is, events) {
				break
			}
		}
		return out
	}
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

// stopSearch shows the recording where a search has come to.
func (a *App) stopSearch() tea.Cmd {
	a.halt()
	a.message = message{}
	look := a.looker(a.player())
	return func() tea.Msg { return playedMsg{views: []picture.Next{look(nil)}, jump: true} }
}

// playedMsg says where a recording was moved to.
type playedMsg struct {
	views []picture.Next // of the states that were passed, the last of which is shown
	back  bool
	edge  bool // there was no further to go
	jump  bool // it does not follow from what was shown

	run    int64 // of playing; 0: it was moved by a key
	target time.Time
	quiet  int
}

// passMost is how many states are shown one after the other; what leads over more is a jump.
const passMost = 50

// pass adds a state that was passed.
func (m *playedMsg) pass(v picture.Next) {
	if len(m.views) == passMost {
		m.views, m.jump = m.views[:0], true
	}
	m.views = append(m.views, v)
}

func (a *App) onPlayed(m playedMsg) tea.Cmd {
	if m.run != 0 && m.run != a.deck.run.Load() {
		return nil
	}
	if a.searching() {
		a.deck.search, a.message = 0, message{}
	}
	if n := len(m.views); n > 0 && (m.back || m.jump) {
		last := m.views[n-1]
		a.shown.Log.Rewind(last.Now) // what happened later has not happened yet
		last.Events, last.Jump = nil, true
		m.views = []picture.Next{last}
	}
	var cmds []tea.Cmd
	for _, v := range m.views {
		cmds = append(cmds, a.onView(v))
	}
	if m.edge {
		a.halt()
		a.say(say.Either(m.back, "that is the beginning", "that is the end"), paint.Warn)
	}
	if m.run != 0 && !m.edge {
		cmds = append(cmds, a.playOn(m.target, m.quiet))
	}
	return tea.Batch(cmds...)
}

// playText says where in a recording we are.
func (a *App) playText() string {
	p := a.player()
	if p == nil {
		return ""
	}
	at, of, more := p.Where()
	if of <= 1 && !more {
		return ""
	}
	total := paint.Number(of)
	if more {
		total += "+"
	}
	text := fmt.Sprintf("  %s of %s", paint.Number(at+1), total)
	if a.deck.on {
		return text + "  playing " + a.deck.rate(a.shown.Theme.Times)
	}
	if term.Width(a.name())+101 > a.shown.Size.W { // there is more room in the bottom row
		return text
	}
	return text + "  " + a.shown.Keys.Pause.Help().Key + " play  , . step  < > event"
}
