package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/adrg/xdg"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/catalog"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui"
	"github.com/zkscope/zkscope/tui/keys"
)

// console opens the console; it is what zkscope does without a subcommand.
func console(c *command) subcommand {
	return subcommand{
		use:   "zkscope [SERVERS[/CHROOT]]",
		short: "see who holds and who waits in ZooKeeper's recipes, and act on it safely",
		long: "zkscope shows live who holds each lock and who waits for it, who leads each election and who is next, and why.\n" +
			"An operator can ask a holder to let go, or break a stale claim; it starts disarmed.\n" +
			"To look around without a ZooKeeper: zkscope demo",
		run: func(ctx context.Context, in invocation) error {
			if err := mistyped(in.cmd, in.args); err != nil {
				return err
			}
			if err := c.needTerminal(); err != nil {
				return err
			}
			t, err := c.target(in.args, false)
			if err != nil {
				return err
			}
			if c.flags.from != "" {
				return newRun(c).file(ctx, false)
			}
			return newRun(c).servers(ctx, t, len(in.args) == 0 && c.flags.servers == "" && c.Getenv("ZKSCOPE_SERVERS") == "")
		}}
}

func (c *command) needTerminal() error {
	if !c.InTTY || !c.OutTTY {
		return fail(exitUsage, "the console needs a terminal; for scripts: zkscope ls, zkscope show PATH, both with -o json")
	}
	if t := c.Getenv("TERM"); t == "" || t == "dumb" {
		return fail(exitUsage, "the console cannot draw on TERM=%q; for plain text: zkscope ls, zkscope show PATH", say.Printable(t))
	}
	return nil
}

// consoleRun is one run of the console, until it quits.
type consoleRun struct {
	*command
	log     ring   // what its connection had to say
	noAudit string // why nothing can be written down, and the console never armed
}

func newRun(c *command) *consoleRun { return &consoleRun{command: c} }

// servers shows an ensemble. When nobody named the servers and nothing answers, it says so instead of
// waiting on a screen.
func (c *consoleRun) servers(ctx context.Context, t target, guessed bool) error {
	conn, err := c.connection(t)
	if err != nil {
		return err
	}
	if err := c.probe(ctx, conn, guessed); err != nil {
		return err
	}
	log, done := c.logFile()
	defer done()
	conn.Log = log
	ac, err := c.actorConfig(t, conn)
	if err == nil && !ac.ReadOnly {
		err = ac.Audit.Check()
	}
	if err != nil { // whoever cannot write anything down may look on
		c.noAudit, ac.ReadOnly = "start it with --audit-log FILE, since nothing can be written down: "+oneLine(err.Error()), true
	}
	terms, err := c.terms("", true)
	if err != nil {
		return err
	}
	note, weigh, stop := c.memory(ctx, t, terms, log)
	defer stop()
	cfg := c.live(conn, query{root: c.flags.root})
	cfg.Judge = weigh
	book, every, err := c.known(ctx)
	if err != nil {
		return err
	}
	if book != nil {
		cfg.Names = book
		book.Keep(every, func(err error) { log.Warn(oneLine(err.Error())) })
		defer book.Close()
	}
	src, err := live.Open(ctx, cfg, t.name, c.flags.readOnly)
	if err != nil {
		return connectError(err)
	}
	defer src.Close()
	return c.operate(ctx, ac, tui.Options{Source: src, Audit: c.readAudit, Seen: note})
}

// probe makes sure that a console will have something to show: a wrong address is better said on the
// command line than on a screen.
func (c *command) probe(ctx context.Context, conn zkc.Config, guessed bool) error {
	conn.GiveUp = c.rounds()
	switch err := live.Probe(ctx, c.live(conn, query{})); {
	case err == nil:
		return nil
	case guessed:
		return fail(exitConnect, "no ZooKeeper at %s: name the servers, as in zkscope zk1:2181,zk2:2181, or look around with zkscope demo", defaultServers)
	default:
		return connectError(err)
	}
}

