package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// configuration tells what is set, by whom, and what is wrong with it.
func configuration(c *Line) subcommand {
	return subcommand{use: "config", short: "print every setting and where it comes from", args: cobra.NoArgs, formats: tableOrJSON, secretless: true,
		long: "Print every setting as it holds for this command line, and where it comes from: its default, the configuration file with\n" +
			"the line, the environment, or a flag. Credentials are not printed, nor read; nothing is connected to.",
		example: "  zkscope config\n  zkscope config --profile prod -o json",
		subs:    []subcommand{configCheck(c), configProfiles(c)},
		run: func(context.Context, invocation) error {
			if _, err := c.target(nil, false); err != nil {
				return err
			}
			rows := settingRows(c)
			if c.flags.output == "json" {
				return c.printJSON(settingsReport{1, c.cfgPath, c.cfg.Name != "", c.profileInUse(), rows})
			}
			found := say.Either(c.cfg.Name != "", c.cfgPath, c.cfgPath+", which is not there")
			fmt.Fprintf(c.Out, "configuration file: %s\n", say.Printable(found))
			lines := [][]string{{"SETTING", "VALUE", "FROM"}}
			for _, r := range rows {
				lines = append(lines, []string{say.Printable(r.Key), say.Printable(say.Either(r.Value == "", "-", r.Value)), say.Printable(r.from())})
			}
			world.PrintTable(c.Out, lines)
			return nil
		}}
}

// settingsReport is the JSON of config.
type settingsReport struct {
	Schema   int       `json:"schema"`
	File     string    `json:"file"`
	Found    bool      `json:"found"`
	Profile  string    `json:"profile"` // that the servers come from; empty: of none
	Settings []setting `json:"settings"`
}

// profilesReport is the JSON of config profiles.
type profilesReport struct {
	Schema   int             `json:"schema"`
	Profiles []profileReport `json:"profiles"`
}

type profileReport struct {
	Name       string `json:"name"`
	Servers    string `json:"servers"`
	Default    bool   `json:"default"`
	Production bool   `json:"production"`
	ReadOnly   bool   `json:"readOnly"`
	Place      string `json:"place"` // file:line
}

// configProfiles lists the ensembles that have names.
func configProfiles(c *Line) subcommand {
	return subcommand{use: "profiles", short: "list the profiles of the configuration file", args: cobra.NoArgs, formats: tableOrJSON, secretless: true,
		example: "  zkscope config profiles\n  zkscope config profiles -o json",
		run: func(context.Context, invocation) error {
			rows := []profileReport{}
			for _, name := range slices.Sorted(maps.Keys(c.cfg.Profiles)) {
				p := c.cfg.Profiles[name]
				rows = append(rows, profileReport{name, p.Servers, name == c.cfg.Profile, p.Production, p.ReadOnly, c.cfg.At("profiles", name)})
			}
			if c.flags.output == "json" {
				return c.printJSON(profilesReport{1, rows})
			}
			if len(rows) == 0 {
				_, err := fmt.Fprintf(c.Out, "no profile is in %s\n", say.Printable(c.cfgPath))
				return err
			}
			lines := [][]string{{"PROFILE", "SERVERS", "MARKS", "FROM"}}
			for _, r := range rows {
				var marks []string
				for mark, has := range map[string]bool{"default": r.Default, "production": r.Production, "read-only": r.ReadOnly} {
					if has {
						marks = append(marks, mark)
					}
				}
				slices.Sort(marks)
				lines = append(lines, []string{say.Printable(r.Name), say.Printable(r.Servers), say.Either(len(marks) == 0, "-", strings.Join(marks, ",")), say.Printable(r.Place)})
			}
			world.PrintTable(c.Out, lines)
			return nil
		}}
}
