package tui

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
	"github.com/zkscope/zkscope/tui/widget"
)

// toggleArm asks before keys may change the ensemble, and disarms without asking.
func (a *App) toggleArm() {
	if a.armed {
		a.armed = false
		a.callOff("disarmed")
		a.say("disarmed", paint.Plain)
		return
	}
	if why := a.opts.Operator.Forbidden(); why != "" {
		a.say("cannot arm: "+why, paint.Warn)
		return
	}
	d := &layer.Dialog{Title: "arm the console on " + term.Safe(a.shown.Link.Ensemble), Do: "arm", Then: a.arm}
	if d.Demand(a.opts.Production); a.opts.Production != "" {
		d.Add("mind", "this is production", paint.Alert)
	}
	d.Add("then", "revoke and break act on this ensemble, each after a plan that you confirm", paint.Plain)
	d.Add("until", "ten minutes are over, W is pressed again, or the console ends", paint.Plain)
	a.ask(d)
}

func (a *App) arm() tea.Cmd {
	a.armed, a.armedUntil = true, a.shown.Now.Add(armFor)
	a.say("armed on "+term.Safe(a.shown.Link.Ensemble), paint.Armed)
	return nil
}

// act opens the plans of a verb: for what is marked, else for what is selected.
func (a *App) act(v actions.Verb) tea.Cmd {
	if len(a.marks) > 0 {
		return a.offerMarked(v)
	}
	return a.actOn(v, a.subjects())
}

// actOn opens the plan of a verb for one of several claims; which, it asks.
func (a *App) actOn(v actions.Verb, all []stake) tea.Cmd {
	if !slices.ContainsFunc(all, func(s stake) bool { return a.canDo(v, s) }) && len(all) > 1 {
		return a.offerFor(v, all[0].model, all[0].claim) // the reason is the same whichever is meant
	}
	return a.which(string(v), all, func(m *model.Model, c *model.Claim) tea.Cmd { return a.offerFor(v, m, c) })
}

// canDo reports whether a verb can be done to a claim.
func (a *App) canDo(v actions.Verb, s stake) bool {
	o, ok := actions.Find(a.opts.Operator.Scene(a.shown.Result, s.model, s.claim, a.shown.Now), v)
	return ok && o.Disabled == ""
}

// offerFor opens the plan of a verb for a claim, or says why there is none.
func (a *App) offerFor(v actions.Verb, m *model.Model, c *model.Claim) tea.Cmd {
	if a.shown.Paused {
		a.say("paused: go on with "+a.shown.Keys.Pause.Help().Key+" before acting on a picture of the past", paint.Warn)
		return nil
	}
	o, ok := actions.Find(a.opts.Operator.Scene(a.shown.Result, m, c, a.shown.Now), v)
	if ok && o.Disabled != "" {
		o = a.otherwise(o, m)
	}
	switch {
	case !ok && c == nil:
		a.say("nothing is selected that could be acted on", paint.Warn)
	case !ok:
		a.say("there is nothing to "+string(v)+" here", paint.Warn)
	case o.Disabled != "":
		d := &planBox{Dialog: layer.Dialog{Title: "cannot " + string(v) + ": " + term.Safe(nameOf(m, c))}, renew: a.renewal(v, m, c)}
		d.Add("why", o.Disabled, paint.Warn)
		a.askBox(d)
	case o.Asks != "":
		a.askValue(o, m, c)
	default:
		return a.planFor(o, m, c)
	}
	return nil
}

