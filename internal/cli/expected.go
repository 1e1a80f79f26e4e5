package cli

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

// expectedList is a list of expectations, and the keys that lead to it.
type expectedList struct {
	list []config.Expected
	at   []string
}

// expectedLists are those that hold for a profile, and for all.
func (c *Line) expectedLists(profile string) (out []expectedList) {
	if profile != "" {
		out = append(out, expectedList{c.profile.Expected, []string{"profiles", profile, "expected"}})
	}
	return append(out, expectedList{c.cfg.Expected, []string{"expected"}})
}

// expectations are hints that somebody should take part; those that mean nothing were refused before.
func (c *Line) expectations() (out []model.Hint) {
	for _, l := range c.expectedLists(c.profileInUse()) {
		for _, e := range l.list {
			h, _, _ := expectationOf(e)
			out = append(out, h)
		}
	}
	return out
}

// checkExpected refuses expectations that mean nothing, with their place.
func (c *Line) checkExpected() error {
	for _, l := range c.expectedLists(c.profileName) {
		for i, e := range l.list {
			if _, key, wrong := expectationOf(e); wrong != "" {
				at := ruleAt(&c.cfg, append(slices.Clone(l.at), strconv.Itoa(i)), key)
				return world.Fail(world.ExitUsage, "%s: expected: %s", say.Printable(c.cfg.At(at...)), wrong)
			}
		}
	}
	return nil
}

// expectationOf makes a hint of what a file says; wrong says what is wrong, and key in which of its keys.
func expectationOf(e config.Expected) (h model.Hint, key, wrong string) {
	h = model.Hint{Path: e.Path, Members: e.Members, Present: true}
	if wrong := badGlob(e.Path); wrong != "" {
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

// expectationText is an expectation in one line, as it can be written.
func expectationText(e config.Expected) string {
	out := "path: " + e.Path
	for _, f := range [][2]string{{"participants", e.Participants}, {"standby", e.Standby}, {"members", strings.Join(e.Members, " ")}} {
		if f[1] != "" {
			out += ", " + f[0] + ": " + f[1]
		}
	}
	return out
}

// badGlob says what is wrong with a glob of paths; empty: nothing.
func badGlob(glob string) string {
	if _, err := path.Match(glob, ""); err != nil || !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "**") {
		return strconv.Quote(glob) + " is not a glob of a path, as /locks/*"
	}
	return ""
}
