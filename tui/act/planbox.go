package act

import (
	"strings"

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
func (d *PlanBox) show(t *paint.Theme, p actions.Plan, armed bool, why string) {
	d.Plan, d.Title, d.Do = p, titled(p.Title), titled(p.Deed())
	d.Body = planText(t, p, armed, why)
	d.Folded, d.Fold = howText(p), p.Brief()
	if !armed {
		d.Do, p.Confirm = "", ""
	}
	d.Demand(p.Confirm)
}

// titled is a text that begins with a capital.
func titled(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// planText says what follows from a plan, and what the operator has to know.
func planText(t *paint.Theme, p actions.Plan, armed bool, why string) []layer.Body {
	var d layer.Dialog
	for _, s := range p.Outcome {
		d.Add("", s, paint.Bold)
	}
	if len(p.Warnings) > 0 || !armed {
		d.Add("", "", paint.Plain)
	}
	for _, s := range p.Warnings {
		d.Add(t.Alert, s, paint.Warn)
	}
	if !armed {
		d.Add(t.Note, why, paint.Plain)
	}
	return d.Body
}

// howText is how a plan is carried out, and on what condition.
func howText(p actions.Plan) []layer.Body {
	var d layer.Dialog
	d.Add("does   ", p.Step(), paint.Plain)
	label := "only if"
	for _, s := range p.Guards {
		d.Add(label, s, paint.Plain)
		label = "       "
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
