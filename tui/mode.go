package tui

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// mode decides who takes the keys.
type mode uint8

const (
	browsing  mode = iota
	filtering      // the filter is typed
	helping        // the keys are shown
	asking         // a dialog is open
)

// focus is the pane that the movement keys move in.
type focus uint8

const (
	onList focus = iota
	onClaims
)

// onKey gives a key to the current mode. Two quick ESC arrive as one alt+esc and count as two. Over a slow
// line several keys arrive as one message: they are taken one by one, but those behind one that opened a
// dialog are dropped, because they were not meant for it. A paste is text, never keys: where no text is asked
// for it is dropped as well.
func (a *App) onKey(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste && (a.mode == browsing || a.mode == helping) {
		a.say("a paste is not taken as keys", Warn)
		return nil
	}
	for len(msg.Runes) > 1 && !msg.Paste && !msg.Alt && a.mode != filtering && a.mode != asking {
		one := msg
		one.Runes, msg.Runes = msg.Runes[:1], msg.Runes[1:]
		if cmd := a.onKey(one); cmd != nil || a.mode == asking {
			return cmd
		}
	}
	if key.Matches(msg, a.keys.Abort) {
		return a.quit()
	}
	if msg.Type == tea.KeyEsc && msg.Alt {
		msg.Alt = false
		a.onKey(msg)
	}
	switch a.mode {
	case filtering:
		a.filterKey(msg)
		return nil
	case helping:
		return a.helpKey(msg)
	case asking:
		return a.dialogKey(msg)
	}
	return a.browseKey(msg)
}

func (a *App) quit() tea.Cmd {
	a.Close()
	return tea.Quit
}

func (a *App) browseKey(msg tea.KeyMsg) tea.Cmd {
	k := a.keys
	a.message = message{} // read or not, it was about an earlier key
	switch {
	case key.Matches(msg, k.Quit):
		return a.quit()
	case key.Matches(msg, k.Redraw):
		return tea.ClearScreen
	case key.Matches(msg, k.Filter):
		a.mode, a.focus = filtering, onList
	case key.Matches(msg, k.Help):
		a.mode, a.help = helping, 0
	case key.Matches(msg, k.Pause):
		a.togglePause()
	case key.Matches(msg, k.Arm):
		a.toggleArm()
	case key.Matches(msg, k.Revoke):
		a.offer(actions.VerbRevoke)
	case key.Matches(msg, k.Break):
		a.offer(actions.VerbBreak)
	case key.Matches(msg, k.Restore):
		a.offer(actions.VerbRestore)
	default:
		a.moveKey(msg)
	}
	return nil
}

func (a *App) moveKey(msg tea.KeyMsg) {
	k := a.keys
	page := max(1, a.size.List.H/2)
	if a.focus == onClaims {
		page = max(1, a.size.Panel.H/2)
	}
	switch {
	case key.Matches(msg, k.Open):
		if m := a.model(); m != nil {
			a.focus = onClaims
		}
	case key.Matches(msg, k.Back):
		a.back()
	case key.Matches(msg, k.Next):
		if a.focus = onClaims - a.focus; a.model() == nil {
			a.focus = onList
		}
	case key.Matches(msg, k.Up):
		a.move(-1)
	case key.Matches(msg, k.Down):
		a.move(1)
	case key.Matches(msg, k.PageUp):
		a.move(-page)
	case key.Matches(msg, k.PageDown):
		a.move(page)
	case key.Matches(msg, k.Top):
		a.move(-1 << 30)
	case key.Matches(msg, k.Bottom):
		a.move(1 << 30)
	}
}

// back leaves the claims, then the filter; it never quits.
func (a *App) back() {
	switch {
	case a.focus == onClaims:
		a.focus = onList
	case a.filter != "":
		a.filter = ""
		a.refill()
	}
}

func (a *App) move(n int) {
	if a.focus == onClaims {
		if m := a.model(); m != nil {
			a.claims.move(m, n)
		}
		return
	}
	a.list.move(n)
	a.claims.show(a.model())
}

func (a *App) filterKey(msg tea.KeyMsg) {
	switch msg.Type {
	case tea.KeyEnter:
		a.mode = browsing
		a.list.first()
		if a.claims.show(a.model()); a.size.Single && a.model() != nil {
			a.focus = onClaims
		}
		return
	case tea.KeyEsc:
		a.mode, a.filter = browsing, ""
	case tea.KeyBackspace:
		if r := []rune(a.filter); len(r) > 0 {
			a.filter = string(r[:len(r)-1])
		}
	case tea.KeyCtrlU:
		a.filter = ""
	case tea.KeyRunes, tea.KeySpace:
		if len(a.filter) < 200 {
			a.filter += term.Safe(string(msg.Runes))
		}
	}
	a.refill()
}

func (a *App) helpKey(msg tea.KeyMsg) tea.Cmd {
	k := a.keys
	switch {
	case key.Matches(msg, k.Down), key.Matches(msg, k.PageDown):
		a.help++
	case key.Matches(msg, k.Up), key.Matches(msg, k.PageUp):
		a.help = max(0, a.help-1)
	case key.Matches(msg, k.Quit):
		return a.quit()
	case key.Matches(msg, k.Help), msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		a.mode = browsing
	}
	return nil
}

