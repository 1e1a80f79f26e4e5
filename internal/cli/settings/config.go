package settings

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Configuration tells what is set, by whom, and what is wrong with it.
func Configuration(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "config", Short: "print every setting and where it comes from", Formats: command.TableOrJSON, Secretless: true,
		Long: "Print every setting as it holds for this command line, and where it comes from: its default, the configuration file with\n" +
			"the line, the environment, or a flag. Credentials are not printed, nor read; nothing is connected to.",
		Example: "  zkscope config\n  zkscope config --profile prod -o json",
		Subs:    []command.Subcommand{configCheck(c), configProfiles(c)},
		Run: func(context.Context, command.Invocation) error {
			if _, err := c.Target(nil, false); err != nil {
				return err
			}
			rows := settingRows(c)
			if c.Flags.Output == "json" {
				return c.PrintJSON(SettingsReport{1, c.CfgPath, c.Cfg.Name != "", c.ProfileInUse(), rows})
			}
			found := say.Either(c.Cfg.Name != "", c.CfgPath, c.CfgPath+", which is not there")
			fmt.Fprintf(c.Out, "configuration file: %s\n", say.Printable(found))
			lines := [][]string{{"SETTING", "VALUE", "FROM"}}
			for _, r := range rows {
				lines = append(lines, []string{say.Printable(r.Key), say.Printable(say.Either(r.Value == "", "-", r.Value)), say.Printable(r.from())})
			}
			world.PrintTable(c.Out, lines)
			return nil
		}}
}

// SettingsReport is the JSON of config.
type SettingsReport struct {
	Schema   int       `json:"schema"`
	File     string    `json:"file"`
	Found    bool      `json:"found"`
	Profile  string    `json:"profile"` // that the servers come from; empty: of none
	Settings []setting `json:"settings"`
}

// ProfilesReport is the JSON of config profiles.
type ProfilesReport struct {
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
func configProfiles(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "profiles", Short: "list the profiles of the configuration file", Formats: command.TableOrJSON, Secretless: true,
		Example: "  zkscope config profiles\n  zkscope config profiles -o json",
		Run: func(context.Context, command.Invocation) error {
			rows := []profileReport{}
			for _, name := range slices.Sorted(maps.Keys(c.Cfg.Profiles)) {
				p := c.Cfg.Profiles[name]
				rows = append(rows, profileReport{name, p.Servers, name == c.Cfg.Profile, p.Production, p.ReadOnly, c.Cfg.At("profiles", name)})
			}
			if c.Flags.Output == "json" {
				return c.PrintJSON(ProfilesReport{1, rows})
			}
			if len(rows) == 0 {
				_, err := fmt.Fprintf(c.Out, "no profile is in %s\n", say.Printable(c.CfgPath))
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
