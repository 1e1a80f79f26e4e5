package console

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/tui/backend"
)

// ensembles are those that the consoles of one run can show: that of every profile, and the one that the program was started
// for. They outlive the consoles.
type ensembles struct {
	base   *command.Line  // as the program was started
	first  string         // the name of the ensemble that it was started for
	at     command.Target // where that is
	stay   []string       // the flags that hold whichever is shown
	sit    *sitting
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup // asks and prepares
	leaves sync.WaitGroup // closes what was left
	slots  chan struct{}

	mu       sync.Mutex
	said     map[string]backend.Ensemble // what is not known of the configuration
	prepared map[*prepared]bool          // and not drawn yet
}

// askAgain is how old an answer may become while the list of ensembles is looked at.
const askAgain = time.Minute

// endsWithin is how long the end of the program waits for answers that nobody needs any more.
const endsWithin = 2 * time.Second

// fleet is the ensembles that can be changed to; nil where the configuration has no profiles.
func (c *consoleRun) fleet(ctx context.Context, t command.Target, s *sitting) *ensembles {
	if len(c.Cfg.Profiles) == 0 {
		return nil
	}
	f := &ensembles{base: c.Line, first: cmp.Or(c.ProfileInUse(), t.Name), at: t, sit: s, stay: staying(c.Line), slots: make(chan struct{}, look.AtOnce),
		said: map[string]backend.Ensemble{}, prepared: map[*prepared]bool{}}
	f.ctx, f.cancel = context.WithCancel(ctx)
	return f
}

// Close ends what is asked, and closes what was left and what was prepared in vain. What cannot be interrupted, as a program
// that prints credentials, is waited for a moment only.
func (f *ensembles) Close() {
	f.mu.Lock()
	f.cancel()
	f.mu.Unlock()
	ended := make(chan struct{})
	guard.Go(func() { f.work.Wait(); close(ended) })
	select {
	case <-ended:
	case <-time.After(endsWithin):
	}
	f.mu.Lock()
	vain := slices.Collect(maps.Keys(f.prepared))
	f.mu.Unlock()
	for _, p := range vain {
		p.Close()
	}
	f.leaves.Wait()
}

// leave closes a console that another one follows, beside that one.
func (f *ensembles) leave(p *prepared) { f.leaves.Go(guard.Func(p.Close)) }

// names are the ensembles in order.
func (f *ensembles) names() []string {
	names := slices.Collect(maps.Keys(f.base.Cfg.Profiles))
	if !slices.Contains(names, f.first) {
		names = append(names, f.first)
	}
	slices.Sort(names)
	return names
}

// from is a fleet as the console of one of its ensembles has it.
type from struct {
	*ensembles
	here string
}

// Here is the name of the ensemble that is shown.
func (f from) Here() string { return f.here }

// Ensembles are all of them, with what they last said.
func (f from) Ensembles() (out []backend.Ensemble) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range f.names() {
		e, p := f.said[name], f.base.Cfg.Profiles[name]
		e.Name, e.Servers, e.Production, e.ReadOnly = name, p.Servers, p.Production, p.ReadOnly || f.base.Given.Changed("read-only") && f.base.Flags.ReadOnly
		if name == f.first {
			e.Servers = f.at.Name
		}
		out = append(out, e)
	}
	return out
}

// Ask has those asked whose answers are no longer new.
func (f from) Ask() {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.base.Now()
	for _, name := range f.names() {
		e := f.said[name]
		if f.ctx.Err() != nil || name == f.here || !e.Asking.IsZero() || !e.At.IsZero() && now.Sub(e.At) < askAgain {
			continue
		}
		e.Asking = now
		f.said[name] = e
		f.work.Go(guard.Func(func() { f.look(name) }))
	}
}

// look asks one ensemble how it stands, as check does.
func (f *ensembles) look(name string) {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-f.ctx.Done():
		return
	}
	var e backend.Ensemble
	seen, err := f.read(name)
	if e.At = f.base.Now(); err != nil {
		e.Err = world.OneLine(err.Error())
	} else {
		e.Weigh(seen.Result)
	}
	f.mu.Lock()
	f.said[name] = e
	f.mu.Unlock()
}

