package cli

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/live"
)

// thresholdsFlag declares the flag that names a file of limits.
func thresholdsFlag(fs *pflag.FlagSet, file *string) {
	fs.StringVar(file, "thresholds", "", "a file of limits on how long claims hold and wait, how many wait, how deep queues are; before those of the configuration")
}

// termsOf are how pictures are shown for a command: by the limits of a file, of the profile in use and of the configuration, and,
// where it lists recipes, without what these two hide.
func termsOf(c *command.Line, file string, lists bool) (limits.Terms, error) {
	rules, err := rulesOf(c, file)
	if err != nil {
		return limits.Terms{}, err
	}
	if _, wrong := remembered(c.Cfg.LocalHistory); wrong != "" {
		return limits.Terms{}, world.Fail(world.ExitUsage, "%s: local-history %s", say.Printable(c.Cfg.At("local-history")), wrong)
	}
	t := limits.Terms{Rules: rules}
	if !lists || c.Flags.Hidden {
		return t, nil
	}
	for _, h := range hiddenLists(c) {
		for i, glob := range h.globs {
			if wrong := command.BadGlob(glob); wrong != "" {
				return t, world.Fail(world.ExitUsage, "%s: hidden: %s", say.Printable(c.Cfg.At(append(slices.Clone(h.at), strconv.Itoa(i))...)), wrong)
			}
		}
		t.Hidden = append(t.Hidden, h.globs...)
	}
	return t, nil
}

// hiddenList is a list of what is hidden, and the keys that lead to it.
type hiddenList struct {
	globs []string
	at    []string
}

// hiddenLists are those that hold now.
func hiddenLists(c *command.Line) []hiddenList {
	out := []hiddenList{{c.Cfg.Hidden, []string{"hidden"}}}
	if name := c.ProfileInUse(); name != "" {
		out = append(out, hiddenList{c.Profile.Hidden, []string{"profiles", name, "hidden"}})
	}
	return out
}

// judged is what was seen as the terms show it, and how many recipes they hide.
func judged(seen *live.Seen, t limits.Terms) (*live.Seen, int) {
	out := *seen
	out.Result = t.Apply(seen.Result)
	return &out, seen.Models.Len() - out.Models.Len()
}

// judge is what weighs pictures that are followed; nil where nothing changes them.
func judge(t limits.Terms) func(*model.Result) *model.Result {
	if t.Empty() {
		return nil
	}
	return t.Apply
}

// hides says how many recipes are hidden, and by what.
func (r *reading) hides() {
	if r.hidden == 0 {
		return
	}
	fmt.Fprintf(r.Out, "%s by %s; --hidden shows %s\n", say.Plural(r.hidden, "recipe is hidden", "recipes are hidden"),
		say.Printable(r.CfgPath), say.Choose(r.hidden, "it", "them"))
}
