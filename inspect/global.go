package inspect

import "strings"

// global returns the findings that belong to no single recipe.
func (d *decoder) global(root *memo) (out []Finding) {
	if !d.snap.Complete {
		f := Finding{Code: CodePartial, Severity: Medium, Text: "the picture is incomplete: " + Printable(strings.Join(d.snap.Partial, "; "))}
		if d.snap.loading() {
			f.Severity, f.Text = Low, "the tree is still being read"
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
		g := gather{most: 10, of: func(_ *walk, c *Node) bool { return c.unlisted() && int(c.whyUnlisted()) == why }, sum: func(m *memo) int { return m.unlisted[why] }}
		g.walk(d.snap.Base, d.snap.Root, root)
		out = append(out, Finding{Code: unlistedCodes[why], Severity: Medium, Paths: g.paths,
			Text: plural(n, "directory was", "directories were") + " not listed, " + unlistedWords[why] + ": what is in " + choose(n, "it", "them") + " is not known"})
	}
	if root.empty > 0 {
		g := gather{most: 10, of: func(w *walk, c *Node) bool { return !w.memo.own.isRecipe() && w.emptyParent(c) }, sum: func(m *memo) int { return m.empty }}
		g.walk(d.snap.Base, d.snap.Root, root)
		out = append(out, Finding{Code: CodeEmptyParents, Severity: Low, Paths: g.paths,
			Text: plural(root.empty, "directory of a lock or an election is", "directories of locks and elections are") + " empty: nobody holds, and nothing may ever remove " + choose(root.empty, "it", "them")})
	}
	sortFindings(out)
	return out
}

// untold counts directories that were not listed, by the reason.
type untold [3]int

// The reasons for which a directory is not listed.
const (
	forSize = iota
	forPermission
	forBudget
)

var (
	unlistedCodes = [3]string{forSize: CodeTooLarge, forPermission: CodeUnreadable, forBudget: CodePartial}
	unlistedWords = [3]string{forSize: "for too many children", forPermission: "for lack of permission", forBudget: "since the reader had read as many znodes as it may"}
	notListed     = [3]string{forSize: "too many to list", forPermission: "no permission to list them", forBudget: "not listed, since the reader had read as many znodes as it may"}
)

// whyUnlisted tells why the children of a znode were not listed.
func (n *Node) whyUnlisted() int {
	switch {
	case n.Has(Unreadable):
		return forPermission
	case n.Has(OverBudget):
		return forBudget
	}
	return forSize
}

// unlisted reports whether a znode's children were counted and not listed.
func (n *Node) unlisted() bool { return n.Has(NotListed) && n.NumChildren > 0 && len(n.Children) == 0 }

// gather collects the paths of the first few znodes of a sort, from the sums in the memos.
type gather struct {
	most  int
	of    func(*walk, *Node) bool
	sum   func(*memo) int
	paths []string
}

func (g *gather) walk(path string, n *Node, m *memo) {
	w := &walk{path: path, memo: m}
	for i, c := range n.Children {
		if len(g.paths) >= g.most {
			return
		}
		var sub *memo
		if m.subs != nil {
			sub = m.subs[i]
		}
		switch {
		case sub != nil && g.sum(sub) > 0:
			g.walk(Join(path, c.Name), c, sub)
		case sub == nil && len(c.Children) == 0 && addressable(c.Name) && g.of(w, c):
			g.paths = append(g.paths, Join(path, c.Name))
		}
	}
}
