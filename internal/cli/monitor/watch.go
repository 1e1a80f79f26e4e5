package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/term"
)

// watchFlags are the flags of watch.
type watchFlags struct {
	until string
	last  time.Duration
	exec  string
}

// Watch prints what happens to one recipe, until something is so.
func Watch(c *command.Line) command.Subcommand {
	var f watchFlags
	return command.Subcommand{Use: "watch PATH [SERVERS]", GoesOn: true, Short: "print what happens to a recipe; wait until it is free, held by someone, empty, or led by another", Formats: []string{"table", "jsonl"},
		Long: "It prints a line for each thing that happens, with -o jsonl an event as {at, path, kind, what, claim, owner, session, held,\n" +
			"waited, seen}: held and waited are seconds, null where they are not known; seen is false for what happened while there was\n" +
			"no connection. --until ends it when nobody holds (free), somebody of that name or session does (held-by=NAME), another one\n" +
			"holds or leads than at first (leader-changes), or no claim is left (empty); what is so already ends it at once. It exits 1\n" +
			"where --for is over before that. --exec runs a command of the shell for each event, one after another, with the event in\n" +
			"ZKSCOPE_AT, ZKSCOPE_PATH, ZKSCOPE_KIND, ZKSCOPE_WHAT, ZKSCOPE_CLAIM, ZKSCOPE_OWNER, ZKSCOPE_SESSION, ZKSCOPE_HELD,\n" +
			"ZKSCOPE_WAITED, ZKSCOPE_SEEN and ZKSCOPE_TEXT; what --until waits for is the event \"met\". The command gets none of our\n" +
			"credentials, its output goes to standard error, and where it fails that is told and nothing else follows.",
		Example: "  zkscope watch /locks/orders zk1:2181 --until free --for 30s && ./migrate.sh\n" +
			"  zkscope watch /election zk1:2181 --exec 'logger \"$ZKSCOPE_TEXT\"'\n" +
			"  zkscope watch /locks/orders zk1:2181 -o jsonl --for 1h > events.jsonl",
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&f.until, "until", "", "end when this is so: free, held-by=NAME, leader-changes or empty")
			fs.DurationVar(&f.last, "for", 0, "end after this time, with exit code 1 where --until was not met; 0: only when interrupted")
			fs.StringVar(&f.exec, "exec", "", "run this with the shell for each event")
		},
		Run: func(ctx context.Context, in command.Invocation) error {
			for _, name := range []string{"until", "exec"} {
				if in.Cmd.Flags().Lookup(name).Value.String() == "" && in.Given(name) {
					return world.Fail(world.ExitUsage, "--%s is empty: is a variable unset?", name)
				}
			}
			if f.last < 0 {
				return world.Fail(world.ExitUsage, "--for takes a time above zero, as 30s")
			}
			goal, err := goalOf(f.until)
			if err != nil {
				return err
			}
			if c.Flags.From != "" {
				return world.Fail(world.ExitUsage, "watch follows servers: of a file, zkscope history tells what happened")
			}
			t, err := c.Target(in.Args, true)
			if err != nil {
				return err
			}
			return watchOn(ctx, c, t, f, goal)
		}}
}

// errMet ends the following: what was waited for is so.
var errMet = errors.New("met")

func watchOn(ctx context.Context, c *command.Line, t command.Target, f watchFlags, g *goal) error {
	conn, err := c.Connection(t)
	if err != nil {
		return err
	}
	if err := look.Probe(ctx, c, conn, false); err != nil {
		return err
	}
	if f.last > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.last)
		defer cancel()
	}
	q := look.Query{Target: t, Root: c.Flags.Root}
	q.Ask(t.Path)
	src, err := live.Open(ctx, look.LiveConfig(c, conn, q), t.Name, true)
	if err != nil {
		return look.ConnectError(err)
	}
	defer src.Close()
	c.Err = world.Shared(c.Err) // commands write to it beside us
	w := &watching{Line: c, path: t.Path, goal: g, hooks: hooksOf(c, f.exec), outage: look.Outage{Meanwhile: "what happens now is told when it is back"}}
	err = src.Follow(ctx, c.Hints(), watchGap, w.take)
	w.hooks.end(errors.Is(err, errMet) || ctx.Err() == context.DeadlineExceeded)
	switch {
	case errors.Is(err, errMet):
		return nil
	case err != nil:
		return look.ConnectError(err)
	case g == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return world.Fail(world.ExitError, "%s was not %s within %s: %s", term.Safe(t.Path), g.text, f.last, w.standing())
	}
	return world.Fail(world.ExitError, "interrupted before %s was %s: %s", term.Safe(t.Path), g.text, w.standing())
}

