package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/paint"
)

// Player is a Source that plays a recording.
type Player interface {
	Source
	// Move goes on by so many moments, or back; it stops at the ends and says how far it went. A moment is the states that
	// were written at one time, of which the last is shown.
	Move(by int) int
	// Before is what the state before the one that Take returns was decoded to, from the first on; nil at the first.
	Before(h model.Hints) *model.Result
	// Where is the state that Take returns, counted from zero, and how many there are; more: that many were counted so far.
	Where() (at, of int, more bool)
}

// farthest is how many states a jump to the next event passes at most.
const farthest = 100_000

// player is the recording that is shown, or nil.
func (a *App) player() Player {
	p, _ := a.opts.Source.(Player)
	return p
}

// step goes to the state after the one that is shown, or before it.
func (a *App) step(by int) tea.Cmd {
	p := a.player()
	if p == nil {
		a.say("only a recording can be stepped through", paint.Warn)
		return nil
	}
	hints, gen := a.opts.Hints, a.hints
	return func() tea.Msg {
		if p.Move(by) == 0 {
			return playedMsg{edge: true, back: by < 0}
		}
		m := takeView(p, hints, past(p, hints))
		m.gen, m.aside = gen, true
		return playedMsg{view: m, back: by < 0}
	}
}

// jumpEvent goes on to the next state in which something happened, or back to one.
func (a *App) jumpEvent(by int) tea.Cmd {
	p := a.player()
	if p == nil {
		return a.step(by)
	}
	hints, gen, after := a.opts.Hints, a.hints, a.live
	return func() tea.Msg {
		for range farthest {
			if p.Move(by) == 0 {
				break
			}
			m := takeView(p, hints, past(p, hints))
			m.gen, m.aside = gen, true
			news := m.events
			if by < 0 { // back to just before something happened
				news = story.Diff(m.res, after)
				after = m.res
			}
			if len(news) > 0 {
				return playedMsg{view: m, back: by < 0}
			}
		}
		m := takeView(p, hints, past(p, hints))
		m.gen, m.aside = gen, true
		return playedMsg{view: m, edge: true, back: by < 0}
	}
}

// past is what a source showed before what it shows now, where it is a recording: what only history tells is known from
// there.
func past(src Source, h model.Hints) *waits.Waits {
	if p, ok := src.(Player); ok {
		if before := p.Before(h); before != nil {
			return waits.Weigh(before, nil)
		}
	}
	return nil
}

// playedMsg says where a recording was moved to.
type playedMsg struct {
	view viewMsg
	back bool
	edge bool // there was no further to go
}

func (a *App) onPlayed(m playedMsg) tea.Cmd {
	if m.edge {
		a.say(map[bool]string{true: "that is the beginning", false: "that is the end"}[m.back], paint.Warn)
	}
	if m.view.res == nil {
		return nil
	}
	if m.back { // what happened later has not happened yet
		a.log.rewind(m.view.now)
		m.view.events, m.view.jump = nil, true
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
