package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Options are what a console is made of.
type Options struct {
	Source     Source
	Operator   Operator
	Recipes    []panel.Recipe // in the order of the list
	Hints      model.Hints
	Theme      paint.Theme
	Keys       keys.Map         // Optional; default DefaultKeys
	Location   *time.Location   // Optional; default local
	Production string           // Optional; the name of a profile that is one: it is shown, and typed to arm
	NeedReason bool             // a plan is confirmed only with a reason
	Armed      bool             // start armed, without an end: for a stage of our own
	Clock      func() time.Time // Optional; default time.Now: for keys, never for ages

	Audit    func() ([]actions.Record, error) // Optional; reads the audit log
	Log      func() []string                  // Optional; the connection's last words, oldest first
	Terminal io.Writer                        // Optional; where bells and clipboard sequences go
	Tmux     bool                             // the terminal is tmux
	Joiner   Joiner                           // Optional; takes part in recipes
	Me       string                           // who we are in recipes
	Caption  string                           // Optional; what to look at, in the bottom row while nothing else is
	SaveDir  string                           // Optional; where snapshots are written; default the working directory
	Mouse    bool                             // take the mouse from the start; it can be taken and left at any time
	Stays    string                           // Optional; why the console cannot be suspended
	Hint     string                           // Optional; shown once in the bottom row, for who is new
}

// App is the console as a Bubble Tea model. It is the only one: panes are plain data with functions that
// draw them.
type App struct {
	opts   Options
	ctx    context.Context
	cancel context.CancelFunc
	theme  paint.Theme
	keys   keys.Map
	size   paint.Layout
	panels map[layout.Kind]panel.Recipe

	res, live *model.Result // what is shown, and the newest; they differ while paused
	waits     *waits.Waits  // of what is shown
	liveWaits *waits.Waits
	states    []waits.ServerState
	overtakes []overtake // oldest first
	link      Link
	now       time.Time
	rate      float64 // requests per second over the last ticks
	last      clockMsg

	stack   layer.Stack
	host    layer.Host
	palette *layer.Palette // it remembers what was run
	focus   focus
	list    list
	claims  claims
	filter  widget.Filter
	order   order
	reverse bool
	log     eventLog
	heard   int // how many events of the link were taken
	past    history
	census  census
	lowered map[rowID]time.Time // findings that needed attention and are only worth knowing now, and since when
	mouse   bool                // it is taken

	views   []*view
	returns []*page // to show again when the recipe is left that was opened from there
	hints   int     // how often the hints have changed

	places    []Place // taken from here, oldest first
	answered  map[Place]bool
	audit     []actions.Record
	auditErr  error
	watched   map[string]watched
	marks     []mark
	queue     []mark // marked claims whose plans are still to come
	queued    int
	queueVerb actions.Verb
	reason    string // of the last plan that was confirmed

	paused   bool
	pausedAt time.Time
	behind   int

	armed      bool
	armedUntil time.Time // zero: no end
	applying   *errand   // the plan that is being carried out; nil: none
	followed   []opened
	message    message
	wholeAt    time.Time // when the first whole picture was there
	shiftedAt  time.Time // when the selection last moved by itself, by the keyboard's clock
}

// errand is a confirmed plan whose outcome is not known yet. It can be called off until it is sent.
type errand struct {
	plan   actions.Plan
	since  time.Time
	cancel context.CancelCauseFunc
}

// opened is an applied plan that is followed until nothing more is to come of it.
type opened struct {
	plan actions.Plan
	at   time.Time
}

// overtake is a claim that was served before others that had waited longer, as it was seen.
type overtake struct {
	at         time.Time
	path, text string
}

// maxOvertakes is how many are kept.
const maxOvertakes = 50

func (a *App) noteOvertakes() {
	for _, o := range a.liveWaits.Overtakes {
		a.overtakes = append(a.overtakes, overtake{a.now, o.Model.Path, o.String()})
	}
	a.overtakes = a.overtakes[max(0, len(a.overtakes)-maxOvertakes):]
}

type message struct {
	text  string
	style paint.Style
	until time.Time
}

// armFor is how long arming lasts.
const armFor = 10 * time.Minute

// New makes a console. It ends its commands when ctx does or when it quits.
func New(ctx context.Context, o Options) *App {
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if len(o.Keys.Quit.Keys()) == 0 {
		o.Keys = keys.Default()
	}
	if o.Production != "" {
		o.Theme.Border = paint.Alert
	}
	a := &App{opts: o, theme: o.Theme, keys: o.Keys, armed: o.Armed, mouse: o.Mouse, panels: map[layout.Kind]panel.Recipe{}, views: views(), list: newList(), claims: newClaims()}
	a.ctx, a.cancel = context.WithCancel(ctx)
	a.host = layer.Host{Theme: &a.theme, Keys: &a.keys, Clock: o.Clock, Say: a.say, Told: a.told, Quit: a.quit,
		Size: func() (int, int) { return a.size.W, a.size.H }}
	a.palette = &layer.Palette{Commands: a.commands, Paths: a.recipePaths}
	for _, r := range o.Recipes {
		a.panels[r.Kind] = r
	}
	first := takeView(o.Source, o.Hints, past(o.Source, o.Hints))
	a.res, a.live, a.link, a.now = first.res, first.res, first.link, first.now
	a.waits, a.liveWaits, a.states = first.waits, first.waits, first.states
	a.last = clockMsg{first.link, first.now}
	a.hear(first.link)
	a.past.note(first.res.Models, first.now)
	a.refill()
	a.settleSelection()
	if o.Hint != "" {
		a.say(o.Hint, paint.Accent)
		a.message.until = a.now.Add(time.Minute)
	}
	return a
}

