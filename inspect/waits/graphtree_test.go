package waits_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Who waits for what a waiting session holds elsewhere is behind the root only if one thread does both: it is told as
// likely, and who stands in the root's own line is not.
func TestTreesThroughSessionsAreLikely(t *testing.T) {
	w := weighed(map[string][]znode.SessionID{"a": {1, 2, 5}, "b": {2, 3}, "c": {3, 4}})
	root := w.Roots[0]
	if root.Blocks != 4 || root.Across != 2 || root.Doubt() != ", 2 of them likely: threads of one process may differ" {
		t.Errorf("%+v: %q", root, root.Doubt())
	}
	across := map[znode.SessionID]bool{}
	lines, _ := w.Branches(root, 10)
	for _, b := range lines {
		across[b.Wait.From] = b.Across
		if b.Across != strings.Contains(b.Doubt(), "likely") {
			t.Errorf("%v: %q", b.Wait.From, b.Doubt())
		}
	}
	if across[2] || across[5] || !across[3] || !across[4] {
		t.Errorf("%v", across)
	}
	if r := story.NewGraphReport(w).Roots[0]; r.Blocks != 4 || r.Across != 2 {
		t.Errorf("%+v", r)
	}
}

// Whoever is behind a claim also by the line alone is behind it for certain.
func TestTreesOfOneLineAreCertain(t *testing.T) {
	for _, w := range []*waits.Waits{weighed(map[string][]znode.SessionID{"a": {1, 2, 3}}),
		weighed(map[string][]znode.SessionID{"a": {1, 2, 3}, "b": {2, 3}})} {
		if r := w.Roots[0]; r.Blocks != 2 || r.Across != 0 || r.Doubt() != "" {
			t.Errorf("%+v", r)
		}
	}
}
