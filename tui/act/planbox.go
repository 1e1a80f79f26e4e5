package act

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// PlanBox is a dialog that asks to confirm a plan, or says why there is none.
type PlanBox struct {
	layer.Dialog
	Plan    actions.Plan           // its Verb is empty where there is none
	renew   func(*PlanBox) tea.Cmd // Optional; brings it up to what is known now
	working bool                   // a plan is being worked out for it
	next    *actions.Offer         // to be worked out after that
}

// askBox opens a box for a plan.
func (h *Hand) askBox(d *PlanBox) {
	d.Closed = h.dropQueue
	h.stack.Open(h.host, d)
}

// show makes the box ask to confirm a plan. When armed is false it only shows it, and says why.
func (d *PlanBox) show(p actions.Plan, armed bool, why string) {
	d.Plan, d.Title, d.Do = p, p.Title, string(p.Verb)
	d.Body = planText(p, armed, why)
	if !armed {
		d.Do, p.Confirm = "", ""
	}
	d.Demand(p.Confirm)
}

// planText says what a plan does.
func planText(p actions.Plan, armed bool, why string) []layer.Body {
	var d layer.Dialog
	if !armed {
		d.Add("", why, paint.Alert)
	}
	for i, s := range p.Outcome {
		d.Add(paint.OnFirst(i, "then"), s, paint.Bold)
	}
	for i, s := range p.Warnings {
		d.Add(paint.OnFirst(i, "mind"), s, paint.Warn)
	}
	d.Add("does", p.Step(), paint.Plain)
	for i, s := range p.Guards {
		d.Add(paint.OnFirst(i, "only if"), s, paint.Dim)
	}
	return d.Body
}

// check disables a plan whose target is no longer what it was when the box opened.
func (d *PlanBox) check(s *znode.Snapshot) {
	if d.Plan.Verb == "" || d.Stale != "" {
		return
	}
	if why := d.Plan.Stale(s); why != "" {
		d.Spoil(why)
	}
}
