package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
)

// pathUse says whether a command takes a path.
type pathUse int

const (
	noPath pathUse = iota
	mayPath
	mustPath
)

// reader is a subcommand that reads servers or a file, and prints what is there.
type reader struct {
	command.Subcommand     // without run
	own                int // how many arguments stand before the path and the servers
	path               pathUse
	known              bool                               // it shows clients' addresses: with their names, where the configuration has any
	lists              bool                               // it lists recipes: those that are hidden are left out
	check              func() error                       // its own flags, before anything else. Optional
	aim                func(q *query, own []string) error // says more exactly what is to be read. Optional
	print              func(ctx context.Context, r *reading) error
	failed             func(error) error // says that nothing could be read, in its own way. Optional
}

// query is what a command wants to read.
type query struct {
	command.Target
	root    string
	asked   []string   // paths that are read whatever the limits
	limited string     // a file of limits. Optional
	known   bool       // it shows clients' addresses: with their names
	names   live.Names // of hosts. Optional
	limits  bool       // also ask for what seldom changes
	patient bool       // look for as long as it takes to see whether a deadlock stands still
}

// ask wants a path read by name, whatever the limits. One that lies outside the root moves the root.
func (q *query) ask(path string) {
	if _, inside := znode.Relative(q.root, path); !inside {
		q.root = layout.Around(path)
	}
	q.asked = []string{path}
}

// reading is what a command has read, and what it prints it by.
type reading struct {
	*command.Line
	*live.Seen
	query  query
	hidden int      // how many recipes are left out
	own    []string // the command's arguments before the path and the servers
}

// reads makes a subcommand of a reader.
func reads(c *command.Line, r reader) command.Subcommand {
	r.Subcommand.Run = func(ctx context.Context, in command.Invocation) error {
		if r.check != nil {
			if err := r.check(); err != nil {
				return err
			}
		}
		own, rest := in.Args[:r.own], in.Args[r.own:]
		t, err := c.Target(rest, r.path == mustPath || r.path == mayPath && command.HasPath(rest))
		if err != nil {
			return err
		}
		q := query{Target: t, root: c.Flags.Root, known: r.known}
		if r.aim != nil {
			if err := r.aim(&q, own); err != nil {
				return err
			}
		}
		terms, err := weighs(c, q, r.lists)
		if err != nil {
			return err
		}
		if c.Flags.From == "" {
			defer collectLate(lateMost)()
		}
		seen, err := read(ctx, c, q)
		if err != nil && r.failed != nil {
			return r.failed(err)
		}
		if err != nil {
			return err
		}
		seen, hidden := judged(seen, terms.For(q.Path))
		return r.print(ctx, &reading{c, seen, q, hidden, own})
	}
	return r.Subcommand
}

// weighs is what findings are weighed by where a query leads, what was usual there among it.
func weighs(c *command.Line, q query, lists bool) (limits.Terms, error) {
	terms, err := termsOf(c, q.limited, lists)
	if err != nil || c.Flags.From != "" {
		return terms, err
	}
	if _, err := remembers(c, q.Target, &terms); err != nil {
		warning(c.Err, say.Printable(world.OneLine(err.Error())))
	}
	return terms, nil
}

// read decodes what a command looks at: a file, or servers.
func read(ctx context.Context, c *command.Line, q query) (*live.Seen, error) {
	if c.Flags.From != "" {
		res, err := world.WhileReading(func() (*model.Result, error) { return inputOf(c).decoded(c.Hints()) })
		if err != nil {
			return nil, err
		}
		return &live.Seen{Result: waits.Of(res, nil).WithDeadlocks()}, nil
	}
	conn, err := c.Connection(q.Target)
	if err != nil {
		return nil, err
	}
	if q.known {
		book, _, err := namesOf(ctx, c)
		if err != nil {
			return nil, err
		}
		if book != nil {
			q.names = book
		}
	}
	return once(ctx, c, conn, q, nil)
}

// once reads servers once; before is what was read before, or nil.
func once(ctx context.Context, c *command.Line, conn zkc.Config, q query, before *model.Result) (*live.Seen, error) {
	conn.GiveUp = rounds(c)
	seen, err := live.Look(ctx, liveConfig(c, conn, q), before)
	if err != nil {
		return nil, connectError(err)
	}
	c.LastSeen = seen
	return seen, nil
}

// liveConfig is how to look at an ensemble.
func liveConfig(c *command.Line, conn zkc.Config, q query) live.Config {
	return live.Config{Conn: conn, Tree: mirror.Options{Root: q.root, MaxChildren: c.Flags.Children, Asked: q.asked}, Admin: c.Flags.Admin,
		FourLetter: c.Flags.FourLetter, Hints: c.Hints(), Names: q.names, Timeout: c.Flags.Timeout, Now: c.Now, Limits: q.limits, Patient: q.patient, Again: tellAgain(c, q)}
}

// tellAgain tells a person who waits for an answer why it takes a moment; nil: nobody is told.
func tellAgain(c *command.Line, q query) func(time.Duration) {
	if !q.patient || !c.ErrTTY {
		return nil
	}
	return func(pause time.Duration) {
		text := "looking again: a client may be on its way from one watch to the next"
		if pause >= waits.StandsStill {
			text = "watching for " + say.Age(pause) + " whether what looks like a deadlock lasts"
		}
		fmt.Fprintln(c.Err, text)
	}
}

// rounds is how often every server is tried before a command gives up: once, or where --timeout was given until that is over.
func rounds(c *command.Line) int {
	if c.Given != nil && c.Given.Changed("timeout") {
		return 0
	}
	return 1
}

// connectError gives a failure to connect its exit code.
func connectError(err error) error {
	var f world.Failure
	if errors.As(err, &f) {
		return err
	}
	if errors.As(err, new(live.AddressError)) {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	for _, cause := range []error{zkc.ErrUnreachable, zkc.ErrAuth, zkc.ErrNoChroot, context.DeadlineExceeded} {
		if errors.Is(err, cause) {
			return world.Failure{Code: world.ExitConnect, Err: err}
		}
	}
	if errors.Is(err, zkc.ErrNoNode) {
		return world.Failure{Code: world.ExitNotFound, Err: err}
	}
	return world.Failure{Code: world.ExitError, Err: err}
}

// report is everything that was found, as JSON.
func (r *reading) report() *story.Report {
	out := story.NewReport(r.Result)
	out.Hidden = r.hidden
	return out
}

// asOf says how old what a file shows is.
func (r *reading) asOf() {
	if r.Flags.From == "" {
		return
	}
	s := r.Snapshot
	fmt.Fprintf(r.Out, "as of %s, from %s\n", s.TakenAt.Format(time.RFC3339), say.Printable(r.Flags.From))
	if !s.LostSince.IsZero() {
		fmt.Fprintf(r.Out, "no connection since %s: what happened from then on was not seen\n", s.LostSince.UTC().Format(time.RFC3339))
	}
}
