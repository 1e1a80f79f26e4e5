package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/view"
)

// Options are what a console is made of.
type Options struct {
	Source     backend.Source
	Operator   backend.Operator
	Recipes    []panel.Recipe // in the order of the list
	Hints      model.Hints
	Theme      paint.Theme
	Keys       keys.Map         // Optional; default keys.Default
	Location   *time.Location   // Optional; default local
	Name       string           // Optional; the name of the profile: it stands for the ensemble in the first row
	Production string           // Optional; the name of a profile that is one: it is shown, and typed to arm
	NeedReason bool             // a plan is confirmed only with a reason
	Armed      bool             // start armed, without an end: for a stage of our own
	Clock      func() time.Time // Optional; default time.Now: for keys, never for ages

	Audit    func() ([]actions.Record, error) // Optional; reads the audit log
	Seen     func([]story.Event)              // Optional; hears of what happens, at once and in order; it must not wait
	Log      func() []string                  // Optional; the connection's last words, oldest first
	Terminal io.Writer                        // Optional; where bells and clipboard sequences go
	Tmux     bool                             // the terminal is tmux
	Joiner   backend.Joiner                   // Optional; takes part in recipes
	Fleet    backend.Fleet                    // Optional; the ensembles that can be changed to
	Me       string                           // who we are in recipes
	Caption  string                           // Optional; what to look at, in the bottom row while nothing else is
	SaveDir  string                           // Optional; where snapshots are written; default the working directory
	Mouse    bool                             // take the mouse from the start; it can be taken and left at any time
	Stays    string                           // Optional; why the console cannot be suspended
	Owns     []Own                            // Optional; commands of the user's own on keys that do nothing else
	Hint     string                           // Optional; shown once in the bottom row, for who is new
}

// App is the console as a Bubble Tea model. It is the only one: panes are plain data with functions that
// draw them.
type App struct {
	shown view.Shown // the picture, and what else there is to see
	desk  desk.Desk
	hand  act.Hand

	opts   Options
	ctx    context.Context
	cancel context.CancelFunc

	stack   layer.Stack
	host    layer.Host
	returns []*view.Page   // to show again when the recipe is left that was opened from there
	palette *layer.Palette // it remembers what was run
	message message
	watched map[string]watched
	deeds   []deed
	deck    deck    // of a recording
	running string  // the own command that runs; empty: none
	output  *ownMsg // what the last one printed
	hints   int     // how often the hints have changed
	mouse   bool    // it is taken
	change  *change // to another ensemble; nil: none is under way
	next    backend.Prepared
}

type message struct {
	text  string
	style paint.Style
	until time.Time
}

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
	a := &App{opts: o, mouse: o.Mouse, watched: map[string]watched{}, deck: newDeck()}
	a.shown = view.Shown{Theme: o.Theme, Keys: o.Keys, Location: o.Location, Kinds: o.Recipes, Audited: o.Audit != nil, Logged: o.Log, Fleet: o.Fleet}
	if r, ok := o.Source.(backend.Reader); ok {
		a.shown.Fetch = r.Read
	}
	a.ctx, a.cancel = context.WithCancel(ctx)
	a.host = layer.Host{Theme: &a.shown.Theme, Keys: &a.shown.Keys, Clock: o.Clock, Say: a.say, Told: a.told, Quit: a.quit,
		Size: func() (int, int) { return a.shown.Size.W, a.shown.Size.H }}
	a.desk = desk.New(desk.Around{Shown: &a.shown, Hand: &a.hand, Page: a.page, Say: a.say, Clock: o.Clock,
		Pages: func() []*view.Page { return append(a.pages(), a.returns...) },
		Rings: func(path string) bool { _, on := a.watched[path]; return on }})
	means := act.Means{Operator: o.Operator, Joiner: o.Joiner, Me: o.Me, Production: o.Production, NeedReason: o.NeedReason}
	a.hand = act.New(a.ctx, means, &a.shown, &a.stack, &a.host, act.Screen{Picked: a.desk.Picked, Subjects: a.desk.Subjects,
		Precise: a.desk.Precise, MoveOn: func() { a.move(1) }, Show: a.show, Refresh: a.desk.RefreshPage, Own: a.own})
	a.hand.Armed, a.deeds = o.Armed, append(a.bind(), a.owns()...)
	a.palette = &layer.Palette{Commands: a.commands, Paths: a.recipePaths}
	a.shown.Begin(picture.Take(o.Source, o.Hints, picture.Past(o.Source, o.Hints)))
	a.desk.Refill()
	a.desk.SettleSelection()
	if o.Hint != "" {
		a.say(o.Hint, paint.Accent)
		a.message.until = a.shown.Now.Add(time.Minute)
	}
	return a
}

