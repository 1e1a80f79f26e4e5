package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
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
	look := a.looker(p)
	return func() tea.Msg {
		if p.Move(by) == 0 {
			return playedMsg{edge: true, back: by < 0}
		}
		return playedMsg{view: look(), back: by < 0}
	}
}

// looker takes the picture of where a recording stands, for the hints of now. It may be called outside of the event loop.
func (a *App) looker(p backend.Player) func() picture.Next {
	hints, gen := a.opts.Hints, a.hints
	return func() picture.Next {
		m := picture.Take(p, hints, picture.Past(p, hints))
		m.Gen, m.Aside = gen, true
		return m
	}
}

// jumpEvent goes on to the next state in which something happened, or back to one.
func (a *App) jumpEvent(by int) tea.Cmd {
	p := a.player()
	if p == nil {
		return a.step(by)
	}
	look, after := a.looker(p), a.shown.Live
	return func() tea.Msg {
		for range farthest {
			if p.Move(by) == 0 {
				break
			}
			m := look()
			news := m.Events
			if by < 0 { // back to just before something happened
				news = story.Diff(m.Result, after)
				after = m.Result
			}
			if len(news) > 0 {
				return playedMsg{view: m, back: by < 0}
			}
		}
		return playedMsg{view: look(), edge: true, back: by < 0}
	}
}

// playedMsg says where a recording was moved to.
type playedMsg struct {
	view picture.Next
	back bool
	edge bool // there was no further to go
}

func (a *App) onPlayed(m playedMsg) tea.Cmd {
	if m.edge {
		a.say(say.Either(m.back, "that is the beginning", "that is the end"), paint.Warn)
	}
	if m.view.Result == nil {
		return nil
	}
	if m.back { // what happened later has not happened yet
		a.shown.Log.Rewind(m.view.Now)
		m.view.Events, m.view.Jump = nil, true
	}
	return a.onView(m.view)
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
	return fmt.Sprintf("  %s of %s  , . step  < > event", paint.Number(at+1), total)
}
