package act

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// PlannedMsg is a plan that was worked out for a dialog.
type PlannedMsg struct {
	box  *PlanBox
	plan actions.Plan
}

// workOut works out the plan of an offer for a dialog, outside of the update: to foresee what follows takes as long as
// decoding the recipe. One is worked out at a time; of those asked for meanwhile the last counts.
func (d *PlanBox) workOut(o actions.Offer) tea.Cmd {
	if d.working {
		d.next = &o
		return nil
	}
	d.working = true
	return func() tea.Msg { return PlannedMsg{d, o.Plan()} }
}

// planFor opens the dialog of an offer, and fills it as soon as its plan is worked out.
func (h *Hand) planFor(o actions.Offer, m *model.Model, c *model.Claim) tea.Cmd {
	d := &PlanBox{Dialog: layer.Dialog{Title: o.Label + ": " + term.Safe(nameOf(m, c))}, renew: h.renewal(o.Verb, m, c)}
	d.Add("", "working out what would follow"+h.shown.Theme.Ellipsis, paint.Dim)
	h.askBox(d)
	return d.workOut(o)
}

// OnPlanned puts a plan that was worked out into its box.
func (h *Hand) OnPlanned(m PlannedMsg) tea.Cmd {
	d := m.box
	d.working = false
	if layer.Top[*PlanBox](h.stack) != d {
		return nil
	}
	var cmd tea.Cmd
	if d.Plan.Verb == "" {
		cmd = h.showPlan(d, m.plan)
	} else {
		h.replan(d, m.plan)
	}
	if o := d.next; o != nil {
		d.next = nil
		return tea.Batch(cmd, d.workOut(*o))
	}
	return cmd
}
