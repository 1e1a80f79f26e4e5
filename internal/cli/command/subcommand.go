package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Subcommand is a command of zkscope as a value: what help says of it, what it takes, and what it does.
type Subcommand struct {
	Use, Short    string // use is its name and what it takes
	Long, Example string // Optional; a command without an example has one in examples.go
	Group         string // under which title help lists it; empty: the last
	Args          cobra.PositionalArgs
	Bare          bool                 // it needs no configuration, and runs where that cannot be read
	GoesOn        bool                 // until it is interrupted: it ends, too, when nobody reads any more what it prints
	Secretless    bool                 // it connects to nothing, and reads no credentials
	Subs          []Subcommand         // commands below it. Optional
	Formats       []string             // of --output; none: it takes no --output
	OwnFormats    bool                 // it holds --output against them by itself
	Flags         func(*pflag.FlagSet) // declares its own. Optional
	Run           func(ctx context.Context, in Invocation) error
}

// Invocation is one call of a subcommand.
type Invocation struct {
	Cmd  *cobra.Command
	Args []string // with what stands after --
}

// Given reports whether a flag was given.
func (in Invocation) Given(flag string) bool { return in.Cmd.Flags().Changed(flag) }

// Cobra makes the library's command of it.
func (s Subcommand) Cobra(c *Line) *cobra.Command {
	cmd := &cobra.Command{Use: s.Use, Short: s.Short, Long: s.Long, Example: s.Example, Args: s.Args, GroupID: s.Group}
	_, takes, _ := strings.Cut(s.Use, " ")
	if cmd.Args == nil {
		cmd.Args = Taking(takes)
	}
	cmd.ValidArgsFunction = c.completes(takes)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case s.OwnFormats:
		case len(s.Formats) > 0:
			if err := c.Flags.Format(s.Formats...); err != nil {
				return err
			}
		case cmd.Flags().Changed("output"):
			return world.Fail(world.ExitUsage, "--output %s: %s has one form alone", say.Printable(c.Flags.Output), cmd.Name())
		}
		err := s.run(c, Invocation{cmd, args})
		var f world.Failure
		if err == nil || errors.As(err, &f) {
			return err
		}
		return world.Failure{Code: world.ExitError, Err: err} // what fails here is no mistake of the command line
	}
	if cmd.Example == "" {
		cmd.Example = exampleOf(cmd.Name())
	}
	if s.Flags != nil {
		s.Flags(cmd.Flags())
	}
	cmd.Annotations = map[string]string{Outputs: strings.Join(s.Formats, " ")}
	if s.Bare {
		cmd.Annotations[bare] = ""
	}
	if s.Secretless {
		cmd.Annotations[Secretless] = ""
	}
	for _, sub := range s.Subs {
		cmd.AddCommand(sub.Cobra(c))
	}
	return cmd
}

// run runs it.
func (s Subcommand) run(c *Line, in Invocation) error {
	ctx := in.Cmd.Context()
	if !s.GoesOn {
		return s.Run(ctx, in)
	}
	ctx, stop := world.WhileRead(ctx, c.TTY)
	defer stop()
	ctx, c.Lost = context.WithCancelCause(ctx)
	defer c.Lost(nil)
	err := s.Run(ctx, in)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, world.ErrUnread):
		return world.Failure{Code: world.ExitUnread}
	case cause != nil && !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded):
		return cause // the output is lost
	}
	return err
}

// bare and secretless mark the library's commands that are so; outputs is what else they can print, for who documents them.
const bare, Secretless, Outputs = "bare", "secretless", "outputs"

// IsBare reports whether a command needs no configuration: the library's own neither, which help and complete.
func IsBare(cmd *cobra.Command) bool {
	_, ok := cmd.Annotations[bare]
	return ok || cmd.Name() == "help" || cmd.HasParent() && cmd.Parent().Name() == "completion"
}

// Taking checks the number of positional arguments against what a command takes, and says what that is: words, in brackets
// where they may be left out.
func Taking(usage string) cobra.PositionalArgs {
	words := strings.Fields(usage)
	least := 0
	for _, w := range words {
		if !strings.HasPrefix(w, "[") {
			least++
		}
	}
	return Between(least, len(words), usage)
}

// Between checks the number of positional arguments, and says what they are.
func Between(least, most int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		name := cmd.CommandPath()
		return fmt.Errorf("%s takes %s, not %s; see %s --help", strings.TrimPrefix(name, cmd.Root().Name()+" "), cmp.Or(usage, "no argument"), say.Plural(len(args), "argument", "arguments"), name)
	}
}

// TableOrJSON are the formats that most commands print.
var TableOrJSON = []string{"table", "json"}
