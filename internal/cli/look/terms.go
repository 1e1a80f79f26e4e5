package look

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

// ThresholdsFlag declares the flag that names a file of limits.
func ThresholdsFlag(fs *pflag.FlagSet, file *string) {
	fs.StringVar(file, "thresholds", "", "a file of limits on how long claims hold and wait, how many wait, how deep queues are; before those of the configuration")
}

// TermsOf are how pictures are shown for a command: by the limits of a file, of the profile in use and of the configuration, and,
// where it lists recipes, without what these two hide.
func TermsOf(c *command.Line, file string, lists bool) (limits.Terms, error) {
	rules, err := rulesOf(c, file)
	if err != nil {
		return limits.Terms{}, err
	}
	if _, wrong := Remembered(c.Cfg.LocalHistory); wrong != "" {
		return limits.Terms{}, world.Fail(world.ExitUsage, "%s: local-history %s", say.Printable(c.Cfg.At("local-history")), wrong)
	}
	t := limits.Terms{Rules: rules}
	if !lists || c.Flags.Hidden {
		return t, nil
	}
	for _, h := range HiddenLists(c) {
		for i, glob := range h.Globs {
			if wrong := command.BadGlob(glob); wrong != "" {
				return t, world.Fail(world.ExitUsage, "%s: hidden: %s", say.Printable(c.Cfg.At(append(slices.Clone(h.At), strconv.Itoa(i))...)), wrong)
			}
		}
		t.Hidden = append(t.Hidden, h.Globs...)
	}
	return t, nil
}

// HiddenList is a list of what is hidden, and the keys that lead to it.
type HiddenList struct {
	Globs []string
	At    []string
}

// HiddenLists are those that hold now.
func HiddenLists(c *command.Line) []HiddenList {
	out := []HiddenList{{c.Cfg.Hidden, []string{"hidden"}}}
	if name := c.ProfileInUse(); name != "" {
		out = append(out, HiddenList{c.Profile.Hidden, []string{"profiles", name, "hidden"}})
	}
	return out
}

// Judged is what was seen as the terms show it, and how many recipes they hide.
func Judged(seen *live.Seen, t limits.Terms) (*live.Seen, int) {
	out := *seen
	out.Result = t.Apply(seen.Result)
	return &out, seen.Models.Len() - out.Models.Len()
}

// Judge is what weighs pictures that are followed; nil where nothing changes them.
func Judge(t limits.Terms) func(*model.Result) *model.Result {
	if t.Empty() {
		return nil
	}
	return t.Apply
}

// Hides says how many recipes are hidden, and by what.
func (r *Reading) Hides() {
	if r.Hidden == 0 {
		return
	}
	fmt.Fprintf(r.Out, "%s by %s; --hidden shows %s\n", say.Plural(r.Hidden, "recipe is hidden", "recipes are hidden"),
		say.Printable(r.CfgPath), say.Choose(r.Hidden, "it", "them"))
}
