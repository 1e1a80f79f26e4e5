package act

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// ToggleArm asks before keys may change the ensemble, and disarms without asking.
func (h *Hand) ToggleArm() {
	if h.Armed {
		h.Armed = false
		h.CallOff("disarmed")
		h.host.Say("disarmed", paint.Plain)
		return
	}
	if why := h.Means.Operator.Forbidden(); why != "" {
		h.host.Say("cannot arm: "+why, paint.Warn)
		return
	}
	d := &layer.Dialog{Title: "Arm the console on " + term.Safe(h.shown.Link.Ensemble), Do: "Arm", Then: h.arm}
	if d.Demand(h.Means.Production); h.Means.Production != "" {
		d.Add(h.shown.Theme.Alert, "This is production.", paint.Alert)
	}
	d.Add("", "Keys that change something then act on this ensemble, each after a plan that you confirm.", paint.Bold)
	d.Add("", "It ends after ten minutes, when "+h.shown.Keys.Arm.Help().Key+" is pressed again, or with the console.", paint.Plain)
	h.Ask(d)
}

func (h *Hand) arm() tea.Cmd {
	h.Armed, h.ArmedUntil = true, h.shown.Now.Add(armFor)
	h.host.Say("armed on "+term.Safe(h.shown.Link.Ensemble), paint.Armed)
	return nil
}

// Act opens the plans of a verb: for what is marked, else for what is selected.
func (h *Hand) Act(v actions.Verb) tea.Cmd {
	if len(h.Marks) > 1 && !h.asks(v) {
		return h.offerMany(v)
	}
	if len(h.Marks) > 0 {
		return h.offerMarked(v)
	}
	return h.ActOn(v, h.screen.Subjects())
}

// ActOn opens the plan of a verb for one of several claims; which, it asks.
func (h *Hand) ActOn(v actions.Verb, all []Stake) tea.Cmd {
	if !slices.ContainsFunc(all, func(s Stake) bool { return h.canDo(v, s) }) && len(all) > 1 {
		return h.offerFor(v, all[0].Model, all[0].Claim) // the reason is the same whichever is meant
	}
	return h.Which(string(v), all, func(m *model.Model, c *model.Claim) tea.Cmd { return h.offerFor(v, m, c) })
}

// canDo reports whether a verb can be done to a claim.
func (h *Hand) canDo(v actions.Verb, s Stake) bool {
	o, ok := actions.Find(h.Means.Operator.Scene(h.shown.Result, s.Model, s.Claim, h.shown.Now), v)
	return ok && o.Disabled == ""
}

// asks reports whether a verb asks for a value of its own for any that is marked: each has its own plan then.
func (h *Hand) asks(v actions.Verb) bool {
	return slices.ContainsFunc(h.Marks, func(k mark) bool {
		m := h.shown.Result.ByPath(k.recipe)
		if m == nil {
			return false
		}
		o, ok := actions.Find(h.Means.Operator.Scene(h.shown.Result, m, view.ClaimOf(m, k.claim), h.shown.Now), v)
		return ok && o.Asks != ""
	})
}

// offerFor opens the plan of a verb for a claim, or says why there is none.
func (h *Hand) offerFor(v actions.Verb, m *model.Model, c *model.Claim) tea.Cmd {
	if h.shown.Paused {
		h.host.Say("paused: go on with "+h.shown.Keys.Pause.Help().Key+" before acting on a picture of the past", paint.Warn)
		return nil
	}
	o, ok := actions.Find(h.Means.Operator.Scene(h.shown.Result, m, c, h.shown.Now), v)
	if ok && o.Disabled != "" {
		o = h.otherwise(o, m)
	}
	switch {
	case !ok && c == nil:
		h.host.Say("nothing is selected that could be acted on", paint.Warn)
	case !ok:
		h.host.Say("there is nothing to "+string(v)+" here", paint.Warn)
	case o.Disabled != "":
		d := &PlanBox{Dialog: layer.Dialog{Title: "Cannot " + string(v) + ": " + term.Safe(nameOf(m, c))}, renew: h.renewal(v, m, c)}
		d.Add(h.shown.Theme.Alert, o.Disabled, paint.Warn)
		h.askBox(d)
	case o.Asks != "":
		h.askValue(o, m, c)
	default:
		return h.planFor(o, m, c)
	}
	return nil
}

// otherwise looks for a claim of the recipe that a verb can be done to, where no claim was chosen and the verb is not
// about who holds: an abort is for whoever has not voted. It returns the offer as it was when there is none.
func (h *Hand) otherwise(o actions.Offer, m *model.Model) actions.Offer {
	chosen := slices.ContainsFunc(h.screen.Picked(), func(s Stake) bool { return s.Claim != nil })
	if chosen || h.screen.Precise() || len(h.Marks) > 0 || m.Kind.Waits() {
		return o
	}
	for i := range m.Claims {
		if x, ok := actions.Find(h.Means.Operator.Scene(h.shown.Result, m, &m.Claims[i], h.shown.Now), o.Verb); ok && x.Disabled == "" {
			return x
		}
	}
	return o
}

func nameOf(m *model.Model, c *model.Claim) string {
	if c != nil {
		return c.Owner()
	}
	return m.Path
}

