package command

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/live"
)

// Line is a command line that is carried out: the world it has, the flags that every command takes, and the configuration.
type Line struct {
	world.World
	Flags Flags
	TTY   io.Writer      // Out as it was given, for the screen
	Given *pflag.FlagSet // the flags as they were parsed; nil: not yet
	Args  []string       // the command line
	Again func(args []string, w world.World) int

	Cfg         config.File
	CfgPath     string         // where it is looked for
	Secretless  bool           // nothing is connected to: no credentials are read
	unasked     bool           // no program is run for credentials: a shell completes a word
	Aside       bool           // a console has the terminal: programs run for credentials get none
	Profile     config.Profile // in use, or the default; zero: none
	profileName string
	Lost        context.CancelCauseFunc // told of output that is lost; nil: only the exit code tells
	LastSeen    *live.Seen              // by the last look at servers
	Opened      []*os.File
}

// PrintJSON prints a value as one JSON document, indented, to Out.
func (c *Line) PrintJSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
