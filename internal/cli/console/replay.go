package console

import (
	"context"

	"github.com/zkscope/zkscope/internal/cli/command"
)

// Replay opens a recording in the console.
func Replay(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "replay FILE", Short: "open a recording or a snapshot in the console and step through it", Args: command.Between(1, 1, "FILE, a recording or a snapshot"),
		Run: func(ctx context.Context, in command.Invocation) error {
			if err := needTerminal(c); err != nil {
				return err
			}
			c.Flags.From = in.Args[0]
			return newRun(c).file(ctx, true)
		}}
}
