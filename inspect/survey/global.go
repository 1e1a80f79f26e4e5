package survey

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// global returns the findings that belong to no single recipe.
func (d *Decoder) global(root *memo) (out []model.Finding) {
	if !d.Snap.Complete {
		f := model.Finding{Code: model.CodePartial, Severity: model.Medium, Text: "the picture is incomplete: " +
			say.Printable(strings.Join(d.Snap.Partial, "; "))}
		if d.Snap.Loading() {
			f.Severity, f.Text = model.Low, "the tree is still being read"
		}
		out = append(out, f)
	}
	if root == nil {
		return out
	}
	for why, n := range root.unlisted {
		if n <= 0 {
			continue
		}
		g := gather{most: 10, of: func(_ *walk, c *znode.Node) bool {
			return c.Unlisted() &&
				int(c.WhyUnlisted()) == why
		}, sum: func(m *memo) int { return m.unlisted[why] }}
		g.walk(d.Snap.Base, d.Snap.Root, root)
		out = append(out, model.Finding{Code: unlistedCodes[why], Severity: model.Medium, Paths: g.paths,
			Text: say.Plural(n, "directory was", "directories were") + " not listed, " + unlistedWords[why] +
				": what is in " + say.Choose(n, "it", "them") + " is not known"})
	}
	if root.empty > 0 {
		g := gather{most: 10, of: func(w *walk, c *znode.Node) bool {
			return !w.memo.own.isRecipe() &&
				w.emptyParent(c)
		}, sum: func(m *memo) int { return m.empty }}
		g.walk(d.Snap.Base, d.Snap.Root, root)
		out = append(out, model.Finding{Code: model.CodeEmptyParents, Severity: model.Low, Paths: g.paths,
			Text: say.Plural(root.empty, "directory of a lock or an election is",
				"directories of locks and elections are") +
				" empty now: one in use is so between two turns, and what nobody uses any more nothing may ever remove"})
	}
	model.SortFindings(out)
	return out
}

// untold counts directories that were not listed, by the reason.
type untold [3]int

var (
	unlistedCodes = [3]string{znode.ForSize: model.CodeTooLarge, znode.ForPermission: model.CodeUnreadable,
		znode.ForBudget: model.CodePartial}
	unlistedWords = [3]string{znode.ForSize: "for too many children", znode.ForPermission: "for lack of permission",
		znode.ForBudget: "since the reader had read as many znodes as it may"}
	notListed = [3]string{znode.ForSize: "too many to list", znode.ForPermission: "no permission to list them",
		znode.ForBudget: "not listed, since the reader had read as many znodes as it may"}
)

// gather collects the paths of the first few znodes of a sort, from the sums in the memos.
type gather struct {
	most  int
	of    func(*walk, *znode.Node) bool
	sum   func(*memo) int
	paths []string
}

func (g *gather) walk(path string, n *znode.Node, m *memo) {
	w := &walk{path: path, memo: m}
	for i, c := range n.Children {
		if len(g.paths) >= g.most {
			return
		}
		sub := m.subs.at(i)
		switch {
		case sub != nil && g.sum(sub) > 0:
			g.walk(znode.Join(path, c.Name), c, sub)
		case sub == nil && len(c.Children) == 0 && znode.Addressable(c.Name) && g.of(w, c):
			g.paths = append(g.paths, znode.Join(path, c.Name))
		}
	}
}