func (a *App) dialogKey(msg tea.KeyMsg) tea.Cmd {
	d := a.dialog
	switch d.press(msg, a.keys, a.opts.Clock()) {
	case closed:
		a.mode, a.dialog = browsing, nil
	case confirmed:
		a.mode, a.dialog = browsing, nil
		return d.then(a)
	}
	return nil
}

func (a *App) ask(d *dialog) {
	d.open(a.opts.Clock())
	a.mode, a.dialog = asking, d
}

func (a *App) togglePause() {
	a.paused, a.pausedAt = !a.paused, a.now
	if !a.paused {
		a.res, a.behind = a.live, 0
		a.refill()
	}
}

// toggleArm asks before keys may change the ensemble, and disarms without asking.
func (a *App) toggleArm() {
	if a.armed {
		a.armed = false
		a.callOff("disarmed")
		a.say("disarmed", Plain)
		return
	}
	if why := a.opts.Operator.Forbidden(); why != "" {
		a.say("cannot arm: "+why, Warn)
		return
	}
	d := &dialog{title: "arm the console on " + term.Safe(a.link.Ensemble), do: "arm", then: (*App).arm}
	d.add("then", "revoke and break act on this ensemble, each after a plan that you confirm", Plain)
	d.add("until", "ten minutes are over, W is pressed again, or the console ends", Plain)
	a.ask(d)
}

func (a *App) arm() tea.Cmd {
	a.armed, a.armedUntil = true, a.now.Add(armFor)
	a.say("armed on "+term.Safe(a.link.Ensemble), Armed)
	return nil
}

// offer opens the plan of a verb for what is selected, or says why there is none.
func (a *App) offer(v actions.Verb) {
	m, c := a.model(), a.claim()
	if m == nil || c == nil {
		a.say("nothing is selected that could be acted on", Warn)
		return
	}
	if a.paused {
		a.say("paused: go on with "+a.keys.Pause.Help().Key+" before acting on a picture of the past", Warn)
		return
	}
	o, ok := actions.Find(a.opts.Operator.Offers(a.res, m, c, a.now), v)
	switch {
	case !ok:
		a.say("there is nothing to "+string(v)+" here", Warn)
	case o.Disabled != "":
		d := &dialog{title: "cannot " + string(v) + ": " + term.Safe(c.Owner)}
		d.add("why", o.Disabled, Warn)
		a.ask(d)
	default:
		d := planDialog(o.Plan, a.armed, a.cannotAct())
		d.then = func(a *App) tea.Cmd { return a.carryOut(o.Plan) }
		a.ask(d)
	}
}

// cannotAct says what has to be done before a plan can be confirmed.
func (a *App) cannotAct() string {
	if why := a.opts.Operator.Forbidden(); why != "" {
		return "this is only a preview: " + why
	}
	return "this is only a preview: the console is disarmed; close this and press " + a.keys.Arm.Help().Key + " to arm it"
}

func (a *App) carryOut(p actions.Plan) tea.Cmd {
	if !a.armed {
		a.say("disarmed meanwhile: nothing was done", Warn)
		return nil
	}
	if a.applying != nil {
		a.say("wait: "+a.applying.plan.Title+" is still being carried out", Warn)
		return nil
	}
	ctx, cancel := context.WithCancelCause(a.ctx)
	a.applying = &errand{p, a.now, cancel}
	return apply(ctx, a.opts.Operator, p)
}

// callOff cancels what is confirmed and not sent yet.
func (a *App) callOff(why string) {
	if a.applying != nil {
		a.applying.cancel(errors.New(why))
	}
}

// onResult records how an action ended, and follows it when more is to come of it.
func (a *App) onResult(r actions.Result) {
	if a.applying != nil {
		a.applying.cancel(nil)
		a.applying = nil
	}
	a.message = message{}
	if r.Outcome != actions.Done {
		a.say(term.Safe(r.Text), Alert)
	}
	a.record([]inspect.Event{{At: r.At, Path: r.Plan.Recipe, Kind: r.Plan.Kind, What: "action", Owner: r.Plan.Name, Text: "you: " + r.Text}})
	if r.Outcome == actions.Done {
		a.open = append(a.open, opened{r.Plan, r.At})
	}
	a.follow()
}

// follow looks whether what was applied has come to its end, and says so.
func (a *App) follow() {
	rest := a.open[:0]
	for _, o := range a.open {
		text, done := o.plan.Progress(a.live.Snapshot, o.at, a.now)
		if !done {
			rest = append(rest, o)
			continue
		}
		a.say(text, Good)
		if o.plan.Verb != actions.VerbRevoke {
			continue // the result has said it
		}
		a.record([]inspect.Event{{At: a.now, Path: o.plan.Recipe, Kind: o.plan.Kind, What: "followed", Owner: o.plan.Name, Text: "you: " + strings.TrimSpace(text)}})
	}
	a.open = rest
}
