package cli

import (
	"context"
)

// replay opens a recording in the console.
func replay(c *Line) subcommand {
	return subcommand{use: "replay FILE", short: "open a recording or a snapshot in the console and step through it", args: between(1, 1, "FILE, a recording or a snapshot"),
		run: func(ctx context.Context, in invocation) error {
			if err := needTerminal(c); err != nil {
				return err
			}
			c.flags.from = in.args[0]
			return newRun(c).file(ctx, true)
		}}
}
