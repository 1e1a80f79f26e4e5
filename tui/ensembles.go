package tui

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// change is the way to another ensemble: the console stays where it is until that one answers.
type change struct {
	to     string
	box    *layer.Dialog
	cancel context.CancelFunc
}

// readyMsg says that an ensemble can be shown, or why not.
type readyMsg struct {
	change *change
	next   backend.Prepared // nil: it cannot
	err    error
}

// Next is the console that is to follow this one; nil: it was quit. It is the caller's to close.
func (a *App) Next() backend.Prepared { return a.next }

// askFleet has the other ensembles asked while they are looked at.
func (a *App) askFleet() {
	if p := a.page(); p != nil && p.View.Name == view.Profiles && a.opts.Fleet != nil {
		a.opts.Fleet.Ask()
	}
}

// profileNames are the names of the ensembles that can be changed to.
func (a *App) profileNames() (out []string) {
	if a.opts.Fleet == nil {
		return nil
	}
	for _, e := range a.opts.Fleet.Ensembles() {
		if e.Name != a.opts.Fleet.Here() {
			out = append(out, e.Name)
		}
	}
	return out
}

// changeTo begins to change to another ensemble; without a name it shows which there are.
func (a *App) changeTo(name string) tea.Cmd {
	switch names := a.profileNames(); {
	case name == "" || a.opts.Fleet == nil:
		return a.open(view.Profiles, "")
	case name == a.opts.Fleet.Here():
		a.say(term.Safe(name)+" is what is shown", paint.Plain)
		return nil
	case !slices.Contains(names, name):
		a.say("no profile is called "+term.Safe(name)+"; there are "+term.Safe(strings.Join(names, ", ")), paint.Warn)
		return nil
	}
	if why := a.engaged(); why != "" {
		a.say("not changed: "+why, paint.Warn)
		return nil
	}
	ctx, cancel := context.WithCancel(a.ctx)
	c := &change{to: name, cancel: cancel}
	a.change = c
	c.box = &layer.Dialog{Title: "Change to " + term.Safe(name), Cancel: func() { a.giveUp(c) }}
	c.box.Add("", "Connecting to "+term.Safe(name)+". Until it answers "+a.name()+" is shown; esc stays there.", paint.Bold)
	if n := len(a.watched); n > 0 {
		c.box.Add("", paint.Counted(n, "notification", "notifications")+" set here will not ring any more.", paint.Plain)
	}
	a.stack.Open(&a.host, c.box)
	fleet := a.opts.Fleet
	return func() tea.Msg {
		next, err := fleet.Prepare(ctx, name)
		return readyMsg{c, next, err}
	}
}

// giveUp stays with the ensemble that is shown.
func (a *App) giveUp(c *change) {
	c.cancel()
	if a.change == c {
		a.change = nil
	}
	a.say("still on "+a.name(), paint.Plain)
}

// onReady leaves for the ensemble that was asked for, unless something keeps the console here.
func (a *App) onReady(m readyMsg) tea.Cmd {
	c, why := m.change, ""
	c.cancel()
	switch {
	case a.change != c:
		return dropped(m.next)
	case m.err != nil:
		why = term.Safe(m.err.Error())
	default:
		why = a.engaged()
	}
	a.change = nil
	if why == "" {
		a.next = m.next
		a.next.Follows()
		return a.quit()
	}
	d := &layer.Dialog{Title: "Not changed to " + term.Safe(c.to), Do: "Try again", Then: func() tea.Cmd { return a.changeTo(c.to) },
		Cancel: func() { a.say("still on "+a.name(), paint.Plain) }}
	d.Add(a.shown.Theme.Alert, why, paint.Alert)
	d.Add("", "You are still on "+a.name()+"; nothing was closed.", paint.Bold)
	a.stack.Keep(func(l layer.Layer) bool { return l != layer.Layer(c.box) })
	a.stack.Open(&a.host, d)
	return dropped(m.next)
}

// dropped closes a console that is not to be drawn after all.
func dropped(next backend.Prepared) tea.Cmd {
	if next == nil {
		return nil
	}
	return func() tea.Msg {
		next.Close()
		return nil
	}
}

// engaged says what would be lost if the console left its ensemble now; empty: nothing would.
func (a *App) engaged() string {
	for _, l := range a.stack.All() {
		switch l.(type) {
		case *act.PlanBox, *act.ManyBox, *layer.Form:
			return "a plan is open; close it first"
		}
	}
	if a.running != "" {
		return term.Safe(a.running) + " has not ended"
	}
	return a.hand.Engaged()
}
