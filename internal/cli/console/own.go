package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/program"
	"github.com/zkscope/zkscope/tui"
	"github.com/zkscope/zkscope/tui/keys"
)

// What an own command may take: so long, and so much output.
const (
	ownPatience = 30 * time.Second
	ownOutput   = 1 << 20
)

// placeholders are the arguments that stand for what is selected.
var placeholders = map[string]func(tui.OwnTarget) string{
	"$RECIPE":  func(on tui.OwnTarget) string { return on.Recipe },
	"$PATH":    func(on tui.OwnTarget) string { return on.Path },
	"$SESSION": func(on tui.OwnTarget) string { return on.Session },
	"$ADDR":    func(on tui.OwnTarget) string { return on.Addr },
}

// BadOwn says what is wrong with an own command under a map of keys, and in which key of its own. Names of znodes are chosen by
// clients: nothing of them may come into what a shell reads.
func BadOwn(o config.Command, m *keys.Map) (key, wrong string) {
	switch does := m.Taken(o.Key); {
	case o.Key == "":
		return "key", "it has no key"
	case does != "":
		return "key", o.Key + " does something already: " + does
	case o.Name == "":
		return "name", "it has no name"
	case len(o.Run) == 0 || strings.Contains(o.Run[0], "$"):
		return "run", "run takes a program and its arguments"
	}
	for i, arg := range o.Run[1:] {
		before := o.Run[i]
		for p := range placeholders {
			switch {
			case arg == p && i > 0 && strings.HasPrefix(before, "-") && !strings.HasPrefix(before, "--") && strings.HasSuffix(before, "c"):
				return "run", p + " after " + before + " would be read by a shell: give it as an argument behind the script"
			case arg != p && strings.Contains(arg, p):
				return "run", p + " has to be an argument of its own"
			}
		}
	}
	return "", ""
}

// owns are the own commands of the configuration, for the console.
func (c *consoleRun) owns(m *keys.Map, ensemble string) (out []tui.Own, err error) {
	taken := map[string]bool{}
	for i, o := range c.Cfg.Commands {
		key, wrong := BadOwn(o, m)
		if wrong == "" && taken[o.Key] {
			key, wrong = "key", o.Key+" runs another command already"
		}
		if wrong != "" {
			at := command.RuleAt(&c.Cfg, []string{"commands", strconv.Itoa(i)}, key)
			return nil, world.Fail(world.ExitUsage, "%s: command: %s", say.Printable(c.Cfg.At(at...)), wrong)
		}
		taken[o.Key] = true
		out = append(out, tui.Own{Key: o.Key, Name: o.Name, Looks: o.Looks, Run: func(ctx context.Context, on tui.OwnTarget) (string, error) {
			return runOwn(ctx, c.Line, o, on, ensemble)
		}})
	}
	return out, nil
}

// runOwn runs an own command once. It is written down before, with what came of it after; what cannot be is not run.
func runOwn(ctx context.Context, c *command.Line, o config.Command, on tui.OwnTarget, ensemble string) (string, error) {
	args, err := ownArgs(o, on)
	if err != nil {
		return "", err
	}
	log, err := actions.OpenAudit(c.AuditPath())
	if err != nil {
		return "", fmt.Errorf("not run, since it cannot be written down: %w", err)
	}
	host, _ := os.Hostname()
	rec := actions.Record{Stage: "run", User: me(), Host: host, PID: os.Getpid(), Ensemble: ensemble, Verb: "run", Recipe: on.Recipe, Path: on.Path, Owner: on.Session}
	note := func(text string) error {
		rec.At, rec.Text = c.Now(), text
		return log.Append(rec)
	}
	if err := note(o.Name + ": " + strings.Join(args, " ")); err != nil {
		return "", fmt.Errorf("not run, since it cannot be written down: %w", err)
	}
	out, err := runArgs(ctx, c, args)
	ended := o.Name + " ended well"
	if err != nil {
		ended = o.Name + ": " + err.Error()
	}
	rec.Stage = "ran"
	if unlogged := note(ended); unlogged != nil && err == nil {
		err = fmt.Errorf("it was run, and how it ended is not in the audit log: %w", unlogged)
	}
	return out, err
}

// ownArgs are an own command's program and arguments, for what is selected.
func ownArgs(o config.Command, on tui.OwnTarget) ([]string, error) {
	args := slices.Clone(o.Run)
	for i, arg := range args {
		if of := placeholders[arg]; of != nil {
			if args[i] = of(on); args[i] == "" {
				return nil, fmt.Errorf("not run: %s is not known of %s", arg, on.Path)
			}
		}
	}
	return args, nil
}

// runArgs runs a program with neither input nor our credentials, and returns the beginning of what it prints.
func runArgs(ctx context.Context, c *command.Line, args []string) (string, error) {
	out := &beginning{left: ownOutput}
	p := program.Program{Args: args, Env: c.WithoutSecrets(os.Environ()), Within: ownPatience, Out: out, Err: out}
	err := p.Run(ctx)
	return out.text(), err
}

// beginning keeps the beginning of what is written to it.
type beginning struct {
	mu   sync.Mutex
	kept strings.Builder
	left int
	more bool
}

var _ io.Writer = new(beginning)

func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(p), b.left)
	b.kept.Write(p[:n])
	b.left -= n
	b.more = b.more || n < len(p)
	return len(p), nil
}

func (b *beginning) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.more {
		return b.kept.String() + "\n… and more, which is not shown\n"
	}
	return b.kept.String()
}
