package tui

import (
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// watched is a recipe that somebody wants to hear of, as it stood.
type watched struct {
	state model.State
	first model.ClaimID
	who   string
}

// standing is what a notification is about: who holds or leads, and the verdict or state.
func standing(m *model.Model) watched {
	if m == nil {
		return watched{state: model.Free}
	}
	w := watched{state: m.State}
	if len(m.Claims) > 0 && chart.HoldsRole(m.Claims[0].Role()) {
		w.first, w.who = m.Claims[0].ID(), chart.ShortOwner(&m.Claims[0])
	}
	return w
}

// toggleNotify asks to be told when the selected recipe frees, changes hands or is decided, or no more.
func (a *App) toggleNotify() {
	m, _ := a.desk.Subject()
	if m == nil {
		a.say("nothing is selected that could change", paint.Warn)
		return
	}
	path := term.Safe(m.Path)
	if _, on := a.watched[m.Path]; on {
		delete(a.watched, m.Path)
		a.say("notification for "+path+" is off", paint.Plain)
		return
	}
	if a.watched == nil {
		a.watched = map[string]watched{}
	}
	a.watched[m.Path] = standing(m)
	a.say("notification for "+path+"; "+a.shown.Keys.Notify.Help().Key+" again turns it off. The terminal rings when it is free, changes hands or is decided", paint.Good)
}

// notice rings for watched recipes that stand otherwise than when they were last looked at.
func (a *App) notice() tea.Cmd {
	text := ""
	for path, was := range a.watched {
		now := standing(a.shown.Live.ByPath(path))
		if now.state == was.state && now.first == was.first {
			continue
		}
		a.watched[path] = now
		text = term.Safe(path) + " is " + string(now.state)
		if now.who != "" {
			text += ", " + now.who + " has it"
		}
	}
	if text == "" {
		return nil
	}
	a.say(text, paint.Good)
	seq := ansi.Notify("zkscope: " + text)
	if a.opts.Tmux {
		seq = ansi.TmuxPassthrough(seq)
	}
	return a.emit("\a" + seq)
}
