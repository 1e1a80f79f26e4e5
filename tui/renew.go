package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// renew brings an open box up to what is known now: a plan whose outcome is another, a reason that no longer holds.
func (a *App) renew() (cmd tea.Cmd) {
	if d := top[*planBox](a); d != nil && d.renew != nil && d.Stale == "" {
		cmd = d.renew(d)
	}
	if m := top[*layer.Menu](a); m != nil {
		m.Refresh()
	}
	return cmd
}

// pin remembers a recipe and a claim of it by their identities, to find them in a later picture.
func pin(m *model.Model, c *model.Claim) func(*model.Result) (*model.Model, *model.Claim, bool) {
	path, id := m.Path, model.ClaimID{}
	if c != nil {
		id = c.ID()
	}
	return func(r *model.Result) (*model.Model, *model.Claim, bool) {
		m := r.ByPath(path)
		if m == nil || id == (model.ClaimID{}) {
			return m, nil, m != nil
		}
		c := view.ClaimOf(m, id)
		return m, c, c != nil
	}
}

// renewal makes the offer of a dialog anew. A plan that says something else than before has to be read again: the
// focus goes back to Cancel, and for a moment no key is taken. What could not be done and now can is said, no more:
// nothing that can be confirmed appears under a key.
func (a *App) renewal(v actions.Verb, m *model.Model, c *model.Claim) func(*planBox) tea.Cmd {
	find, name := pin(m, c), term.Safe(nameOf(m, c))
	return func(d *planBox) tea.Cmd {
		m, c, there := find(a.shown.Live)
		if x := planned(m, d.plan.Target); x != nil { // the plan may be about another claim than was selected
			c, there = x, true
		}
		o, ok := actions.Offer{}, false
		if there {
			o, ok = actions.Find(a.opts.Operator.Scene(a.shown.Live, m, c, a.shown.Now), v)
		}
		switch plan := d.plan.Verb != ""; {
		case !ok && plan: // what it is about is gone: it is stale, and says so
		case !ok:
			d.Title, d.Body = name+" is gone", []layer.Body{{Label: "why", Text: "it is gone: nothing is left to do", Style: paint.Warn}}
		case o.Disabled == "" && (plan || d.working):
			return d.workOut(o)
		case plan:
			d.Spoil(o.Disabled)
		case o.Disabled == "":
			d.Title = "can " + string(v) + " now: " + name
			d.Body = []layer.Body{{Label: "now", Text: "it can be done: close this and choose it again", Style: paint.Good}}
		default:
			d.Title = "cannot " + string(v) + ": " + name
			d.Body = []layer.Body{{Label: "why", Text: o.Disabled, Style: paint.Warn}}
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
func (a *App) replan(d *planBox, p actions.Plan) {
	if p.Target != d.plan.Target {
		return
	}
	text := planText(p, d.Do != "", a.cannotAct())
	if slices.Equal(text, d.Body) {
		return
	}
	d.Body, d.plan = text, p
	d.Retreat()
	if want, _ := d.Demands(); d.Do != "" && want != p.Confirm {
		d.Demand(p.Confirm)
	}
	d.Anew = "this is newer than what it said when it opened: it changed at " + a.shown.Clock(a.shown.Now)
	d.Open(&a.host)
}
