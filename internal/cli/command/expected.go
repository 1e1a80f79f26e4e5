package command

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
)

// ExpectedList is a list of expectations, and the keys that lead to it.
type ExpectedList struct {
	List []config.Expected
	At   []string
}

// ExpectedLists are those that hold for a profile, and for all.
func (c *Line) ExpectedLists(profile string) (out []ExpectedList) {
	if profile != "" {
		out = append(out, ExpectedList{c.Profile.Expected, []string{"profiles", profile, "expected"}})
	}
	return append(out, ExpectedList{c.Cfg.Expected, []string{"expected"}})
}

// expectations are hints that somebody should take part; those that mean nothing were refused before.
func (c *Line) expectations() (out []model.Hint) {
	for _, l := range c.ExpectedLists(c.ProfileInUse()) {
		for _, e := range l.List {
			h, _, _ := ExpectationOf(e)
			out = append(out, h)
		}
	}
	return out
}

// CheckExpected refuses expectations that mean nothing, with their place.
func (c *Line) CheckExpected() error {
	for _, l := range c.ExpectedLists(c.profileName) {
		for i, e := range l.List {
			if _, key, wrong := ExpectationOf(e); wrong != "" {
				at := RuleAt(&c.Cfg, append(slices.Clone(l.At), strconv.Itoa(i)), key)
				return world.Fail(world.ExitUsage, "%s: expected: %s", say.Printable(c.Cfg.At(at...)), wrong)
			}
		}
	}
	return nil
}

// ExpectationOf makes a hint of what a file says; wrong says what is wrong, and key in which of its keys.
func ExpectationOf(e config.Expected) (h model.Hint, key, wrong string) {
	h = model.Hint{Path: e.Path, Members: e.Members, Present: true}
	if wrong := BadGlob(e.Path); wrong != "" {
		return h, "path", wrong
	}
	for _, n := range []struct {
		key, text string
		into      *int
	}{{"participants", e.Participants, &h.Needed}, {"standby", e.Standby, &h.Standby}} {
		if n.text == "" {
			continue
		}
		v, err := strconv.Atoi(n.text)
		if err != nil || v < 1 {
			return h, n.key, n.key + " takes a whole number from 1"
		}
		*n.into = v
	}
	return h, "", ""
}

// ExpectationText is an expectation in one line, as it can be written.
func ExpectationText(e config.Expected) string {
	out := "path: " + e.Path
	for _, f := range [][2]string{{"participants", e.Participants}, {"standby", e.Standby}, {"members", strings.Join(e.Members, " ")}} {
		if f[1] != "" {
			out += ", " + f[0] + ": " + f[1]
		}
	}
	return out
}

// BadGlob says what is wrong with a glob of paths; empty: nothing.
func BadGlob(glob string) string {
	if _, err := path.Match(glob, ""); err != nil || !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "**") {
		return strconv.Quote(glob) + " is not a glob of a path, as /locks/*"
	}
	return ""
}
