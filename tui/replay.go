package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

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
	_, of, more := p.Where()
	if of <= 1 && !more {
		return ""
	}
	total := paint.Number(of)
	if more {
		total += "+"
	}
	text := fmt.Sprintf("  %s of %s", paint.Number(a.shown.Link.State+1), total)
	if a.deck.on {
		return text + "  playing " + a.deck.rate(a.shown.Theme.Times)
	}
	if term.Width(a.name())+101 > a.shown.Size.W { // there is more room in the bottom row
		return text
	}
	return text + "  " + a.shown.Keys.Pause.Help().Key + " play  , . step  < > event"
}
