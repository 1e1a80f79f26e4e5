package look

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
	MayPath
	MustPath
)

// Reader is a subcommand that reads servers or a file, and prints what is there.
type Reader struct {
	command.Subcommand     // without run
	Own                int // how many arguments stand before the path and the servers
	Path               pathUse
	Known              bool                               // it shows clients' addresses: with their names, where the configuration has any
	Lists              bool                               // it lists recipes: those that are hidden are left out
	Check              func() error                       // its own flags, before anything else. Optional
	Aim                func(q *Query, own []string) error // says more exactly what is to be read. Optional
	Print              func(ctx context.Context, r *Reading) error
	Failed             func(error) error // says that nothing could be read, in its own way. Optional
}

// Query is what a command wants to read.
type Query struct {
	command.Target
	Root    string
	Asked   []string   // paths that are read whatever the limits
	Limited string     // a file of limits. Optional
	Known   bool       // it shows clients' addresses: with their names
	names   live.Names // of hosts. Optional
	Limits  bool       // also ask for what seldom changes
	Patient bool       // look for as long as it takes to see whether a deadlock stands still
}

// Ask wants a path read by name, whatever the limits. One that lies outside the root moves the root.
func (q *Query) Ask(path string) {
	if _, inside := znode.Relative(q.Root, path); !inside {
		q.Root = layout.Around(path)
	}
	q.Asked = []string{path}
}

// Reading is what a command has read, and what it prints it by.
type Reading struct {
	*command.Line
	*live.Seen
	Query  Query
	Hidden int      // how many recipes are left out
	Own    []string // the command's arguments before the path and the servers
}

// Reads makes a subcommand of a reader.
func Reads(c *command.Line, r Reader) command.Subcommand {
	r.Subcommand.Run = func(ctx context.Context, in command.Invocation) error {
		if r.Check != nil {
			if err := r.Check(); err != nil {
				return err
			}
		}
		own, rest := in.Args[:r.Own], in.Args[r.Own:]
		t, err := c.Target(rest, r.Path == MustPath || r.Path == MayPath && command.HasPath(rest))
		if err != nil {
			return err
		}
		q := Query{Target: t, Root: c.Flags.Root, Known: r.Known}
		if r.Aim != nil {
			if err := r.Aim(&q, own); err != nil {
				return err
			}
		}
		terms, err := Weighs(c, q, r.Lists)
		if err != nil {
			return err
		}
		if c.Flags.From == "" {
			defer collectLate(lateMost)()
		}
		seen, err := Read(ctx, c, q)
		if err != nil && r.Failed != nil {
			return r.Failed(err)
		}
		if err != nil {
			return err
		}
		seen, hidden := Judged(seen, terms.For(q.Path))
		return r.Print(ctx, &Reading{c, seen, q, hidden, own})
	}
	return r.Subcommand
}

// Weighs is what findings are weighed by where a query leads, what was usual there among it.
func Weighs(c *command.Line, q Query, lists bool) (limits.Terms, error) {
	terms, err := TermsOf(c, q.Limited, lists)
	if err != nil || c.Flags.From != "" {
		return terms, err
	}
	if _, err := Remembers(c, q.Target, &terms); err != nil {
		Warning(c.Err, say.Printable(world.OneLine(err.Error())))
	}
	return terms, nil
}

// Read decodes what a command looks at: a file, or servers.
func Read(ctx context.Context, c *command.Line, q Query) (*live.Seen, error) {
	if c.Flags.From != "" {
		res, err := world.WhileReading(func() (*model.Result, error) { return InputOf(c).Decoded(c.Hints()) })
		if err != nil {
			return nil, err
		}
		return rooted(c, waits.Of(res, nil).WithDeadlocks(), q.Root)
	}
	conn, err := c.Connection(q.Target)
	if err != nil {
		return nil, err
	}
	if q.Known {
		book, _, err := NamesOf(ctx, c)
		if err != nil {
			return nil, err
		}
		if book != nil {
			q.names = book
		}
	}
	return Once(ctx, c, conn, q, nil)
}

// rooted is what a file shows at a path and below it, as servers are read there.
func rooted(c *command.Line, res *model.Result, root string) (*live.Seen, error) {
	if root == "/" || root == res.Snapshot.Base {
		return &live.Seen{Result: res}, nil
	}
	if n, why := res.Snapshot.Known(root); n == nil {
		return nil, NotThere(c, root, why)
	}
	res = res.Below(root)
	res.Snapshot = Rooted(res.Snapshot, root)
	return &live.Seen{Result: res}, nil
}

// Rooted is what stands at a path and below it; nothing, where no znode does.
func Rooted(s *znode.Snapshot, root string) *znode.Snapshot {
	if root == "/" || root == s.Base {
		return s
	}
	out := *s
	if out.Base, out.Root = root, s.At(root); out.Root == nil {
		out.Root = &znode.Node{Flags: znode.NoStat}
	}
	return &out
}

// Once reads servers once; before is what was read before, or nil.
func Once(ctx context.Context, c *command.Line, conn zkc.Config, q Query, before *model.Result) (*live.Seen, error) {
	conn.GiveUp = rounds(c)
	seen, err := live.Look(ctx, LiveConfig(c, conn, q), before)
	if err != nil {
		return nil, ConnectError(err)
	}
	c.LastSeen = seen
	return seen, nil
}

// LiveConfig is how to look at an ensemble.
func LiveConfig(c *command.Line, conn zkc.Config, q Query) live.Config {
	return live.Config{Conn: conn, Tree: mirror.Options{Root: q.Root, MaxChildren: c.Flags.Children, Asked: q.Asked}, Admin: c.Flags.Admin,
		FourLetter: c.Flags.FourLetter, Hints: c.Hints(), Names: q.names, Timeout: c.Flags.Timeout, Now: c.Now, Limits: q.Limits, Patient: q.Patient, Again: tellAgain(c, q)}
}

// tellAgain tells a person who waits for an answer why it takes a moment; nil: nobody is told.
func tellAgain(c *command.Line, q Query) func(time.Duration) {
	if !q.Patient || !c.ErrTTY {
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

// ConnectError gives a failure to connect its exit code.
func ConnectError(err error) error {
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
	if gone := new(zkc.Error); errors.Is(err, zkc.ErrNoNode) && errors.As(err, &gone) {
		return world.Fail(world.ExitNotFound, "%s does not exist", say.Printable(gone.Path))
	}
	return world.Failure{Code: world.ExitError, Err: err}
}

// Report is everything that was found, as JSON.
func (r *Reading) Report() *story.Report {
	out := story.NewReport(r.Result)
	out.Hidden = r.Hidden
	return out
}

// AsOf says how old what a file shows is.
func (r *Reading) AsOf() {
	if r.Flags.From == "" {
		return
	}
	s := r.Snapshot
	fmt.Fprintf(r.Out, "as of %s, from %s\n", s.TakenAt.Format(time.RFC3339), say.Printable(r.Flags.From))
	if !s.LostSince.IsZero() {
		fmt.Fprintf(r.Out, "no connection since %s: what happened from then on was not seen\n", s.LostSince.UTC().Format(time.RFC3339))
	}
}
