// Package cli is zkscope's command line: a file a command, listed in commands, but for those that change one znode, which are
// rows of verbs. It parses and prints; how an ensemble is looked at is decided in internal/live.
//
// # Concurrency
//
// Run is called once. Commands own the connections and goroutines that they start and end them before they
// return.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Exit codes. Scripts rely on them.
const (
	exitOK       = 0
	exitError    = 1
	exitUsage    = 2 // malformed command line, or the console without a terminal
	exitFindings = 3
	exitNotFound = 4
	exitRefused  = 5 // read-only, holder cannot hear, missing pin or --yes, guard failed
	exitConnect  = 6
	exitUnlogged = 7 // done, but what came of it is not in the audit log
)

// World is everything that a command touches outside of itself.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	InTTY    bool // In is a terminal
	OutTTY   bool // Out is a terminal
	ErrTTY   bool // Err is a terminal
	Now      func() time.Time
	Resolver *net.Resolver // looks up srv://NAME; nil: the system's

	pages *pages // takes the pages of metrics that would be written; nil: they are
}

// OS returns the process's own world.
func OS() World {
	return World{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Now: time.Now,
		InTTY: term.IsTerminal(int(os.Stdin.Fd())), OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd()))}
}

// failure is an error with the exit code that it asks for.
type failure struct {
	code int
	err  error // nil: it was said already
	own  bool  // the code is no failure of ours, but what a command that we ran ended with
}

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}
func (f failure) Unwrap() error { return f.err }

func fail(code int, format string, args ...any) error {
	return failure{code: code, err: fmt.Errorf(format, args...)}
}

// command is one subcommand's state: the world and the common flags.
type command struct {
	World
	flags flags
	tty   io.Writer // Out as it was given, for the screen
	set   *pflag.FlagSet
	args  []string // the command line
	again func(args []string, w World) int

	cfg         config.File
	cfgPath     string         // where it is looked for
	secretless  bool           // nothing is connected to: no credentials are read
	unasked     bool           // no program is run for credentials: a shell completes a word
	aside       bool           // a console has the terminal: programs run for credentials get none
	profile     config.Profile // in use, or the default; zero: none
	profileName string
	seen        *live.Seen // by the last look at servers
	opened      []*os.File
}

// checkedWriter remembers the first failure, so that lost output is no success.
type checkedWriter struct {
	w     io.Writer
	err   error
	spell func([]byte) []byte // how the terminal can show it
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	_, err := c.w.Write(c.spell(b))
	if err == nil {
		return len(b), nil
	}
	if c.err == nil {
		c.err = err
	}
	return 0, err
}

// Run executes a command line, without the program's name, and returns the exit code. It prints at most one
// line about an error, and nothing else to Err.
func Run(args []string, w World) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	c := &command{World: w, tty: w.Out, args: args, again: Run}
	out := &checkedWriter{w: w.Out, spell: func(b []byte) []byte { return say.Gated([]byte(c.spelled(string(b)))) }}
	c.Out = out
	defer func() {
		for _, f := range c.opened {
			f.Close()
		}
		leftovers.remove()
	}()
	root := c.root()
	root.SetArgs(args)
	root.SetIn(w.In)
	root.SetOut(out)
	root.SetErr(w.Err)
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fail(exitError, "output is lost: %w", out.err)
	}
	if err == nil {
		return exitOK
	}
	if err.Error() == "" {
		return code(err)
	}
	fmt.Fprintln(w.Err, "zkscope: "+say.Printable(oneLine(err.Error()))+c.moreTime(err))
	return code(err)
}

// moreTime says which flags give slow servers more time, where that may be what an error comes from.
func (c *command) moreTime(err error) string {
	if n := code(err); n != exitConnect && n != exitOwn || !errors.Is(err, zkc.ErrSilent) && !errors.Is(err, context.DeadlineExceeded) {
		return ""
	}
	if errors.Is(err, zkc.ErrUnreachable) && !errors.Is(err, zkc.ErrSilent) {
		return "" // each server has said why not
	}
	return fmt.Sprintf("; if the servers are slow, give a longer --session-timeout (now %v: each answer may take a third of it) and --timeout (now %v, for all of them)",
		c.flags.session, c.flags.timeout)
}

// code is the exit code that an error asks for.
func code(err error) int {
	var f failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitUsage // everything else comes from parsing the command line
}

// chapter is a part of the table of contents.
type chapter struct {
	id, title string
	commands  []func(*command) subcommand
}

// contents is the table of contents; verbs are added to those that change something.
var contents = []chapter{
	{"look", "Look:", []func(*command) subcommand{ls, show, why, graph, sessions, impact, doctor}},
	{"watch", "Monitor:", []func(*command) subcommand{check, watch, explain, export, notifier}},
	{acting, "Change one thing, with guards and an audit log:", []func(*command) subcommand{vote, audit}},
	{"join", "Take part:", []func(*command) subcommand{join}},
	{"time", "Look back:", []func(*command) subcommand{history, reportOf, diff, record, replay, snapshot}},
	{"", "", []func(*command) subcommand{configuration, demoStage, version}},
}

// acting is the chapter of what changes something.
const acting = "act"

// root builds the whole command tree.
func (c *command) root() *cobra.Command {
	root := console(c).cobra(c)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = false
	c.flags.common(root.PersistentFlags())
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		c.set = cmd.Flags()
		if isBare(cmd) {
			return nil
		}
		_, c.secretless = cmd.Annotations[secretless]
		if err := c.settings(c.set); err != nil {
			return err
		}
		if c.set.Changed("at") && c.flags.at == "" {
			return fail(exitUsage, "--at is empty: is a variable unset?")
		}
		if err := c.checkExpected(); err != nil {
			return err
		}
		return c.flags.check(cmd.Name() == "replay")
	}
	for _, ch := range contents {
		if ch.id != "" {
			root.AddGroup(&cobra.Group{ID: ch.id, Title: ch.title})
		}
		for _, make := range ch.commands {
			s := make(c)
			s.group = ch.id
			root.AddCommand(s.cobra(c))
		}
	}
	for _, v := range verbs {
		s := v.command(c)
		s.group = acting
		root.AddCommand(s.cobra(c))
	}
	root.SetHelpCommand(helpCommand())
	c.completeFlags(root)
	return root
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