// Init starts the two commands that keep the console going.
func (a *App) Init() tea.Cmd {
	if a.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, a.await(), picture.NextTick(a.ctx, a.opts.Source))
	}
	return tea.Batch(a.await(), picture.NextTick(a.ctx, a.opts.Source))
}

func (a *App) await() tea.Cmd {
	return picture.Await(a.ctx, a.opts.Source, a.opts.Hints, a.shown.LiveWaits, a.hints, time.Now().Add(picture.FrameGap))
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
		a.shown.Size = paint.Arrange(msg.Width, msg.Height)
	case picture.Next:
		defer a.desk.NoteShift(a.desk.Aim())
		return a, a.onView(msg)
	case picture.Tick:
		defer a.desk.NoteShift(a.desk.Aim())
		a.onClock(msg)
		return a, picture.NextTick(a.ctx, a.opts.Source)
	case act.ResultMsg:
		return a, a.hand.OnResult(msg.Result)
	case act.PlannedMsg:
		return a, a.hand.OnPlanned(msg)
	case act.ManyPlannedMsg:
		return a, a.hand.OnManyPlanned(msg)
	case act.ManyRightsMsg:
		a.hand.OnManyRights(msg)
	case act.RightsMsg:
		a.hand.OnRights(msg)
	case playedMsg:
		return a, a.onPlayed(msg)
	case act.PlaceMsg:
		return a, a.hand.OnPlace(msg)
	case storyMsg:
		a.onStory(msg)
	case ownMsg:
		a.onOwn(msg)
	case auditMsg:
		a.onAudit(msg)
	case savedMsg:
		a.onSaved(msg)
	case readyMsg:
		return a, a.onReady(msg)
	}
	return a, nil
}

func (a *App) onView(m picture.Next) tea.Cmd {
	if m.Gen != a.hints || m.Base != nil && m.Base != a.shown.LiveWaits { // the hints, or what it follows, are no longer those of now
		return a.redecode(m.Aside)
	}
	if !m.Jump {
		m.Events = append(m.Events, story.Alarms(a.shown.Live, m.Result)...)
	}
	if a.opts.Seen != nil && !m.Jump {
		a.opts.Seen(m.Events)
	}
	a.shown.OnNext(m)
	a.desk.SettleSelection()
	if a.shown.Paused {
		a.shown.Behind += max(1, len(m.Events))
	} else {
		a.desk.Advance(m)
	}
	renewed := a.hand.OnPicture()
	rung := a.notice()
	if m.Aside {
		return tea.Batch(renewed, rung)
	}
	return tea.Batch(a.await(), renewed, rung)
}

func (a *App) onClock(m picture.Tick) {
	a.shown.OnTick(m)
	a.desk.SettleSelection()
	if p := a.page(); p != nil && (!a.shown.Paused || p.View.Name == view.Profiles) { // other ensembles are no part of what is held
		a.askFleet()
		p.Refill()
	}
	if !a.shown.Paused {
		a.desk.Fade()
	}
	a.hand.OnClock()
}

// say shows a message for a while.
func (a *App) say(text string, s paint.Style) {
	a.message = message{text, s, a.shown.Now.Add(layer.Told)}
}

// Close ends the console's commands. It may be called more than once.
func (a *App) Close() { a.cancel() }
