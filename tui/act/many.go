package act

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// ManyBox is a dialog that asks once to confirm one plan for each of several claims.
type ManyBox struct {
	layer.Dialog
	verb    actions.Verb
	marks   []mark
	all     []actions.Planned
	plans   []actions.Plan // those of them that can be carried out
	shown   bool           // it shows plans
	working bool           // they are being worked out
	again   bool           // the picture has changed meanwhile
}

// ManyPlannedMsg are the plans that were worked out for a dialog.
type ManyPlannedMsg struct {
	box *ManyBox
	all []actions.Planned
}

// ManyRightsMsg says which right the plans of a dialog lack.
type ManyRightsMsg struct {
	box   *ManyBox
	lacks string // empty: none, or not known
}

// offerMany opens one dialog for all that are marked; each is carried out for itself, with its own guards.
func (h *Hand) offerMany(v actions.Verb) tea.Cmd {
	if h.shown.Paused {
		h.host.Say("paused: go on with "+h.shown.Keys.Pause.Help().Key+" before acting on a picture of the past", paint.Warn)
		return nil
	}
	d := &ManyBox{verb: v, marks: slices.Clone(h.Marks)}
	d.Title = titled(string(v)) + " " + paint.Number(len(d.marks)) + " marked claims"
	d.Add("", "working out what would follow"+h.shown.Theme.Ellipsis, paint.Dim)
	h.stack.Open(h.host, d)
	return h.workOutMany(d)
}

// workOutMany works out the plans of a dialog outside of the update, one time at once.
func (h *Hand) workOutMany(d *ManyBox) tea.Cmd {
	if d.working {
		d.again = true
		return nil
	}
	d.working = true
	var scenes []actions.Scene
	var gone []actions.Planned
	for _, k := range d.marks {
		m := h.shown.Live.ByPath(k.recipe)
		if m == nil || view.ClaimOf(m, k.claim) == nil {
			gone = append(gone, actions.Planned{Recipe: k.recipe, Name: k.owner, Disabled: "it is gone"})
			continue
		}
		scenes = append(scenes, h.Means.Operator.Scene(h.shown.Live, m, view.ClaimOf(m, k.claim), h.shown.Now))
	}
	verb := d.verb
	return func() tea.Msg { return ManyPlannedMsg{d, append(actions.PlanEach(scenes, verb), gone...)} }
}

// OnManyPlanned puts plans that were worked out into their box.
func (h *Hand) OnManyPlanned(m ManyPlannedMsg) tea.Cmd {
	d := m.box
	d.working = false
	if layer.Top[*ManyBox](h.stack) != d || d.Stale != "" {
		return nil
	}
	body, plans := h.manyText(m.all)
	var cmd tea.Cmd
	switch {
	case !d.shown:
		d.Body, d.plans = body, plans
		cmd = h.showMany(d)
	case d.says(m.all) && (d.Do != "") == (h.Armed && len(plans) > 0):
		d.Body, d.plans = body, plans
	default:
		d.Body, d.plans = body, plans
		h.demandMany(d)
		d.Renewed(h.host, "this is newer than what it said when it opened: it changed at "+h.shown.Clock(h.shown.Now))
	}
	d.all = m.all
	if d.again {
		d.again = false
		cmd = tea.Batch(cmd, h.workOutMany(d))
	}
	return cmd
}

// says reports whether plans say what those that are shown do, but for times that run.
func (d *ManyBox) says(all []actions.Planned) bool {
	return slices.EqualFunc(d.all, all, func(a, b actions.Planned) bool {
		return a.Recipe == b.Recipe && a.Name == b.Name && a.Disabled == b.Disabled && a.Plan.Says(b.Plan)
	})
}

// manyText says of each plan what is done and what follows, then what the operator has to know, each once.
func (h *Hand) manyText(all []actions.Planned) ([]layer.Body, []actions.Plan) {
	var d layer.Dialog
	var plans []actions.Plan
	var mind []string
	times := map[string]int{}
	for _, x := range all {
		if x.Disabled != "" {
			continue
		}
		plans = append(plans, x.Plan)
		text := titled(x.Plan.Deed()) + " in " + term.Safe(x.Recipe)
		d.Add(paint.Number(len(plans))+".", text+": "+strings.Join(x.Plan.Outcome, "; "), paint.Bold)
		for _, w := range x.Plan.Warnings {
			if rest, named := strings.CutPrefix(w, term.Safe(x.Plan.Name)+" "); named { // the same of each
				w = "each owner " + rest
				if of, told := strings.CutPrefix(rest, "is not told: its "); told {
					w = "no owner is told: each " + of
				}
			}
			if times[w]++; times[w] == 1 {
				mind = append(mind, w)
			}
		}
	}
	for _, x := range all {
		if x.Disabled != "" {
			d.Add(h.shown.Theme.Note, term.Safe(x.Name)+" in "+term.Safe(x.Recipe)+" is left alone: "+x.Disabled, paint.Warn)
		}
	}
	if len(mind) > 0 {
		d.Add("", "", paint.Plain)
	}
	for _, w := range mind {
		if n := times[w]; n > 1 && n < len(plans) {
			w += " (" + paint.Number(n) + " of them)"
		}
		d.Add(h.shown.Theme.Alert, w, paint.Warn)
	}
	if !h.Armed {
		d.Add(h.shown.Theme.Note, h.cannotAct(), paint.Plain)
	}
	return d.Body, plans
}