// Init starts the two commands that keep the console going.
func (a *App) Init() tea.Cmd {
	if a.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, a.await(), tick(a.ctx, a.opts.Source))
	}
	return tea.Batch(a.await(), tick(a.ctx, a.opts.Source))
}

func (a *App) await() tea.Cmd {
	return awaitView(a.ctx, a.opts.Source, a.opts.Hints, a.liveWaits, a.hints, time.Now().Add(frameGap))
}

// Update takes a message. Each family of messages has its handler.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return a, a.onKey(msg)
	case tea.MouseMsg:
		return a, a.onMouse(msg)
	case tea.ResumeMsg:
		return a, a.resumed()
	case tea.WindowSizeMsg:
		a.size = paint.Arrange(msg.Width, msg.Height)
	case viewMsg:
		defer a.noteShift(a.aim())
		return a, a.onView(msg)
	case clockMsg:
		defer a.noteShift(a.aim())
		a.onClock(msg)
		return a, tick(a.ctx, a.opts.Source)
	case resultMsg:
		return a, a.onResult(msg.Result)
	case plannedMsg:
		return a, a.onPlanned(msg)
	case rightsMsg:
		a.onRights(msg)
	case playedMsg:
		return a, a.onPlayed(msg)
	case placeMsg:
		return a, a.onPlace(msg)
	case auditMsg:
		a.onAudit(msg)
	case savedMsg:
		a.onSaved(msg)
	}
	return a, nil
}

func (a *App) onView(m viewMsg) tea.Cmd {
	if m.gen != a.hints || m.base != nil && m.base != a.liveWaits { // the hints, or what it follows, are no longer those of now
		return a.redecode(m.aside)
	}
	if !m.jump {
		m.events = append(m.events, story.Alarms(a.live, m.res)...)
	}
	a.live, a.liveWaits, a.link, a.now, a.states = m.res, m.waits, m.link, m.now, m.states
	a.noteOvertakes()
	a.hear(m.link)
	a.log.record(m.events)
	a.past.note(m.res.Models, m.now)
	a.settleSelection()
	if a.paused {
		a.behind += max(1, len(m.events))
	} else {
		a.advance(m)
	}
	a.follow()
	if !a.live.Snapshot.LostSince.IsZero() {
		a.callOff("the connection was lost")
	}
	if d := top[*planBox](a); d != nil {
		d.check(a.live.Snapshot)
	}
	renewed := a.renew()
	a.dropMarks()
	a.askedToLetGo()
	rung := a.notice()
	if m.aside {
		return tea.Batch(renewed, rung)
	}
	return tea.Batch(a.await(), renewed, rung)
}

func (a *App) onClock(m clockMsg) {
	if d := m.now.Sub(a.last.now).Seconds(); d > 0.5 && m.link.Requests >= a.last.link.Requests {
		now := float64(m.link.Requests-a.last.link.Requests) / d
		a.rate = 0.5*a.rate + 0.5*now
		if a.rate < 0.05 {
			a.rate = 0
		}
		a.last = m
	}
	a.link, a.now = m.link, m.now
	a.settleSelection()
	a.hear(m.link)
	if p := a.page(); p != nil && !a.paused {
		p.refill()
	}
	if !a.paused {
		a.fade()
	}
	if a.armed && !a.armedUntil.IsZero() && !a.now.Before(a.armedUntil) {
		a.armed = false
		a.callOff("disarmed")
		a.say("disarmed: the time is over", paint.Warn)
	}
	a.follow()
}

// refill makes the rows of the shown picture; selections stay with what they were on.
func (a *App) refill() {
	if sel := a.list.Selected(); sel.urgent() && a.isLow(sel) {
		a.lower(sel, a.asOf())
	}
	a.showRows(a.rows())
}

// rows are those of the shown picture.
func (a *App) rows() []row {
	return buildRows(a.res, a.recipes(), &a.filter, a.order, a.reverse, a.lowered)
}

func (a *App) showRows(rows []row) {
	a.fillList(rows)
	a.refresh()
}

// refresh brings up to date what is shown beside the list.
func (a *App) refresh() {
	a.showClaims()
	if p := a.page(); p != nil {
		p.refill()
	}
}

// recipes are the kinds in the order of the list, with a generic row for those that have none.
func (a *App) recipes() []panel.Recipe {
	out := a.opts.Recipes
	seen := map[layout.Kind]bool{}
	for m := range a.res.Models.All() {
		if _, known := a.panels[m.Kind]; !known && !seen[m.Kind] {
			seen[m.Kind] = true
			out = append(out[:len(out):len(out)], panel.Generic(m.Kind))
		}
	}
	return out
}

func (a *App) panel(k layout.Kind) panel.Panel {
	if r, ok := a.panels[k]; ok {
		return r.Panel
	}
	return panel.Generic(k).Panel
}

// asOf is the moment that ages are counted to: now, unless the picture is of an earlier one.
func (a *App) asOf() time.Time {
	at := a.now
	if a.paused {
		at = a.pausedAt
	}
	if lost := a.res.Snapshot.LostSince; !lost.IsZero() && lost.Before(at) {
		at = lost
	}
	return at
}

// say shows a message for a while.
func (a *App) say(text string, s paint.Style) {
	a.message = message{text, s, a.now.Add(8 * time.Second)}
}

// Close ends the console's commands. It may be called more than once.
func (a *App) Close() { a.cancel() }