func (f *ensembles) read(name string) (*live.Seen, error) {
	c, t, err := f.command(name, io.Discard)
	if err != nil {
		return nil, err
	}
	q := look.Query{Target: t, Root: c.Flags.Root, Patient: true}
	terms, err := look.Weighs(c, q, true)
	if err != nil {
		return nil, err
	}
	seen, err := look.Read(f.ctx, c, q)
	if err != nil {
		return nil, err
	}
	seen, _ = look.Judged(seen, terms.For(""))
	return seen, nil
}

// Prepare connects to an ensemble, as the program would that is started for it.
func (f from) Prepare(ctx context.Context, name string) (backend.Prepared, error) {
	f.mu.Lock()
	if f.ctx.Err() != nil {
		f.mu.Unlock()
		return nil, f.ctx.Err()
	}
	f.work.Add(1)
	f.mu.Unlock()
	defer f.work.Done()
	run := &consoleRun{}
	log := f.sit.logger(&run.log)
	c, t, err := f.command(name, logged{log})
	if err != nil {
		return nil, err
	}
	run.Line = c
	conn, err := c.Connection(t)
	if err != nil {
		return nil, err
	}
	if err := look.Probe(ctx, c, conn, false); err != nil {
		return nil, err
	}
	conn.Log = log
	p, err := run.open(f.ctx, t, conn, f.sit)
	if err != nil {
		return nil, err
	}
	c.World = f.base.World // from now on the terminal is its own
	p.options.Fleet = from{f.ensembles, name}
	p.options.Hint = cmp.Or(p.options.Hint, "now on "+say.Printable(name)+", disarmed; :profile "+say.Printable(f.here)+" goes back")
	f.keep(p)
	if ctx.Err() != nil {
		p.Close()
		return nil, ctx.Err()
	}
	return p, nil
}

// keep remembers what was prepared until it is closed.
func (f *ensembles) keep(p *prepared) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.prepared[p] = true
	p.ends(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.prepared, p)
	})
}

// ofConsole are the flags that hold for the console whichever ensemble it shows. All others say how one is reached, or what of
// it is read, and are those of the ensemble that the program was started for.
var ofConsole = []string{"config", "max-children", "acl", "audit-log", "read-only", "ascii", "mouse", "theme", "timeout", "session-timeout", "hidden"}

// staying are those of these flags that were given.
func staying(c *command.Line) (args []string) {
	for _, h := range c.Flags.Hints[:len(c.Flags.Hints)-len(c.Cfg.Hints)] {
		args = append(args, "--hint="+h)
	}
	c.Given.Visit(func(x *pflag.Flag) {
		if slices.Contains(ofConsole, x.Name) {
			args = append(args, fmt.Sprintf("--%s=%s", x.Name, x.Value))
		}
	})
	return args
}

// command is what the program would be had it been started for an ensemble, and where that is. It has no terminal to ask on; what it warns of
// goes to said.
func (f *ensembles) command(name string, said io.Writer) (*command.Line, command.Target, error) {
	args := f.base.Args
	if name != f.first {
		args = append([]string{"--profile=" + name}, f.stay...)
	}
	c := &command.Line{World: f.base.World, TTY: f.base.TTY, Args: args, Again: f.base.Again, Aside: true}
	c.InTTY, c.ErrTTY, c.Err = false, false, said
	c.Given = pflag.NewFlagSet("zkscope", pflag.ContinueOnError)
	c.Given.SetOutput(io.Discard)
	c.Flags.Common(c.Given)
	if err := c.Given.Parse(args); err != nil {
		return nil, command.Target{}, err
	}
	if err := c.Settings(c.Given); err != nil {
		return nil, command.Target{}, err
	}
	if err := cmp.Or(c.CheckExpected(), c.Flags.Check(false)); err != nil {
		return nil, command.Target{}, err
	}
	t, err := c.Target(c.Given.Args(), false)
	return c, t, err
}