// askValue asks for what a verb writes, and goes on with the plan.
func (h *Hand) askValue(o actions.Offer, m *model.Model, c *model.Claim) {
	old := ""
	if n := h.shown.Result.Snapshot.At(c.Path()); n != nil && widget.Holds(string(n.Data)) {
		old = string(n.Data)
	}
	scene := h.Means.Operator.Scene(h.shown.Result, m, c, h.shown.Now)
	h.stack.Open(h.host, &layer.Form{Title: o.Label + " of " + term.Safe(c.Path()), Do: "go on", Fields: []layer.Field{{Label: o.Asks, Value: old}}, Closed: h.dropQueue,
		Then: func(v []string) tea.Cmd { return h.askPlan(actions.SetTo(scene, []byte(v[0]))) }})
}

// askPlan shows a plan to be confirmed.
func (h *Hand) askPlan(p actions.Plan) tea.Cmd {
	d := &PlanBox{}
	h.askBox(d)
	return h.showPlan(d, p)
}

// showPlan puts a plan into a dialog, to be confirmed there, and looks meanwhile whether the rights for it are there.
func (h *Hand) showPlan(d *PlanBox, p actions.Plan) tea.Cmd {
	d.show(&h.shown.Theme, p, h.Armed, h.cannotAct())
	if p.Verb == actions.VerbBreak || p.Verb == actions.VerbRevoke { // the end of its session may be near, and gentler
		d.Live = func() string { return h.shown.SessionNow(h.shown.Live.Snapshot, d.Plan.Target.Owner) }
	}
	d.Then = func() tea.Cmd {
		p := d.Plan // it may have been made anew since
		p.Reason = d.Why.Text()
		h.reason = p.Reason
		return h.carryOut(p)
	}
	d.Open(h.host)
	if d.check(h.shown.Live.Snapshot); d.Do == "" {
		return nil
	}
	reason := ""
	if h.queued > 1 && h.queueVerb == p.Verb && len(h.queue) < h.queued-1 {
		reason = h.reason // that of the plan before it, of those marked together
	}
	d.Why.Ask(h.Means.NeedReason, reason)
	d.Checking = true
	op, ctx := h.Means.Operator, h.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, rightsWithin)
		defer cancel()
		lacks, err := op.Rights(ctx, p)
		return RightsMsg{p.Target, lacks, err}
	}
}

// rightsWithin is how long the answer about rights is waited for; without one a plan can be tried.
const rightsWithin = 3 * time.Second

// OnRights takes what was found out about the rights for the plan that is asked about.
func (h *Hand) OnRights(m RightsMsg) {
	d := layer.Top[*PlanBox](h.stack)
	if d == nil || d.Plan.Verb == "" || d.Plan.Target != m.target {
		return
	}
	d.Checking = false
	if m.err == nil && m.lacks != "" && d.Stale == "" {
		d.Spoil(m.lacks)
	}
}

// cannotAct says what has to be done before a plan can be confirmed.
func (h *Hand) cannotAct() string {
	if why := h.Means.Operator.Forbidden(); why != "" {
		return "this is only a preview: " + why
	}
	return "this is only a preview: the console is disarmed; close this and press " + h.shown.Keys.Arm.Help().Key + " to arm it"
}

func (h *Hand) carryOut(p actions.Plan) tea.Cmd {
	if !h.Armed {
		h.host.Say("disarmed meanwhile: nothing was done", paint.Warn)
		return nil
	}
	if h.Applying != nil {
		h.host.Say("wait: "+h.Applying.Plan.Title+" is still being carried out", paint.Warn)
		return nil
	}
	ctx, cancel := context.WithCancelCause(h.ctx)
	h.Applying = &errand{p, h.shown.Now, cancel}
	return apply(ctx, h.Means.Operator, p)
}

// CallOff cancels what is confirmed and not sent yet.
func (h *Hand) CallOff(why string) {
	if h.Applying != nil {
		h.Applying.cancel(errors.New(why))
	}
}

// OnResult records how an action ended, and follows it when more is to come of it.
func (h *Hand) OnResult(r actions.Result) tea.Cmd {
	if h.Applying != nil {
		h.Applying.cancel(nil)
		h.Applying = nil
	}
	h.host.Say("", paint.Plain)
	if r.Outcome != actions.Done {
		h.host.Say(term.Safe(r.Text), paint.Alert)
	}
	h.shown.Log.Record([]story.Event{{At: r.At, Path: r.Plan.Recipe, Kind: r.Plan.Kind, What: "action", Owner: r.Plan.Name, Text: "you: " + r.Text}})
	if r.Outcome == actions.Done {
		h.Followed = append(h.Followed, opened{r.Plan, r.At, h.run != nil})
	}
	h.follow()
	return tea.Batch(h.nextOfRun(r), h.nextQueued())
}

// follow looks whether what was applied has come to its end, and says so.
func (h *Hand) follow() {
	rest := h.Followed[:0]
	for _, o := range h.Followed {
		text, done := o.Plan.Progress(h.shown.Live.Snapshot, o.At, h.shown.Now)
		if !done {
			rest = append(rest, o)
			continue
		}
		if !o.OfRun || o.Plan.Verb == actions.VerbRevoke {
			h.host.Say(text, paint.Good)
		}
		if o.Plan.Verb != actions.VerbRevoke {
			continue // the result has said it
		}
		h.shown.Log.Record([]story.Event{{At: h.shown.Now, Path: o.Plan.Recipe, Kind: o.Plan.Kind, What: "followed", Owner: o.Plan.Name, Text: "you: " + strings.TrimSpace(text)}})
	}
	h.Followed = rest
}
