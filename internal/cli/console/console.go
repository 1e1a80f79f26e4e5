package console

import (
	"context"
	"sync"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/tui"
)

// Console opens the console; it is what zkscope does without a subcommand.
func Console(c *command.Line) command.Subcommand {
	return command.Subcommand{
		Use:   "zkscope [SERVERS[/CHROOT]]",
		Short: "see who holds and who waits in ZooKeeper's recipes, and act on it safely",
		Long: "zkscope shows live who holds each lock and who waits for it, who leads each election and who is next, and why.\n" +
			"An operator can ask a holder to let go, or break a stale claim; it starts disarmed.\n" +
			"To look around without a ZooKeeper: zkscope demo",
		Run: func(ctx context.Context, in command.Invocation) error {
			if err := command.Mistyped(in.Cmd, in.Args); err != nil {
				return err
			}
			if err := needTerminal(c); err != nil {
				return err
			}
			t, err := c.Target(in.Args, false)
			if err != nil {
				return err
			}
			if c.Flags.From != "" {
				return newRun(c).file(ctx, false)
			}
			return newRun(c).servers(ctx, t, len(in.Args) == 0 && c.Flags.Servers == "" && c.Getenv("ZKSCOPE_SERVERS") == "")
		}}
}

func needTerminal(c *command.Line) error {
	if !c.InTTY || !c.OutTTY {
		return world.Fail(world.ExitUsage, "the console needs a terminal; for scripts: zkscope ls, zkscope show PATH, both with -o json")
	}
	if t := c.Getenv("TERM"); t == "" || t == "dumb" {
		return world.Fail(world.ExitUsage, "the console cannot draw on TERM=%q; for plain text: zkscope ls, zkscope show PATH", say.Printable(t))
	}
	return nil
}

// consoleRun is one run of the console, until it quits.
type consoleRun struct {
	*command.Line
	log     ring   // what its connection had to say
	noAudit string // why nothing can be written down, and the console never armed
}

func newRun(c *command.Line) *consoleRun { return &consoleRun{Line: c} }

// servers shows an ensemble. When nobody named the servers and nothing answers, it says so instead of
// waiting on a screen.
func (c *consoleRun) servers(ctx context.Context, t command.Target, guessed bool) error {
	conn, err := c.Connection(t)
	if err != nil {
		return err
	}
	if err := look.Probe(ctx, c.Line, conn, guessed); err != nil {
		return err
	}
	s, done := c.sit()
	defer done()
	conn.Log = s.logger(&c.log)
	first, err := c.open(ctx, t, conn, s)
	if err != nil {
		return err
	}
	f := c.fleet(ctx, t, s)
	if f == nil {
		return c.drawAll(ctx, first, nil)
	}
	defer f.Close()
	first.options.Fleet = from{f, f.first}
	return c.drawAll(ctx, first, f)
}

// file opens a file in the console: at the moment that --at names, else at its end, or its beginning.
func (c *consoleRun) file(ctx context.Context, fromStart bool) error {
	if c.Flags.From == "-" {
		return world.Fail(world.ExitUsage, "the console takes its keys from standard input; give --from a file")
	}
	terms, err := look.TermsOf(c.Line, "", true)
	if err != nil {
		return err
	}
	p, err := world.WhileReading(func() (*player, error) {
		rec, i, err := look.InputOf(c.Line).Recording(fromStart)
		if err != nil {
			return nil, err
		}
		return newPlayer(rec, i, c.Flags.From, terms), nil
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(guard.Func(func() { p.count(ctx) }))
	defer counting.Wait()
	defer stop()
	err = c.alone(ctx, tui.Options{Source: p, Operator: Nobody{"this is a file"}, Audit: c.readAudit}, c.dress)
	if thinned := p.Thinned(); thinned != "" {
		look.Warning(c.Err, thinned)
	}
	return err
}

func (c *consoleRun) forbidden() string {
	if c.Flags.ReadOnly {
		return "the console was started with --read-only"
	}
	return c.noAudit
}

// alone draws a console of what is no ensemble of the configuration; finish completes it.
func (c *consoleRun) alone(ctx context.Context, o tui.Options, finish func(*prepared) error) error {
	s := &sitting{out: c.screen(), theme: c.theme()}
	p := &prepared{run: c, sit: s, options: o}
	if err := finish(p); err != nil {
		p.Close()
		return err
	}
	return c.drawAll(ctx, p, nil)
}
