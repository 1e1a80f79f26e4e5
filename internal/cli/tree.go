package cli

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Tree returns all commands with their flags and words, for those who print pages about them. None is to be run.
func Tree() *cobra.Command {
	c := &command.Line{World: world.World{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }, Now: time.Now}}
	return root(c)
}
