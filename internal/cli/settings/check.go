package settings

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
)

// configCheck lists everything that is wrong with a configuration file.
func configCheck(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "check [FILE]", Short: "list all that is wrong with a configuration file; exit 3 when anything is", Formats: command.TableOrJSON, Bare: true,
		Long: "List all that is wrong with a configuration file, with the lines: keys that are not known, values of the wrong sort, hints,\n" +
			"keys and addresses that cannot be read, files that are named and not there or that others may read. Without FILE it is the\n" +
			"file that zkscope reads. Nothing is connected to, and no command is run.",
		Example: "  zkscope config check\n  zkscope config check new.yaml -o json",
		Run: func(_ context.Context, in command.Invocation) error {
			c.ConfigPath()
			path := c.CfgPath
			if len(in.Args) == 1 {
				path = in.Args[0]
			}
			if err := world.NoPipe(map[string]string{"--config": path}); err != nil {
				return err
			}
			text, err := world.WhileReading(func() ([]byte, error) { return os.ReadFile(path) })
			if err != nil {
				return world.Fail(world.ExitUsage, "configuration: %w", err)
			}
			f, faults := config.Load(text, path)
			if len(faults) == 0 {
				faults = meaningless(f)
			}
			return printFaults(c, path, faults)
		}}
}

// FaultsReport is the JSON of config check.
type FaultsReport struct {
	Schema int            `json:"schema"`
	File   string         `json:"file"`
	Faults []config.Fault `json:"faults"`
}

// printFaults prints what is wrong.
func printFaults(c *command.Line, path string, faults []config.Fault) error {
	if c.Flags.Output == "json" {
		if err := c.PrintJSON(FaultsReport{1, path, append([]config.Fault{}, faults...)}); err != nil {
			return err
		}
	}
	if c.Flags.Output == "table" {
		for _, f := range faults {
			fmt.Fprintf(c.Out, "%s: %s\n", say.Printable(say.Either(f.Line == 0, path, path+":"+strconv.Itoa(f.Line))), say.Printable(f.Text))
		}
		if len(faults) == 0 {
			fmt.Fprintf(c.Out, "%s: nothing is wrong\n", say.Printable(path))
		}
	}
	if len(faults) > 0 {
		return world.Failure{Code: world.ExitFindings}
	}
	return nil
}
