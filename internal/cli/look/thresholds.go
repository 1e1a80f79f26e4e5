package look

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/limits"
)

// rulesOf are the rules that hold for what is looked at: those of a file first, then those of the profile in use, then those of
// the configuration for all. An error names the place of a rule that means nothing.
func rulesOf(c *command.Line, file string) ([]limits.Rule, error) {
	var out []limits.Rule
	add := func(f *config.File, list []config.Threshold, at ...string) error {
		for i, t := range list {
			keys := append(slices.Clone(at), strconv.Itoa(i))
			rule, key, wrong := RuleOf(t)
			if wrong != "" {
				return world.Fail(world.ExitUsage, "%s: threshold: %s", say.Printable(f.At(command.RuleAt(f, keys, key)...)), wrong)
			}
			rule.From = say.Printable(f.At(keys...))
			out = append(out, rule)
		}
		return nil
	}
	if file != "" {
		if err := world.NoPipe(map[string]string{"--thresholds": file}); err != nil {
			return nil, err
		}
		f, err := world.WhileReading(func() (*config.File, error) { return config.ReadThresholds(file) })
		if err != nil {
			return nil, world.Fail(world.ExitUsage, "--thresholds: %w", err)
		}
		if err := add(f, f.Thresholds, "thresholds"); err != nil {
			return nil, err
		}
	}
	if name := c.ProfileInUse(); name != "" {
		if err := add(&c.Cfg, c.Profile.Thresholds, "profiles", name, "thresholds"); err != nil {
			return nil, err
		}
	}
	return out, add(&c.Cfg, c.Cfg.Thresholds, "thresholds")
}

// RuleOf makes a rule of what a file says; wrong says what is wrong, and key in which of its keys.
func RuleOf(t config.Threshold) (rule limits.Rule, key, wrong string) {
	rule = limits.Rule{Path: t.Path, Kind: layout.Kind(t.Kind), Code: t.Code, Severity: Severities[t.Severity], Most: map[limits.Measure]int64{}}
	if wrong := command.BadGlob(t.Path); t.Path != "" && wrong != "" {
		return rule, "path", wrong
	}
	if t.Kind != "" && !slices.Contains(command.Kinds, rule.Kind) {
		return rule, "kind", "the kind is one of " + command.Joined(command.Kinds)
	}
	if rule.Severity == 0 && !(t.Severity == "none" && t.Code != "") {
		return rule, "severity", "the severity is one of low, medium, high; with a code also none"
	}
	for _, m := range []struct {
		key, text string
		what      limits.Measure
	}{{"held", t.Held, limits.Held}, {"waited", t.Waited, limits.Waited}, {"waiting", t.Waiting, limits.Waiting},
		{"depth", t.Depth, limits.Depth}, {"age", t.Age, limits.Age}} {
		if m.text == "" {
			continue
		}
		n, wrong := limitOf(m.text, m.what == limits.Waiting || m.what == limits.Depth)
		if wrong != "" {
			return rule, m.key, m.key + " " + wrong
		}
		rule.Most[m.what] = n
	}
	switch set := len(rule.Most) > 0; {
	case t.Code != "" && set:
		return rule, "code", "a rule for a code sets no limits: write two rules"
	case t.Code == model.CodeOverThreshold:
		return rule, "code", t.Code + " has the severity of the rule whose limit is exceeded"
	case t.Code != "" && !slices.Contains(model.Codes(), t.Code):
		return rule, "code", "no finding has the code " + say.Printable(t.Code) + world.Meant(t.Code, model.Codes())
	case t.Code == "" && !set:
		return rule, "", "the rule sets no limit: held, waited, waiting, depth or age; or name a code"
	}
	return rule, "", ""
}

// limitOf reads a limit: off, a number, or a time.
func limitOf(text string, counts bool) (n int64, wrong string) {
	if text == "off" {
		return limits.Off, ""
	}
	if counts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return 0, "takes a whole number from 0, or off"
		}
		return n, ""
	}
	if days, is := strings.CutSuffix(text, "d"); is {
		if n, err := strconv.ParseInt(days, 10, 64); err == nil && n > 0 && n < 100_000 {
			return n * int64(24*time.Hour), ""
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, "takes a time above zero, as 90s, 2h or 7d, or off"
	}
	return int64(d), ""
}

// ThresholdText is a rule in one line, as it can be written.
func ThresholdText(t config.Threshold) string {
	var out []string
	for _, f := range [][2]string{{"path", t.Path}, {"kind", t.Kind}, {"code", t.Code}, {"held", t.Held}, {"waited", t.Waited},
		{"waiting", t.Waiting}, {"depth", t.Depth}, {"age", t.Age}, {"severity", t.Severity}} {
		if f[1] != "" {
			out = append(out, f[0]+": "+f[1])
		}
	}
	return strings.Join(out, ", ")
}
