package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/catalog"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/keys"
)

// consoleCommand opens the console; it is what zkscope does without a subcommand.
func (c *command) consoleCommand() *cobra.Command {
	var cmd *cobra.Command
	cmd = &cobra.Command{
		Use:   "zkscope [SERVERS[/CHROOT]]",
		Short: "see who holds and who waits in ZooKeeper's recipes, and act on it safely",
		Long: "zkscope shows live who holds each lock and who waits for it, who leads each election and who is next, and why.\n" +
			"An operator can ask a holder to let go, or break a stale claim; it starts disarmed.\n" +
			"To look around without a ZooKeeper: zkscope demo",
		Args: between(0, 1, "[SERVERS[/CHROOT]]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := mistyped(cmd, args); err != nil {
				return err
			}
			if err := c.needTerminal(); err != nil {
				return err
			}
			t, err := c.target(args, false)
			if err != nil {
				return err
			}
			if c.flags.from != "" {
				return c.consoleFile(ctx, false)
			}
			return c.consoleLive(ctx, t, len(args) == 0 && c.flags.servers == "" && c.Getenv("ZKSCOPE_SERVERS") == "")
		}),
	}
	return cmd
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

// consoleLive shows an ensemble. When nobody named the servers and nothing answers, it says so instead of
// waiting on a screen.
func (c *command) consoleLive(ctx context.Context, t target, guessed bool) error {
	cfg, err := c.config(t)
	if err != nil {
		return err
	}
	if err := c.probe(ctx, cfg, guessed); err != nil {
		return err
	}
	log, done := c.logFile()
	defer done()
	cfg.Log = log
	m, news, err := c.follow(ctx, cfg)
	if err != nil {
		return connectError(err)
	}
	defer m.Close()
	ac, err := c.actorConfig(t, cfg)
	if err == nil && !ac.ReadOnly {
		err = ac.Audit.Check()
	}
	if err != nil { // whoever cannot write anything down may look on
		c.noAudit, ac.ReadOnly = "start it with --audit-log FILE, since nothing can be written down: "+oneLine(err.Error()), true
	}
	src, err := c.witness(&liveSource{m: m, news: news, name: t.name, readOnly: c.flags.readOnly, now: c.Now}, m, cfg)
	if err != nil {
		return err
	}
	defer src.Close()
	return c.operate(ctx, ac, tui.Options{Source: src, Audit: c.readAudit})
}

// follow starts to mirror, with a log of what becomes of the connection.
func (c *command) follow(ctx context.Context, cfg zkc.Config) (*mirror.Mirror, *linkNews, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(&c.words, nil))
	}
	news := &linkNews{now: c.Now, log: cfg.Log}
	cfg.OnState = news.take
	m, err := mirror.Start(ctx, cfg, c.mirrorOptions(c.flags.root))
	return m, news, err
}

func (c *command) forbidden() string {
	if c.flags.readOnly {
		return "the console was started with --read-only"
	}
	return c.noAudit
}

// operate runs a console that can act and take part.
func (c *command) operate(ctx context.Context, ac actions.Config, o tui.Options) error {
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
	return c.runConsole(ctx, o)
}

// runConsole runs the screen until it quits.
func (c *command) runConsole(ctx context.Context, o tui.Options) error {
	out := c.screen()
	o.Recipes, o.Hints, o.Theme = catalog.Recipes(), c.hints(), c.theme()
	o.Log, o.Terminal, o.Tmux, o.Hint = c.words.Lines, out, c.Getenv("TMUX") != "", c.firstHint()
	if c.noAudit != "" {
		o.Hint = "the console cannot be armed: " + c.noAudit
	}
	o.Stays = noJobControl()
	o.Keys, o.Production, o.NeedReason, o.Mouse = keys.Default(), c.production(), c.needReason(), c.flags.mouse
	if err := o.Keys.Bind(c.cfg.Keys); err != nil {
		return failure{code: exitUsage, err: err}
	}
	app := tui.New(ctx, o)
	defer app.Close()
	p := tea.NewProgram(guarded{app}, tea.WithAltScreen(), tea.WithContext(ctx), tea.WithInput(c.In), tea.WithOutput(out), tea.WithoutSignalHandler())
	crash, stop := c.watchPanics(out, p.Kill)
	defer stop()
	_, err := p.Run()
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
func (c *command) logFile() (*slog.Logger, func()) {
	dir, level := filepath.Join(c.stateHome(), "zkscope"), &slog.HandlerOptions{Level: slog.LevelInfo}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(filepath.Join(dir, "console.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
			return slog.New(slog.NewTextHandler(io.MultiWriter(f, &c.words), level)), func() { f.Close() }
		}
	}
	log := slog.New(slog.NewTextHandler(&c.words, level))
	log.Warn("no log is kept", "cause", err)
	return log, func() {}
}

func (c *command) stateHome() string {
	if dir := c.Getenv("XDG_STATE_HOME"); dir != "" {
		return dir
	}
	return xdg.StateHome
}

// slow is how long answers take when the age of what is shown is worth a word.
const slow = time.Second

// liveSource shows what a mirror holds.
type liveSource struct {
	m        *mirror.Mirror
	news     *linkNews // Optional
	name     string
	readOnly bool
	now      func() time.Time
}

func (s *liveSource) Changed() <-chan struct{} { return s.m.Changed() }
func (s *liveSource) Now() time.Time           { return s.now() }

// Read has a znode read by itself of which only the name was read.
func (s *liveSource) Read(path string) { s.m.Read(path) }

func (s *liveSource) Take() (*znode.Snapshot, backend.Link) {
	st := s.m.Status()
	link := backend.Link{Ensemble: s.name, Requests: st.Counters.Requests, BytesIn: st.Counters.BytesIn, Watches: st.Counters.Watches,
		Err: st.Err, ReadOnly: s.readOnly}
	if s.news != nil {
		link.Happened, link.Count = s.news.told()
	}
	if st.State.Err != nil {
		link.Cause = st.State.Err.Error()
	}
	if st.State.Phase == zkc.Connected {
		link.Server, link.Session = st.State.Server, znode.SessionID(st.State.Session)
		if silent := s.now().Sub(st.Heard); !st.Heard.IsZero() && silent > st.Trip+st.State.Timeout/2 {
			link.Silent = silent // the client pings every third of the timeout: something is wrong
		}
		if link.Late = st.Late; st.Delay >= slow {
			link.Delay = st.Delay
			link.Old = max(2*st.Delay, s.now().Sub(st.Heard)) // an event is under way, and then what it made us ask; nothing came since Heard
		}
	}
	return s.m.Snapshot(), link
}