// file opens a file in the console: at the moment that --at names, else at its end, or its beginning.
func (c *consoleRun) file(ctx context.Context, fromStart bool) error {
	if c.flags.from == "-" {
		return fail(exitUsage, "the console takes its keys from standard input; give --from a file")
	}
	terms, err := c.terms("", true)
	if err != nil {
		return err
	}
	p, err := whileReading(func() (*player, error) {
		rec, i, err := c.input().recording(fromStart)
		if err != nil {
			return nil, err
		}
		return newPlayer(rec, i, c.flags.from, terms), nil
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(guard.Func(func() { p.count(ctx) }))
	defer counting.Wait()
	defer stop()
	err = c.draw(ctx, tui.Options{Source: p, Operator: nobody{"this is a file"}, Audit: c.readAudit})
	if thinned := p.Thinned(); thinned != "" {
		warning(c.Err, thinned)
	}
	return err
}

func (c *consoleRun) forbidden() string {
	if c.flags.readOnly {
		return "the console was started with --read-only"
	}
	return c.noAudit
}

// operate runs a console that can act and take part.
func (c *consoleRun) operate(ctx context.Context, ac actions.Config, o tui.Options) error {
	actor, err := actions.NewActor(ac)
	if err != nil {
		return err
	}
	defer actor.Close()
	joiner, err := actions.NewJoiner(ac)
	if err != nil {
		return err
	}
	defer c.leaveAll(joiner)
	o.Operator = &operator{actor: actor, hints: c.hints(), forbidden: c.forbidden()}
	o.Joiner, o.Me = consoleJoiner{joiner}, me()
	return c.draw(ctx, o)
}

// draw runs the screen until it quits.
func (c *consoleRun) draw(ctx context.Context, o tui.Options) error {
	out := c.screen()
	o.Recipes, o.Hints, o.Theme = catalog.Recipes(), c.hints(), c.theme()
	o.Log, o.Terminal, o.Tmux, o.Hint = c.log.Lines, out, c.Getenv("TMUX") != "", c.firstHint()
	if c.noAudit != "" {
		o.Hint = "the console cannot be armed: " + c.noAudit
	}
	o.Stays = noJobControl()
	o.Name = c.profileInUse()
	o.Keys, o.Production, o.NeedReason, o.Mouse = keys.Default(), c.production(), c.needReason(), c.flags.mouse
	if err := o.Keys.Bind(c.cfg.Keys); err != nil {
		return failure{code: exitUsage, err: err}
	}
	_, link := o.Source.Take()
	var err error
	if o.Owns, err = c.owns(&o.Keys, link.Ensemble); err != nil {
		return err
	}
	app := tui.New(ctx, o)
	defer app.Close()
	p := tea.NewProgram(guarded{app}, tea.WithAltScreen(), tea.WithContext(ctx), tea.WithInput(c.In), tea.WithOutput(out), tea.WithoutSignalHandler())
	crash, stop := watchPanics(c.command, out, p.Kill)
	defer stop()
	_, err = p.Run()
	switch failed := crash.err(); {
	case failed != nil:
		return failed
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fail(exitError, "ended by a signal")
	case errors.Is(err, tea.ErrProgramPanic):
		return fail(exitError, "the console failed; the terminal is restored, the trace is above")
	}
	return err
}

// logFile opens the console's own log: nothing may be printed while the screen is drawn. Where there is no room for a file
// the console keeps its last words alone.
func (c *consoleRun) logFile() (*slog.Logger, func()) {
	dir, level := filepath.Join(c.stateHome(), "zkscope"), &slog.HandlerOptions{Level: slog.LevelInfo}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(filepath.Join(dir, "console.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
			return slog.New(slog.NewTextHandler(io.MultiWriter(f, &c.log), level)), func() { f.Close() }
		}
	}
	log := slog.New(slog.NewTextHandler(&c.log, level))
	log.Warn("no log is kept", "cause", err)
	return log, func() {}
}

func (c *command) stateHome() string {
	if dir := c.Getenv("XDG_STATE_HOME"); dir != "" {
		return dir
	}
	return xdg.StateHome
}
