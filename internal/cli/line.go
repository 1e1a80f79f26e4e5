package cli

import (
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/live"
)

// Line is one subcommand's state: the world and the common flags.
type Line struct {
	world.World
	flags flags
	tty   io.Writer // Out as it was given, for the screen
	set   *pflag.FlagSet
	args  []string // the command line
	again func(args []string, w world.World) int

	cfg         config.File
	cfgPath     string         // where it is looked for
	secretless  bool           // nothing is connected to: no credentials are read
	unasked     bool           // no program is run for credentials: a shell completes a word
	aside       bool           // a console has the terminal: programs run for credentials get none
	profile     config.Profile // in use, or the default; zero: none
	profileName string
	LastSeen    *live.Seen // by the last look at servers
	opened      []*os.File
}

func (c *Line) printJSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
