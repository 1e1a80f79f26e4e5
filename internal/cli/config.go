package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/config"
)

// configuration tells what is set, by whom, and what is wrong with it.
func configuration(c *command) subcommand {
	return subcommand{use: "config", short: "print every setting and where it comes from", args: cobra.NoArgs, formats: tableOrJSON, secretless: true,
		long: "Print every setting as it holds for this command line, and where it comes from: its default, the configuration file with\n" +
			"the line, the environment, or a flag. Credentials are not printed, nor read; nothing is connected to.",
		example: "  zkscope config\n  zkscope config --profile prod -o json",
		subs:    []subcommand{configCheck(c), configProfiles(c)},
		run: func(context.Context, invocation) error {
			if _, err := c.target(nil, false); err != nil {
				return err
			}
			rows := c.settingRows()
			if c.flags.output == "json" {
				return c.printJSON(settingsReport{1, c.cfgPath, c.cfg.Name != "", c.profileInUse(), rows})
			}
			found := say.Either(c.cfg.Name != "", c.cfgPath, c.cfgPath+", which is not there")
			fmt.Fprintf(c.Out, "configuration file: %s\n", say.Printable(found))
			lines := [][]string{{"SETTING", "VALUE", "FROM"}}
			for _, r := range rows {
				lines = append(lines, []string{say.Printable(r.Key), say.Printable(say.Either(r.Value == "", "-", r.Value)), say.Printable(r.from())})
			}
			printTable(c.Out, lines)
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

// setting is one value and where it comes from.
type setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`          // default, file, environment or flag
	Place  string `json:"place,omitempty"` // file:line, the variable, or the flag
}

func (s setting) from() string {
	if s.Place != "" {
		return s.Place
	}
	return s.Origin
}

// settled are the flags whose values are settings, in the order in which they are told.
var settled = []string{"servers", "root", "read-only", "max-children", "timeout", "session-timeout", "admin", "4lw", "map", "prefer-observer",
	"auth-file", "jaas", "keytab", "sasl-service", "sasl-host",
	"tls", "tls-ca", "tls-cert", "tls-key", "tls-name", "tls-min", "tls-password-file", "audit-log", "theme", "ascii", "mouse"}

// settingRows are all settings.
func (c *command) settingRows() []setting {
	var out []setting
	for _, name := range settled {
		out = append(out, c.settingOf(name))
	}
	out = append(out, c.profileRows()...)
	for _, v := range []string{authVar, tlsVar} {
		if c.Getenv(v) != "" {
			out = append(out, setting{"credentials", "set", "environment", "$" + v})
		}
	}
	if kept := c.cfg.LocalHistory; kept != "" {
		out = append(out, setting{"local-history", kept, "file", c.cfg.At("local-history")})
	}
	given := len(c.flags.hints) - len(c.cfg.Hints)
	for i, h := range c.flags.hints {
		s := setting{"hint", h, "flag", "--hint"}
		if i >= given {
			s.Origin, s.Place = "file", c.cfg.At("hints", strconv.Itoa(i-given))
		}
		out = append(out, s)
	}
	if name := c.profileInUse(); name != "" {
		out = append(out, c.thresholdRows(c.profile.Thresholds, "profiles", name, "thresholds")...)
	}
	out = append(out, c.thresholdRows(c.cfg.Thresholds, "thresholds")...)
	for _, l := range c.expectedLists(c.profileInUse()) {
		for i, e := range l.list {
			out = append(out, setting{"expected", expectationText(e), "file", c.cfg.At(append(slices.Clone(l.at), strconv.Itoa(i))...)})
		}
	}
	for _, h := range c.hiddenLists() {
		for i, glob := range h.globs {
			out = append(out, setting{"hidden", glob, "file", c.cfg.At(append(slices.Clone(h.at), strconv.Itoa(i))...)})
		}
	}
	out = append(out, c.nameRows()...)
	out = append(out, c.ownRows()...)
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Keys)) {
		out = append(out, setting{"keys." + name, strings.Join(c.cfg.Keys[name], " "), "file", c.cfg.At("keys", name)})
	}
	return out
}

// thresholdRows are the rules of a list, in the order in which they are asked.
func (c *command) thresholdRows(list []config.Threshold, at ...string) (out []setting) {
	for i, t := range list {
		out = append(out, setting{"threshold", thresholdText(t), "file", c.cfg.At(append(slices.Clone(at), strconv.Itoa(i))...)})
	}
	return out
}

// settingOf is the setting of a flag, whose value holds what the file and the profile had to add.
func (c *command) settingOf(name string) setting {
	f := c.set.Lookup(name)
	s := setting{Key: name, Value: strings.TrimSuffix(strings.TrimPrefix(f.Value.String(), "["), "]"), Origin: "default"}
	keys := []string{name}
	if p := c.profileInUse(); p != "" && !slices.Contains([]string{"theme", "ascii", "mouse"}, name) {
		keys = []string{"profiles", p, name}
	}
	_, inFile := c.cfg.Lines[config.Key(keys...)]
	switch either := f.Value.Type() == "bool"; {
	case inFile && either && s.Value == "true", inFile && !f.Changed:
		s.Origin, s.Place = "file", c.cfg.At(keys...)
	case f.Changed:
		s.Origin, s.Place = "flag", "--"+name
	case name == "servers" && s.Value == "" && c.Getenv("ZKSCOPE_SERVERS") != "":
		s.Value, s.Origin, s.Place = c.Getenv("ZKSCOPE_SERVERS"), "environment", "$ZKSCOPE_SERVERS"
	}
	if s.Value == "" {
		s.Value = c.otherwise(name)
	}
	return s
}

// otherwise is what holds where nothing is said.
func (c *command) otherwise(name string) string {
	switch name {
	case "servers":
		return defaultServers
	case "auth-file": // a profile's is not put into the flag
		return say.Either(c.profileInUse() != "", c.profile.AuthFile, "")
	case "theme":
		return "auto"
	case "tls-min":
		return "1.2"
	case "sasl-service":
		return "zookeeper"
	case "audit-log":
		return filepath.Join(c.stateHome(), "zkscope", "audit.jsonl")
	}
	return ""
}

// profileRows are the settings that only a profile has.
func (c *command) profileRows() (out []setting) {
	name := c.profileInUse()
	if name == "" {
		return nil
	}
	p := c.profile
	for _, r := range []struct{ key, value string }{{"production", strconv.FormatBool(p.Production)}, {"require-reason", strconv.FormatBool(p.NeedReason)},
		{"auth-env", p.AuthEnv}, {"auth-command", strings.Join(p.AuthCommand, " ")}} {
		s := setting{Key: r.key, Value: r.value, Origin: "default"}
		if _, ok := c.cfg.Lines[config.Key("profiles", name, r.key)]; ok {
			s.Origin, s.Place = "file", c.cfg.At("profiles", name, r.key)
		}
		out = append(out, s)
	}
	return out
}

// configProfiles lists the ensembles that have names.
func configProfiles(c *command) subcommand {
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
			printTable(c.Out, lines)
			return nil
		}}
}
