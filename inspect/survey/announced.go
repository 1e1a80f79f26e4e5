package survey

import (
	"iter"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// announces reports whether a child is the announcement of an election elsewhere, and what that was
// decided from.
func (w *walk) announces(c *znode.Node) (deps []dep, yes bool) {
	if c.Name != "leader" {
		return nil, false
	}
	for _, name := range lineNames {
		if n := w.node.Child(name); n != nil {
			deps = append(deps, dep{znode.Join(w.path, name), n})
			yes = yes || hasLine(n)
		}
	}
	up, shard := znode.Split(w.path)
	if base, ok := layout.CutSuffix(up, "/leaders"); ok {
		path := znode.Join(znode.Join(base+"/leader_elect", shard), "election")
		n := w.Snap.At(path)
		deps = append(deps, dep{path, n})
		yes = yes || n != nil && hasLine(n)
	}
	return deps, yes
}

// hasLine reports whether a directory has children that stand in line for an election.
func hasLine(n *znode.Node) bool {
	for _, c := range n.Children {
		if name := layout.ParseName(c.Name); name.HasSeq && strings.HasSuffix(name.Word, "_") ||
			isElection(layout.Of(&name, c.Data, "")) {
			return true
		}
	}
	return false
}

func isElection(l *layout.Layout) bool {
	return l != nil && (l.Kind.Leads() || l.Also.Leads())
}

// LineNames returns the names of lines that have their announcement beside them.
func LineNames() iter.Seq[string] { return slices.Values(lineNames[:]) }

var lineNames = [...]string{"election", "elect", "candidates", "ballots", "votes"}
