package act

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// errand is a confirmed plan whose outcome is not known yet. It can be called off until it is sent.
type errand struct {
	Plan   actions.Plan
	Since  time.Time
	cancel context.CancelCauseFunc
}

// opened is an applied plan that is followed until nothing more is to come of it.
type opened struct {
	Plan  actions.Plan
	At    time.Time
	OfRun bool // of several, whose results are summed up
}

// armFor is how long arming lasts.
const armFor = 10 * time.Minute

// Hand is the hand of the operator: what is offered to be done, planned, confirmed and carried out, and the places taken in
// recipes.
type Hand struct {
	ctx    context.Context
	Means  Means
	shown  *view.Shown
	stack  *layer.Stack
	host   *layer.Host
	screen Screen

	Armed      bool
	ArmedUntil time.Time // zero: no end
	Applying   *errand   // the plan that is being carried out; nil: none
	Followed   []opened
	Marks      []mark
	queue      []mark // marked claims whose plans are still to come
	queued     int
	queueVerb  actions.Verb
	run        *run   // several plans that are being carried out; nil: none
	reason     string // of the last plan that was confirmed

	answered map[backend.Place]bool      // who was asked to let go of them
	probes   map[backend.Place]time.Time // places that are left the moment they are granted, and when they were taken
}

// Means is what a hand acts with.
type Means struct {
	Operator   backend.Operator
	Joiner     backend.Joiner // Optional; takes part in recipes
	Me         string         // who we are in recipes
	Production string         // Optional; the name of a profile that is one: it is typed to arm
	NeedReason bool           // a plan is confirmed only with a reason
}

// Screen is what a hand asks of the screen.
type Screen struct {
	Picked   func() []Stake // all that the selected line names, and only that
	Subjects func() []Stake // the same, with the first claim where it names none
	Precise  func() bool    // one claim was chosen, not its recipe
	MoveOn   func()         // selects the next line
	Show     func(view, arg string)
	Refresh  func()                        // a place may stand otherwise
	Own      func(znode.SessionID) tea.Cmd // a session is ours
}

// New makes a hand that acts on what is shown, and asks in layers on a stack.
func New(ctx context.Context, o Means, shown *view.Shown, stack *layer.Stack, host *layer.Host, s Screen) Hand {
	return Hand{ctx: ctx, Means: o, shown: shown, stack: stack, host: host, screen: s}
}

// OnPicture looks what a newer picture means for what is asked, marked and followed.
func (h *Hand) OnPicture() tea.Cmd {
	h.follow()
	if !h.shown.Live.Snapshot.LostSince.IsZero() {
		h.CallOff("the connection was lost")
	}
	if d := layer.Top[*PlanBox](h.stack); d != nil {
		d.check(h.shown.Live.Snapshot)
	}
	if d := layer.Top[*ManyBox](h.stack); d != nil && !h.shown.Live.Snapshot.LostSince.IsZero() {
		d.Spoil("the connection is lost: close this and look again")
	}
	renewed := h.renew()
	h.dropMarks()
	h.askedToLetGo()
	return renewed
}

// OnClock disarms when the time is over.
func (h *Hand) OnClock() {
	if h.Armed && !h.ArmedUntil.IsZero() && !h.shown.Now.Before(h.ArmedUntil) {
		h.Armed = false
		h.CallOff("disarmed")
		h.host.Say("disarmed: the time is over", paint.Warn)
	}
	h.follow()
}

// Away drops what was asked, and disarms; it reports whether it was armed for a time.
func (h *Hand) Away() bool {
	was := h.Armed && !h.ArmedUntil.IsZero()
	h.Armed, h.queue = h.Armed && !was, nil
	return was
}

// Ask opens a dialog.
func (h *Hand) Ask(d *layer.Dialog) {
	d.Closed = h.dropQueue
	h.stack.Open(h.host, d)
}

// RightsMsg says which right a plan lacks.
type RightsMsg struct {
	target actions.Target
	lacks  string // empty: none, or not known
	err    error
}

// ResultMsg says how applying a plan ended.
type ResultMsg struct{ actions.Result }

// apply carries out a plan.
func apply(ctx context.Context, op backend.Operator, p actions.Plan) tea.Cmd {
	return func() tea.Msg { return ResultMsg{op.Apply(ctx, p)} }
}

// CanRevoke reports whether a claim holds and listens for a word, as far as is known.
func CanRevoke(c *model.Claim) bool {
	hears := c.Hears() == model.HearsLikely || c.Hears() == model.HearsProven
	return chart.HoldsRole(c.Role()) && !c.Revoked && c.Revocable() != "" && hears
}

// Unvoted are the sites of a transaction whose votes are missing.
func Unvoted(m *model.Model) (sites []string) {
	for i := range m.Claims {
		if c := &m.Claims[i]; !voted(c) {
			sites = append(sites, c.Node())
		}
	}
	return sites
}

// Engaged says what would be lost if the ensemble were left now; empty: nothing would.
func (h *Hand) Engaged() string {
	if p := h.Standing(); p != nil {
		return "your place in " + term.Safe(p.Want().Path) + " would be lost; leave it first"
	}
	if e := h.Applying; e != nil {
		return e.Plan.Title + " is still being carried out"
	}
	return ""
}

// Standing is the first place that is still taken, or nil.
func (h *Hand) Standing() backend.Place {
	for _, p := range h.shown.Places {
		if !p.State().Phase.Over() {
			return p
		}
	}
	return nil
}