// watchGap is how long changes are gathered before they are told.
const watchGap = 10 * time.Millisecond

// watching is a watch that is going on.
type watching struct {
	*command.Line
	path  string
	goal  *goal // nil: none
	hooks *hooks
	last  *model.Result // how it was last
	begun bool

	outage look.Outage
}

// take is told of every update.
func (w *watching) take(m live.Update) error {
	lost := !m.Result.Snapshot.LostSince.IsZero()
	if w.outage.Tell(w.Err, w.Now(), lost, m.Link.Cause); lost {
		return nil
	}
	r := m.Result.ByPath(w.path)
	if !w.begun {
		if err := w.begin(m, r); err != nil {
			return err
		}
	}
	w.last = m.Result
	for i := range m.Events {
		if e := &m.Events[i]; e.Path == w.path {
			if err := w.tell(e); err != nil {
				return err
			}
		}
	}
	if w.goal == nil {
		return nil
	}
	if n, why := m.Result.Snapshot.Known(w.path); n == nil && why != "" || r == nil && n != nil && m.Result.Snapshot.Unclear(w.path) != "" {
		return nil // it is not known how it stands
	}
	if c, met := w.goal.met(r); met {
		e := &story.Event{At: m.Result.Snapshot.TakenAt, Path: w.path, What: "met", Text: "it is " + w.goal.is}
		if r != nil {
			e.Kind = r.Kind
		}
		if c != nil {
			e.Claim, e.Owner, e.Session = c.ID(), c.Owner(), c.Session
			e.Text += ": " + say.Printable(c.Owner()) + " holds"
		}
		if err := w.tell(e); err != nil {
			return err
		}
		return errMet
	}
	return nil
}

// begin says how the recipe stands at first.
func (w *watching) begin(m live.Update, r *model.Model) error {
	w.begun = true
	w.last = m.Result
	if of, _, how := m.Result.RecipeAt(w.path); r == nil && how == model.ItsClaim {
		return world.Fail(world.ExitUsage, "%s is a claim of %s: watch that", term.Safe(w.path), term.Safe(of.Path))
	}
	n, why := m.Result.Snapshot.Known(w.path)
	if why == "" {
		why = m.Result.Snapshot.Unclear(w.path)
	}
	if r == nil && why != "" && (n == nil || m.Result.Snapshot.Unclear(w.path) != "") {
		return world.Fail(world.ExitError, "what stands at %s is not known: %s", term.Safe(w.path), why)
	}
	if w.goal != nil && r != nil && !r.Kind.Waits() && w.goal.text != "empty" {
		return world.Fail(world.ExitUsage, "nobody holds %s in turn: with --until it takes empty alone", r.Kind.OneOf())
	}
	if w.goal != nil {
		w.goal.first(r)
	}
	if w.Flags.Output == "table" {
		fmt.Fprintf(w.Out, "%s  %s: %s\n", clockOf(m.Result.Snapshot.TakenAt), term.Safe(w.path), w.standing())
	}
	return nil
}

func clockOf(t time.Time) string { return t.UTC().Format("15:04:05.000") }

// standing says how the recipe stood last.
func (w *watching) standing() string {
	if w.last == nil {
		return "it was not read in time"
	}
	if m := w.last.ByPath(w.path); m != nil {
		return term.Safe(m.Summary(w.last.Snapshot.TakenAt))
	}
	if w.last.Snapshot.At(w.path) == nil {
		return "it does not exist"
	}
	return "no recipe is seen there"
}