// otherwise looks for a claim of the recipe that a verb can be done to, where no claim was chosen and the verb is not
// about who holds: an abort is for whoever has not voted. It returns the offer as it was when there is none.
func (a *App) otherwise(o actions.Offer, m *model.Model) actions.Offer {
	chosen := slices.ContainsFunc(a.picked(), func(s stake) bool { return s.claim != nil })
	if chosen || a.page() != nil || a.focus == onClaims || len(a.marks) > 0 || m.Kind.Waits() {
		return o
	}
	for i := range m.Claims {
		if x, ok := actions.Find(a.opts.Operator.Scene(a.shown.Result, m, &m.Claims[i], a.shown.Now), o.Verb); ok && x.Disabled == "" {
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
func (a *App) askValue(o actions.Offer, m *model.Model, c *model.Claim) {
	old := ""
	if n := a.shown.Result.Snapshot.At(c.Path()); n != nil && widget.Holds(string(n.Data)) {
		old = string(n.Data)
	}
	scene := a.opts.Operator.Scene(a.shown.Result, m, c, a.shown.Now)
	a.fill(&layer.Form{Title: o.Label + " of " + term.Safe(c.Path()), Do: "go on", Fields: []layer.Field{{Label: o.Asks, Value: old}},
		Then: func(v []string) tea.Cmd { return a.askPlan(actions.SetTo(scene, []byte(v[0]))) }})
}

// askPlan shows a plan to be confirmed.
func (a *App) askPlan(p actions.Plan) tea.Cmd {
	d := &planBox{}
	a.askBox(d)
	return a.showPlan(d, p)
}

// showPlan puts a plan into a dialog, to be confirmed there, and looks meanwhile whether the rights for it are there.
func (a *App) showPlan(d *planBox, p actions.Plan) tea.Cmd {
	d.show(p, a.armed, a.cannotAct())
	d.Then = func() tea.Cmd {
		p := d.plan // it may have been made anew since
		p.Reason = d.Why.Text()
		a.reason = p.Reason
		return a.carryOut(p)
	}
	d.Open(&a.host)
	if d.check(a.shown.Live.Snapshot); d.Do == "" {
		return nil
	}
	reason := ""
	if a.queued > 1 && a.queueVerb == p.Verb && len(a.queue) < a.queued-1 {
		reason = a.reason // that of the plan before it, of those marked together
	}
	d.Why.Ask(a.opts.NeedReason, reason)
	d.Checking = true
	op, ctx := a.opts.Operator, a.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, rightsWithin)
		defer cancel()
		lacks, err := op.Rights(ctx, p)
		return rightsMsg{p.Target, lacks, err}
	}
}

// rightsWithin is how long the answer about rights is waited for; without one a plan can be tried.
const rightsWithin = 3 * time.Second

func (a *App) onRights(m rightsMsg) {
	d := top[*planBox](a)
	if d == nil || d.plan.Verb == "" || d.plan.Target != m.target {
		return
	}
	d.Checking = false
	if m.err == nil && m.lacks != "" && d.Stale == "" {
		d.Spoil(m.lacks)
	}
}

// cannotAct says what has to be done before a plan can be confirmed.
func (a *App) cannotAct() string {
	if why := a.opts.Operator.Forbidden(); why != "" {
		return "this is only a preview: " + why
	}
	return "this is only a preview: the console is disarmed; close this and press " + a.shown.Keys.Arm.Help().Key + " to arm it"
}

func (a *App) carryOut(p actions.Plan) tea.Cmd {
	if !a.armed {
		a.say("disarmed meanwhile: nothing was done", paint.Warn)
		return nil
	}
	if a.applying != nil {
		a.say("wait: "+a.applying.plan.Title+" is still being carried out", paint.Warn)
		return nil
	}
	ctx, cancel := context.WithCancelCause(a.ctx)
	a.applying = &errand{p, a.shown.Now, cancel}
	return apply(ctx, a.opts.Operator, p)
}

// callOff cancels what is confirmed and not sent yet.
func (a *App) callOff(why string) {
	if a.applying != nil {
		a.applying.cancel(errors.New(why))
	}
}

// onResult records how an action ended, and follows it when more is to come of it.
func (a *App) onResult(r actions.Result) tea.Cmd {
	if a.applying != nil {
		a.applying.cancel(nil)
		a.applying = nil
	}
	a.message = message{}
	if r.Outcome != actions.Done {
		a.say(term.Safe(r.Text), paint.Alert)
	}
	a.shown.Log.Record([]story.Event{{At: r.At, Path: r.Plan.Recipe, Kind: r.Plan.Kind, What: "action", Owner: r.Plan.Name, Text: "you: " + r.Text}})
	if r.Outcome == actions.Done {
		a.followed = append(a.followed, opened{r.Plan, r.At})
	}
	a.follow()
	return a.nextQueued()
}

// follow looks whether what was applied has come to its end, and says so.
func (a *App) follow() {
	rest := a.followed[:0]
	for _, o := range a.followed {
		text, done := o.plan.Progress(a.shown.Live.Snapshot, o.at, a.shown.Now)
		if !done {
			rest = append(rest, o)
			continue
		}
		a.say(text, paint.Good)
		if o.plan.Verb != actions.VerbRevoke {
			continue // the result has said it
		}
		a.shown.Log.Record([]story.Event{{At: a.shown.Now, Path: o.plan.Recipe, Kind: o.plan.Kind, What: "followed", Owner: o.plan.Name, Text: "you: " + strings.TrimSpace(text)}})
	}
	a.followed = rest
}
