package console

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/catalog"
	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/paint"
)

// sitting is what the consoles of one run of the program have in common, whichever ensemble they show.
type sitting struct {
	out   io.Writer
	theme paint.Theme // the terminal is asked for its colours once
	log   io.Writer
	lost  error // why there is no log; nil: there is one
}

// sit begins a sitting; done ends it.
func (c *consoleRun) sit() (s *sitting, done func()) {
	s = &sitting{out: c.screen(), theme: c.theme(), log: io.Discard}
	dir := filepath.Join(c.StateHome(), "zkscope")
	if s.lost = os.MkdirAll(dir, 0o700); s.lost != nil {
		return s, func() {}
	}
	var f *os.File
	if f, s.lost = os.OpenFile(filepath.Join(dir, "console.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC|os.O_APPEND, 0o600); s.lost != nil {
		return s, func() {}
	}
	s.log = f
	return s, func() { f.Close() }
}

// logger is a console's own log: nothing may be printed while the screen is drawn. Where there is no room for a file the
// console keeps its last words alone.
func (s *sitting) logger(r *ring) *slog.Logger {
	log := slog.New(slog.NewTextHandler(io.MultiWriter(r, s.log), &slog.HandlerOptions{Level: slog.LevelInfo}))
	if s.lost != nil {
		log.Warn("no log is kept", "cause", s.lost)
	}
	return log
}

// logged writes warnings into a log.
type logged struct{ *slog.Logger }

func (l logged) Write(b []byte) (int, error) {
	l.Warn(strings.TrimSpace(string(b)))
	return len(b), nil
}

// prepared is a console with all that it needs to be drawn.
type prepared struct {
	run     *consoleRun
	sit     *sitting
	options tui.Options
	mu      sync.Mutex
	closers []func() // the last comes first
}

// ends adds what is to be done when the console is closed.
func (p *prepared) ends(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closers = append(p.closers, f)
}

// Close closes all that the console had opened. It may be called more than once.
func (p *prepared) Close() {
	p.mu.Lock()
	all := p.closers
	p.closers = nil
	p.mu.Unlock()
	for _, f := range slices.Backward(all) {
		f()
	}
}

// Follows keeps the alternate screen for this console.
func (p *prepared) Follows() {
	if tty, ok := p.sit.out.(*sharedTTY); ok {
		tty.hold()
	}
}

// open connects to an ensemble, and makes what a console of it needs.
func (c *consoleRun) open(ctx context.Context, t command.Target, conn zkc.Config, s *sitting) (*prepared, error) {
	p := &prepared{run: c, sit: s}
	if err := c.openInto(ctx, p, t, conn); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (c *consoleRun) openInto(ctx context.Context, p *prepared, t command.Target, conn zkc.Config) error {
	ac, err := change.ActorConfig(c.Line, t, conn)
	if err == nil && !ac.ReadOnly {
		err = ac.Audit.Check()
	}
	if err != nil { // whoever cannot write anything down may look on
		c.noAudit, ac.ReadOnly = "start it with --audit-log FILE, since nothing can be written down: "+world.OneLine(err.Error()), true
	}
	terms, err := look.TermsOf(c.Line, "", true)
	if err != nil {
		return err
	}
	note, weigh, stop := c.memory(ctx, t, terms, conn.Log)
	p.ends(stop)
	cfg := look.LiveConfig(c.Line, conn, look.Query{Root: c.Flags.Root})
	cfg.Judge = weigh
	book, every, err := look.NamesOf(ctx, c.Line)
	if err != nil {
		return err
	}
	if book != nil {
		cfg.Names = book
		book.Keep(every, func(err error) { conn.Log.Warn(world.OneLine(err.Error())) })
		p.ends(book.Close)
	}
	src, err := live.Open(ctx, cfg, t.Name, c.Flags.ReadOnly)
	if err != nil {
		return look.ConnectError(err)
	}
	p.ends(src.Close)
	p.options = tui.Options{Source: src, Audit: c.readAudit, Seen: note}
	return c.equip(p, ac)
}

// equip gives a console what it acts and takes part with, and its looks.
func (c *consoleRun) equip(p *prepared, ac actions.Config) error {
	actor, err := actions.NewActor(ac)
	if err != nil {
		return err
	}
	p.ends(func() { actor.Close() })
	joiner, err := actions.NewJoiner(ac)
	if err != nil {
		return err
	}
	p.ends(func() { c.leaveAll(joiner) })
	p.options.Operator = &operator{actor: actor, hints: c.Hints(), forbidden: c.forbidden()}
	p.options.Joiner, p.options.Me = consoleJoiner{joiner}, me()
	return c.dress(p)
}

// dress gives a console its looks and its keys.
func (c *consoleRun) dress(p *prepared) error {
	o := &p.options
	o.Recipes, o.Hints, o.Theme = catalog.Recipes(), c.Hints(), p.sit.theme
	o.Log, o.Terminal, o.Tmux, o.Hint = c.log.Lines, p.sit.out, c.Getenv("TMUX") != "", c.firstHint()
	if c.noAudit != "" {
		o.Hint = "the console cannot be armed: " + c.noAudit
	}
	o.Stays = noJobControl()
	o.Name = c.ProfileInUse()
	o.Keys, o.Production, o.NeedReason, o.Mouse = keys.Default(), c.Production(), c.NeedReason(), c.Flags.Mouse
	if err := o.Keys.Bind(c.Cfg.Keys); err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	_, link := o.Source.Take()
	var err error
	o.Owns, err = c.owns(&o.Keys, link.Ensemble)
	return err
}

// drawAll draws a console, and those that follow it, until one is quit.
func (c *consoleRun) drawAll(ctx context.Context, p *prepared, f *ensembles) error {
	for {
		next, err := p.draw(ctx)
		if next == nil || err != nil {
			p.Close()
			return err
		}
		f.leave(p)
		p = next
	}
}

// draw runs the screen until it quits; next is the console that is to follow, or nil.
func (p *prepared) draw(ctx context.Context) (next *prepared, err error) {
	c, out := p.run, p.sit.out
	app := tui.New(ctx, p.options)
	defer app.Close()
	program := tea.NewProgram(guarded{app}, tea.WithAltScreen(), tea.WithContext(ctx), tea.WithInput(c.In), tea.WithOutput(out), tea.WithoutSignalHandler())
	crash, stop := watchPanics(c.Line, out, program.Kill)
	defer stop()
	world.OnScreen.Add(1)
	defer world.OnScreen.Add(-1)
	_, err = program.Run()
	next, _ = app.Next().(*prepared)
	if err != nil || crash.err() != nil {
		p.release()
	}
	switch failed := crash.err(); {
	case failed != nil:
		return nil, failed
	case err == nil:
		return next, nil
	case ctx.Err() != nil:
		return nil, world.Fail(world.ExitError, "ended by a signal")
	case errors.Is(err, tea.ErrProgramPanic):
		return nil, world.Fail(world.ExitError, "the console failed; the terminal is restored, the trace is above")
	}
	return nil, err
}

// release leaves the alternate screen where it was kept for a console that does not come.
func (p *prepared) release() {
	if tty, ok := p.sit.out.(*sharedTTY); ok {
		tty.release()
	}
}
