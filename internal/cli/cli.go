// Package cli is zkscope's command line: it lists the commands, which are values in the rooms below it, parses, runs one, and
// prints the one line that says why it failed. How an ensemble is looked at is decided in internal/live.
//
// # Rooms
//
// From the bottom: world has streams, exit codes and waits; command what a command is, with the flags and the configuration; look
// how one looks, at servers or files. Above these are the commands: show, history, monitor, change, join, console and settings.
// Each has its promise in its doc.go, and imports only what lies below it.
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
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/console"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/join"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/settings"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkc"
)

// World is everything that a command line touches outside of itself.
type World = world.World

// OS returns the process's own world.
func OS() World { return world.OS() }

// checkedWriter remembers the first failure, so that lost output is no success.
type checkedWriter struct {
	w     io.Writer
	err   error
	lost  func(error)         // told of it
	spell func([]byte) []byte // how the terminal can show it
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	_, err := c.w.Write(c.spell(b))
	if err == nil {
		return len(b), nil
	}
	if c.err == nil {
		c.err = err
		c.lost(err)
	}
	return 0, err
}

// Run executes a command line, without the program's name, and returns the exit code. It prints at most one
// line about an error, and nothing else to Err.
func Run(args []string, w World) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	c := &command.Line{World: w, TTY: w.Out, Args: args, Again: Run}
	out := &checkedWriter{w: w.Out, lost: func(err error) {
		if c.Lost != nil {
			c.Lost(err)
		}
	}, spell: func(b []byte) []byte { return say.Gated([]byte(c.Spelled(string(b)))) }}
	c.Out = out
	defer func() {
		for _, f := range c.Opened {
			f.Close()
		}
		world.Leftovers.Remove()
	}()
	root := root(c)
	root.SetArgs(args)
	root.SetIn(w.In)
	root.SetOut(out)
	root.SetErr(w.Err)
	err := root.ExecuteContext(ctx)
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = world.Fail(world.ExitError, "output is lost: %w", world.RootCause(out.err))
	}
	if err == nil {
		return world.ExitOK
	}
	if err.Error() == "" {
		return world.Code(err)
	}
	fmt.Fprintln(w.Err, "zkscope: "+say.Printable(world.OneLine(err.Error()))+moreTime(c, err))
	return world.Code(err)
}

// moreTime says which flags give slow servers more time, where that may be what an error comes from.
func moreTime(c *command.Line, err error) string {
	if n := world.Code(err); n != world.ExitConnect && n != world.ExitOwn || !errors.Is(err, zkc.ErrSilent) && !errors.Is(err, context.DeadlineExceeded) {
		return ""
	}
	if errors.Is(err, zkc.ErrUnreachable) && !errors.Is(err, zkc.ErrSilent) {
		return "" // each server has said why not
	}
	return fmt.Sprintf("; if the servers are slow, give a longer --session-timeout (now %v: each answer may take a third of it) and --timeout (now %v, for all of them)",
		c.Flags.Session, c.Flags.Timeout)
}

// chapter is a part of the table of contents.
type chapter struct {
	id, title string
	commands  []func(*command.Line) command.Subcommand
}

// contents is the table of contents; verbs are added to those that change something.
var contents = []chapter{
	{"look", "Look:", []func(*command.Line) command.Subcommand{show.Ls, show.Show, show.Why, show.Graph, show.Sessions, show.Impact, show.Doctor}},
	{"watch", "Monitor:", []func(*command.Line) command.Subcommand{monitor.Check, monitor.Watch, show.Explain, monitor.Export, monitor.Notifier}},
	{acting, "Change one thing, with guards and an audit log:", []func(*command.Line) command.Subcommand{change.Vote, change.Audit}},
	{"join", "Take part:", []func(*command.Line) command.Subcommand{join.Join}},
	{"time", "Look back:", []func(*command.Line) command.Subcommand{history.History, history.Report, history.Diff, history.Record, console.Replay, history.Snapshot}},
	{"", "", []func(*command.Line) command.Subcommand{settings.Configuration, console.DemoStage, show.Version}},
}

// acting is the chapter of what changes something.
const acting = "act"

// root builds the whole command tree.
func root(c *command.Line) *cobra.Command {
	root := console.Console(c).Cobra(c)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return command.FlagError(err) })
	c.Flags.Common(root.PersistentFlags())
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		c.Given = cmd.Flags()
		if command.IsBare(cmd) {
			return nil
		}
		_, c.Secretless = cmd.Annotations[command.Secretless]
		if err := c.Settings(c.Given); err != nil {
			return err
		}
		if c.Given.Changed("at") && c.Flags.At == "" {
			return world.Fail(world.ExitUsage, "--at is empty: is a variable unset?")
		}
		if err := c.CheckExpected(); err != nil {
			return err
		}
		return c.Flags.Check(cmd.Name() == "replay")
	}
	for _, ch := range contents {
		if ch.id != "" {
			root.AddGroup(&cobra.Group{ID: ch.id, Title: ch.title})
		}
		for _, make := range ch.commands {
			s := make(c)
			s.Group = ch.id
			root.AddCommand(s.Cobra(c))
		}
	}
	for _, v := range change.Verbs {
		s := v.Command(c)
		s.Group = acting
		root.AddCommand(s.Cobra(c))
	}
	root.SetHelpCommand(command.HelpCommand())
	c.CompleteFlags(root)
	return root
}
