package act

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// renew brings an open box up to what is known now: a plan whose outcome is another, a reason that no longer holds.
func (h *Hand) renew() (cmd tea.Cmd) {
	if d := layer.Top[*PlanBox](h.stack); d != nil && d.renew != nil && d.Stale == "" {
		cmd = d.renew(d)
	}
	if d := layer.Top[*ManyBox](h.stack); d != nil && d.Stale == "" {
		cmd = h.workOutMany(d)
	}
	if m := layer.Top[*layer.Menu](h.stack); m != nil {
		m.Refresh()
	}
	return cmd
}

// renewal makes the offer of a dialog anew. A plan that says something else than before has to be read again: the
// focus goes back to Cancel, and for a moment no key is taken. What could not be done and now can is said, no more:
// nothing that can be confirmed appears under a key.
func (h *Hand) renewal(v actions.Verb, m *model.Model, c *model.Claim) func(*PlanBox) tea.Cmd {
	find, name := Pin(m, c), term.Safe(nameOf(m, c))
	return func(d *PlanBox) tea.Cmd {
		m, c, there := find(h.shown.Live)
		if x := planned(m, d.Plan.Target); x != nil { // the plan may be about another claim than was selected
			c, there = x, true
		}
		o, ok := actions.Offer{}, false
		if there {
			o, ok = actions.Find(h.Means.Operator.Scene(h.shown.Live, m, c, h.shown.Now), v)
		}
		switch plan := d.Plan.Verb != ""; {
		case !ok && plan: // what it is about is gone: it is stale, and says so
		case !ok:
			d.Title, d.Body = name+" is gone", []layer.Body{{Text: "It is gone: nothing is left to do", Style: paint.Warn}}
		case o.Disabled == "" && (plan || d.working):
			return d.workOut(o)
		case plan:
			d.Spoil(o.Disabled)
		case o.Disabled == "":
			d.Title = titled(string(v)) + " can be done now: " + name
			d.Body = []layer.Body{{Text: "It can be done: close this and choose it again", Style: paint.Good}}
		default:
			d.Title = "Cannot " + string(v) + ": " + name
			d.Body = []layer.Body{{Label: h.shown.Theme.Alert, Text: o.Disabled, Style: paint.Warn}}
		}
		return nil
	}
}

// planned is the claim that a plan is about, or nil.
func planned(m *model.Model, t actions.Target) *model.Claim {
	if m == nil || t.Path == "" {
		return nil
	}
	return view.ClaimOf(m, model.ClaimID{Path: t.Path, Czxid: t.Czxid})
}

// replan shows a plan instead of the one that was made earlier for the same target.
func (h *Hand) replan(d *PlanBox, p actions.Plan) {
	if p.Target != d.Plan.Target {
		return
	}
	text := planText(&h.shown.Theme, p, d.Do != "", h.cannotAct())
	if p.Says(d.Plan) { // what was read stands: in it only times run
		d.Body, d.Plan = text, p
		return
	}
	d.Body, d.Plan, d.Folded, d.Fold = text, p, howText(p), p.Brief()
	if d.Do == "" {
		d.Retreat()
	} else {
		d.Demand(p.Confirm) // what was typed confirmed what it said before
	}
	d.Renewed(h.host, "this is newer than what it said when it opened: it changed at "+h.shown.Clock(h.shown.Now))
}
