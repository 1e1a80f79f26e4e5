package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// plannedMsg is a plan that was worked out for a dialog.
type plannedMsg struct {
	box  *planBox
	plan actions.Plan
}

// workOut works out the plan of an offer for a dialog, outside of the update: to foresee what follows takes as long as
// decoding the recipe. One is worked out at a time; of those asked for meanwhile the last counts.
func (d *planBox) workOut(o actions.Offer) tea.Cmd {
	if d.working {
		d.next = &o
		return nil
	}
	d.working = true
	return func() tea.Msg { return plannedMsg{d, o.Plan()} }
}

// planFor opens the dialog of an offer, and fills it as soon as its plan is worked out.
func (a *App) planFor(o actions.Offer, m *model.Model, c *model.Claim) tea.Cmd {
	d := &planBox{Dialog: layer.Dialog{Title: o.Label + ": " + term.Safe(nameOf(m, c))}, renew: a.renewal(o.Verb, m, c)}
	d.Add("", "working out what would follow"+a.shown.Theme.Ellipsis, paint.Dim)
	a.askBox(d)
	return d.workOut(o)
}

func (a *App) onPlanned(m plannedMsg) tea.Cmd {
	d := m.box
	d.working = false
	if top[*planBox](a) != d {
		return nil
	}
	var cmd tea.Cmd
	if d.plan.Verb == "" {
		cmd = a.showPlan(d, m.plan)
	} else {
		a.replan(d, m.plan)
	}
	if o := d.next; o != nil {
		d.next = nil
		return tea.Batch(cmd, d.workOut(*o))
	}
	return cmd
}
