package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/world"
)

// subcommand is a command of zkscope as a value: what help says of it, what it takes, and what it does.
type subcommand struct {
	use, short    string // use is its name and what it takes
	long, example string // Optional; a command without an example has one in examples.go
	group         string // under which title help lists it; empty: the last
	args          cobra.PositionalArgs
	bare          bool                 // it needs no configuration, and runs where that cannot be read
	secretless    bool                 // it connects to nothing, and reads no credentials
	subs          []subcommand         // commands below it. Optional
	formats       []string             // of --output; none: it does not look at it
	flags         func(*pflag.FlagSet) // declares its own. Optional
	run           func(ctx context.Context, in invocation) error
}

// invocation is one call of a subcommand.
type invocation struct {
	cmd  *cobra.Command
	args []string // with what stands after --
}

// set reports whether a flag was given.
func (in invocation) set(flag string) bool { return in.cmd.Flags().Changed(flag) }

// cobra makes the library's command of it.
func (s subcommand) cobra(c *Line) *cobra.Command {
	cmd := &cobra.Command{Use: s.use, Short: s.short, Long: s.long, Example: s.example, Args: s.args, GroupID: s.group}
	_, takes, _ := strings.Cut(s.use, " ")
	if cmd.Args == nil {
		cmd.Args = taking(takes)
	}
	cmd.ValidArgsFunction = c.completes(takes)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(s.formats) > 0 {
			if err := c.flags.format(s.formats...); err != nil {
				return err
			}
		}
		err := s.run(cmd.Context(), invocation{cmd, args})
		var f world.Failure
		if err == nil || errors.As(err, &f) {
			return err
		}
		return world.Failure{Code: world.ExitError, Err: err} // what fails here is no mistake of the command line
	}
	if cmd.Example == "" {
		cmd.Example = exampleOf(cmd.Name())
	}
	if s.flags != nil {
		s.flags(cmd.Flags())
	}
	cmd.Annotations = map[string]string{outputs: strings.Join(s.formats, " ")}
	if s.bare {
		cmd.Annotations[bare] = ""
	}
	if s.secretless {
		cmd.Annotations[secretless] = ""
	}
	for _, sub := range s.subs {
		cmd.AddCommand(sub.cobra(c))
	}
	return cmd
}

// bare and secretless mark the library's commands that are so; outputs is what else they can print, for who documents them.
const bare, secretless, outputs = "bare", "secretless", "outputs"

// isBare reports whether a command needs no configuration: the library's own neither, which help and complete.
func isBare(cmd *cobra.Command) bool {
	_, ok := cmd.Annotations[bare]
	return ok || cmd.Name() == "help" || cmd.HasParent() && cmd.Parent().Name() == "completion"
}

// taking checks the number of positional arguments against what a command takes, and says what that is: words, in brackets
// where they may be left out.
func taking(usage string) cobra.PositionalArgs {
	words := strings.Fields(usage)
	least := 0
	for _, w := range words {
		if !strings.HasPrefix(w, "[") {
			least++
		}
	}
	return between(least, len(words), usage)
}

// between checks the number of positional arguments, and says what they are.
func between(least, most int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		return fmt.Errorf("%s takes %s, not %d arguments; see %s --help", cmd.CommandPath(), usage, len(args), cmd.CommandPath())
	}
}

// tableOrJSON are the formats that most commands print.
var tableOrJSON = []string{"table", "json"}
