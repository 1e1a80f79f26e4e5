package settings

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/config"
)

// nameRows are the settings of where names come from.
func nameRows(c *command.Line) (out []setting) {
	n, at := look.NamesNow(c)
	for _, r := range [][2]string{{"file", n.File}, {"command", strings.Join(n.Command, " ")}, {"every", n.Every}} {
		if r[1] != "" {
			out = append(out, setting{"names." + r[0], r[1], "file", c.Cfg.At(append(slices.Clone(at), r[0])...)})
		}
	}
	return out
}

// ownRows are the settings of own commands.
func ownRows(c *command.Line) (out []setting) {
	for i, o := range c.Cfg.Commands {
		text := o.Key + " " + o.Name + ": " + strings.Join(o.Run, " ")
		if o.Looks {
			text += " (looks only)"
		}
		out = append(out, setting{"command", text, "file", c.Cfg.At("commands", strconv.Itoa(i))})
	}
	return out
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
func settingRows(c *command.Line) []setting {
	var out []setting
	for _, name := range settled {
		out = append(out, settingOf(c, name))
	}
	out = append(out, profileRows(c)...)
	for _, v := range []string{command.AuthVar, command.TLSVar} {
		if c.Getenv(v) != "" {
			out = append(out, setting{"credentials", "set", "environment", "$" + v})
		}
	}
	if kept := c.Cfg.LocalHistory; kept != "" {
		out = append(out, setting{"local-history", kept, "file", c.Cfg.At("local-history")})
	}
	given := len(c.Flags.Hints) - len(c.Cfg.Hints)
	for i, h := range c.Flags.Hints {
		s := setting{"hint", h, "flag", "--hint"}
		if i >= given {
			s.Origin, s.Place = "file", c.Cfg.At("hints", strconv.Itoa(i-given))
		}
		out = append(out, s)
	}
	if name := c.ProfileInUse(); name != "" {
		out = append(out, thresholdRows(c, c.Profile.Thresholds, "profiles", name, "thresholds")...)
	}
	out = append(out, thresholdRows(c, c.Cfg.Thresholds, "thresholds")...)
	for _, l := range c.ExpectedLists(c.ProfileInUse()) {
		for i, e := range l.List {
			out = append(out, setting{"expected", command.ExpectationText(e), "file", c.Cfg.At(append(slices.Clone(l.At), strconv.Itoa(i))...)})
		}
	}
	for _, h := range look.HiddenLists(c) {
		for i, glob := range h.Globs {
			out = append(out, setting{"hidden", glob, "file", c.Cfg.At(append(slices.Clone(h.At), strconv.Itoa(i))...)})
		}
	}
	out = append(out, nameRows(c)...)
	out = append(out, ownRows(c)...)
	for _, name := range slices.Sorted(maps.Keys(c.Cfg.Keys)) {
		out = append(out, setting{"keys." + name, strings.Join(c.Cfg.Keys[name], " "), "file", c.Cfg.At("keys", name)})
	}
	return out
}

// thresholdRows are the rules of a list, in the order in which they are asked.
func thresholdRows(c *command.Line, list []config.Threshold, at ...string) (out []setting) {
	for i, t := range list {
		out = append(out, setting{"threshold", look.ThresholdText(t), "file", c.Cfg.At(append(slices.Clone(at), strconv.Itoa(i))...)})
	}
	return out
}

// settingOf is the setting of a flag, whose value holds what the file and the profile had to add.
func settingOf(c *command.Line, name string) setting {
	f := c.Given.Lookup(name)
	s := setting{Key: name, Value: strings.TrimSuffix(strings.TrimPrefix(f.Value.String(), "["), "]"), Origin: "default"}
	keys := []string{name}
	if p := c.ProfileInUse(); p != "" && !slices.Contains([]string{"theme", "ascii", "mouse"}, name) {
		keys = []string{"profiles", p, name}
	}
	_, inFile := c.Cfg.Lines[config.Key(keys...)]
	switch either := f.Value.Type() == "bool"; {
	case inFile && either && s.Value == "true", inFile && !f.Changed:
		s.Origin, s.Place = "file", c.Cfg.At(keys...)
	case f.Changed:
		s.Origin, s.Place = "flag", "--"+name
	case name == "servers" && s.Value == "" && c.Getenv("ZKSCOPE_SERVERS") != "":
		s.Value, s.Origin, s.Place = c.Getenv("ZKSCOPE_SERVERS"), "environment", "$ZKSCOPE_SERVERS"
	}
	if s.Value == "" {
		s.Value = otherwise(c, name)
	}
	return s
}

// otherwise is what holds where nothing is said.
func otherwise(c *command.Line, name string) string {
	switch name {
	case "servers":
		return command.DefaultServers
	case "auth-file": // a profile's is not put into the flag
		return say.Either(c.ProfileInUse() != "", c.Profile.AuthFile, "")
	case "theme":
		return "auto"
	case "tls-min":
		return "1.2"
	case "sasl-service":
		return "zookeeper"
	case "audit-log":
		return filepath.Join(c.StateHome(), "zkscope", "audit.jsonl")
	}
	return ""
}

// profileRows are the settings that only a profile has.
func profileRows(c *command.Line) (out []setting) {
	name := c.ProfileInUse()
	if name == "" {
		return nil
	}
	p := c.Profile
	for _, r := range []struct{ key, value string }{{"production", strconv.FormatBool(p.Production)}, {"require-reason", strconv.FormatBool(p.NeedReason)},
		{"auth-env", p.AuthEnv}, {"auth-command", strings.Join(p.AuthCommand, " ")}} {
		s := setting{Key: r.key, Value: r.value, Origin: "default"}
		if _, ok := c.Cfg.Lines[config.Key("profiles", name, r.key)]; ok {
			s.Origin, s.Place = "file", c.Cfg.At("profiles", name, r.key)
		}
		out = append(out, s)
	}
	return out
}