// demandMany sets the button, and what has to be typed: the verb and how many, where one of the plans asks for a name.
func (h *Hand) demandMany(d *ManyBox) {
	n := paint.Number(len(d.plans))
	d.Folded = nil
	for i, p := range d.plans {
		d.Folded = append(d.Folded, layer.Body{Label: paint.Number(i+1) + ".", Text: p.Step() + ", only if " + strings.Join(p.Guards, ", and ")})
	}
	d.Fold = "how: " + n + " changes, one by one, each only if it is still what you see"
	d.Do = titled(string(d.verb)) + " " + n
	want := ""
	if slices.ContainsFunc(d.plans, func(p actions.Plan) bool { return p.Confirm != "" }) {
		want = string(d.verb) + " " + n
	}
	if !h.Armed || len(d.plans) == 0 {
		d.Do, want, d.Fold = "", "", ""
	}
	d.Demand(want)
}

// showMany lets a box be confirmed, and looks meanwhile whether the rights for its plans are there.
func (h *Hand) showMany(d *ManyBox) tea.Cmd {
	d.shown = true
	h.demandMany(d)
	d.Then = func() tea.Cmd { return h.carryOutAll(d.plans, d.Why.Text()) }
	if d.Open(h.host); d.Do == "" {
		return nil
	}
	d.Why.Ask(h.Means.NeedReason, "")
	d.Checking = true
	op, ctx, plans := h.Means.Operator, h.ctx, d.plans
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, rightsWithin)
		defer cancel()
		for _, p := range plans {
			if lacks, err := op.Rights(ctx, p); err == nil && lacks != "" {
				return ManyRightsMsg{d, term.Safe(p.Name) + " in " + term.Safe(p.Recipe) + ": " + lacks}
			}
		}
		return ManyRightsMsg{d, ""}
	}
}

// OnManyRights takes what was found out about the rights for plans that are asked about.
func (h *Hand) OnManyRights(m ManyRightsMsg) {
	if m.box.Checking = false; m.lacks != "" && m.box.Stale == "" {
		m.box.Spoil(m.lacks)
	}
}

// run is several confirmed plans, carried out one after the other.
type run struct {
	rest   []actions.Plan
	of     int
	done   int
	failed string // the first that was not done, and why
}

// carryOutAll begins with the first of several plans; the others follow its result.
func (h *Hand) carryOutAll(plans []actions.Plan, reason string) tea.Cmd {
	if !h.Armed || h.Applying != nil {
		return h.carryOut(plans[0]) // which says why nothing is done
	}
	for i := range plans {
		plans[i].Reason = reason
	}
	h.reason, h.Marks = reason, nil
	h.run = &run{rest: plans[1:], of: len(plans)}
	return h.carryOut(plans[0])
}

// nextOfRun goes on with the next plan, once one has ended. One that was not done keeps none of the others, unless nothing can
// be done now.
func (h *Hand) nextOfRun(r actions.Result) tea.Cmd {
	u := h.run
	if u == nil {
		return nil
	}
	if r.Outcome == actions.Done {
		u.done++
	} else if u.failed == "" {
		u.failed = term.Safe(r.Text)
	}
	stopped := r.Outcome == actions.Refused || r.Outcome == actions.Unknown || !h.Armed
	if len(u.rest) > 0 && !stopped {
		next := u.rest[0]
		u.rest = u.rest[1:]
		return h.carryOut(next)
	}
	h.run = nil
	text, style := paint.Number(u.done)+" of "+paint.Number(u.of)+" done", paint.Good
	if n := len(u.rest); n > 0 {
		text += ", " + paint.Number(n) + " left alone"
	}
	if u.failed != "" {
		text, style = text+"; not done: "+u.failed, paint.Alert
	}
	h.host.Say(text, style)
	return nil
}