// EventReport is an event as it is printed.
type EventReport struct {
	At      string      `json:"at"`
	Path    string      `json:"path"`
	Kind    layout.Kind `json:"kind"`
	What    string      `json:"what"`
	Claim   *string     `json:"claim"`
	Owner   *string     `json:"owner"`
	Session *string     `json:"session"`
	Held    *float64    `json:"held"`   // seconds; null: not known, or it is not about that
	Waited  *float64    `json:"waited"` // seconds
	Seen    bool        `json:"seen"`   // false: it happened between from and at, while there was no connection
	From    *string     `json:"from,omitempty"`
	Text    string      `json:"text"`
}

func eventReportOf(e *story.Event) EventReport {
	out := EventReport{At: chronicle.Clock(e.At), Path: term.Safe(e.Path), Kind: e.Kind, What: e.What, Claim: world.TextOrNil(term.Safe(e.Claim.Path)), Owner: world.TextOrNil(term.Safe(e.Owner)),
		Held: secondsOrNil(e.Held), Waited: secondsOrNil(e.Waited), Seen: e.From.IsZero(), From: world.StampOrNil(e.From), Text: term.Safe(e.Text)}
	if e.Session != 0 {
		out.Session = world.TextOrNil(e.Session.String())
	}
	return out
}

func secondsOrNil(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	s := d.Seconds()
	return &s
}

// tell prints an event, and has the command run.
func (w *watching) tell(e *story.Event) error {
	rep := eventReportOf(e)
	w.hooks.add(rep)
	if w.Flags.Output == "jsonl" {
		enc := json.NewEncoder(w.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(rep)
	}
	at := clockOf(e.At)
	if !e.From.IsZero() {
		at = "between " + clockOf(e.From) + " and " + at + " (not seen)"
	}
	_, err := fmt.Fprintf(w.Out, "%s  %s\n", at, rep.Text)
	return err
}

// goal is what a watch waits for.
type goal struct {
	text  string // as in "was not free"
	is    string // as in "it is free"
	met   func(*model.Model) (*model.Claim, bool)
	first func(*model.Model) // is told how it stands at first
}

// goalOf reads --until.
func goalOf(text string) (*goal, error) {
	g := &goal{text: text, is: text, first: func(*model.Model) {}}
	what, name, named := strings.Cut(text, "=")
	switch {
	case text == "":
		return nil, nil
	case text == "free":
		g.met = func(m *model.Model) (*model.Claim, bool) {
			return nil, m == nil || holderOf(m, nil) == nil && m.State != model.Stuck
		}
	case text == "empty":
		g.met = func(m *model.Model) (*model.Claim, bool) { return nil, m == nil || len(m.Claims) == 0 }
	case text == "leader-changes":
		g.text, g.is = "held or led by another", "held or led by another"
		var was []model.ClaimID
		g.first = func(m *model.Model) {
			for i := range claimsOf(m) {
				if c := &m.Claims[i]; model.Holding(c.Role()) {
					was = append(was, c.ID())
				}
			}
		}
		g.met = func(m *model.Model) (*model.Claim, bool) {
			c := holderOf(m, func(c *model.Claim) bool {
				for _, id := range was {
					if c.Is(id) {
						return false
					}
				}
				return c.Reason != model.UnlessOld
			})
			return c, c != nil
		}
	case what == "held-by" && named && name != "":
		g.text, g.is = "held by "+say.Printable(name), "held by "+say.Printable(name)
		g.met = func(m *model.Model) (*model.Claim, bool) {
			c := holderOf(m, func(c *model.Claim) bool {
				return c.Reason != model.UnlessOld && (c.Owner() == name || c.Session != 0 && c.Session.String() == name)
			})
			return c, c != nil
		}
	default:
		return nil, world.Fail(world.ExitUsage, "--until %s: it takes free, held-by=NAME, leader-changes or empty", say.Printable(text))
	}
	return g, nil
}

func claimsOf(m *model.Model) []model.Claim {
	if m == nil {
		return nil
	}
	return m.Claims
}

// holderOf returns the first claim that holds, or leads, and is one of those that are wanted; nil: of all.
func holderOf(m *model.Model, wanted func(*model.Claim) bool) *model.Claim {
	for i := range claimsOf(m) {
		if c := &m.Claims[i]; model.Holding(c.Role()) && (wanted == nil || wanted(c)) {
			return c
		}
	}
	return nil
}
