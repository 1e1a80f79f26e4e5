package mirror

import (
	"slices"
	"sort"
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// edit is what is now known of one path.
type edit struct {
	path string
	node *znode.Node // without children; nil: it does not exist
}

// editor applies edits to a tree by copying the directories on the way, and notes what they lead to. The
// tree that it is given does not change.
type editor struct {
	opts *Options
	room int               // for more znodes
	bad  func(string) bool // a directory that must not be listed

	added, removed int
	full           bool     // a znode was left out for lack of room
	suspects       []string // directories that have other children than their stat says
	orphans        []string // paths whose parent is not there
	unlisted       []string // directories whose children are no longer listed
	opened         []string // directories that are no crowds any more: all of their children are to be read
}

// over reports whether there is no room for more znodes.
func (e *editor) over() bool { return e.added-e.removed >= e.room }

// apply returns the tree with the edits, which are in the order of znode.ComparePaths and at or below the root.
func (e *editor) apply(root *znode.Node, edits []edit) *znode.Node {
	if len(edits) == 0 {
		return root
	}
	return e.child(root, e.opts.Root, edits)
}

// child applies edits at and below one znode; old and the result may be nil.
func (e *editor) child(old *znode.Node, path string, edits []edit) *znode.Node {
	now := old
	if edits[0].path == path {
		now = e.replace(path, old, edits[0].node)
		edits = edits[1:]
		if now == nil {
			return nil
		}
	}
	if now == nil {
		e.orphans = append(e.orphans, path)
		return nil
	}
	if len(edits) == 0 || now.Has(znode.NotListed) {
		return now
	}
	return e.below(now, path, edits)
}

// below applies edits that lie strictly below a directory.
func (e *editor) below(n *znode.Node, path string, edits []edit) *znode.Node {
	prefix := znode.Join(path, "")
	var out []*znode.Node // nil while nothing differs
	i := 0
	for len(edits) > 0 {
		name, k := group(edits, len(prefix))
		j := i + sort.Search(len(n.Children)-i, func(x int) bool { return n.Children[i+x].Name >= name })
		var old *znode.Node
		next := j
		if j < len(n.Children) && n.Children[j].Name == name {
			old, next = n.Children[j], j+1
		}
		now := e.child(old, prefix+name, edits[:k])
		if now != old && out == nil {
			out = append(make([]*znode.Node, 0, len(n.Children)+len(edits)), n.Children[:i]...)
		}
		if out != nil {
			out = append(out, n.Children[i:j]...)
			if now != nil {
				out = append(out, now)
			}
		}
		i, edits = next, edits[k:]
	}
	if out == nil {
		return n
	}
	n = withChildren(n, append(out, n.Children[i:]...), n.Flags)
	e.check(path, n)
	return n
}

// group returns the first component after the prefix, and how many edits share it.
func group(edits []edit, prefix int) (name string, n int) {
	name, _, _ = strings.Cut(edits[0].path[prefix:], "/")
	end := prefix + len(name)
	for n = 1; n < len(edits); n++ {
		p := edits[n].path
		if len(p) < end || p[prefix:end] != name || len(p) > end && p[end] != '/' {
			break
		}
	}
	return name, n
}

// replace puts a fresh node in the place of an old one and decides which children it has.
func (e *editor) replace(path string, old, fresh *znode.Node) *znode.Node {
	switch {
	case fresh == nil:
		e.removed += count(old)
		return nil
	case old == nil && e.over():
		e.full = true
		return nil
	case old == nil:
		e.added++
	}
	var children []*znode.Node
	wasNotListed, wasCrowd := false, false
	if old != nil && old.Czxid == fresh.Czxid {
		children, wasNotListed, wasCrowd = old.Children, old.Has(znode.NotListed), old.Has(znode.NamesRead)
	} else if old != nil {
		e.removed += count(old) - 1
	}
	flags := fresh.Flags &^ listing
	switch {
	case wasCrowd && e.stillCrowd(path, fresh):
		flags |= znode.NamesRead
	case wasCrowd && !e.tooMany(path, fresh, true):
		e.opened = append(e.opened, path)
	case e.tooMany(path, fresh, wasNotListed):
		flags |= znode.NotListed
		if wasNotListed && int(fresh.NumChildren) <= e.opts.MaxChildren {
			flags |= old.Flags & znode.OverBudget
		}
		for _, c := range children {
			e.removed += count(c)
		}
		children = nil
		if !wasNotListed {
			e.unlisted = append(e.unlisted, path)
		}
	}
	n := withChildren(fresh, children, flags)
	e.check(path, n)
	return n
}

// stillCrowd reports whether a directory of which the names are known stays one.
func (e *editor) stillCrowd(path string, n *znode.Node) bool {
	return !n.Has(znode.Unreadable) && int(n.NumChildren) > e.opts.MaxChildren-e.opts.MaxChildren/10 && !e.bad(path)
}

// tooMany reports whether a directory's children are counted and not listed. One that was not listed is
// listed again only when it has shrunk well below the limit.
func (e *editor) tooMany(path string, n *znode.Node, was bool) bool {
	if n.NumChildren == 0 {
		return false
	}
	limit := e.opts.MaxChildren
	if was {
		limit -= limit / 10
	}
	return n.Has(znode.Unreadable) || int(n.NumChildren) > limit || was && (e.over() || e.bad(path))
}

// check notes a directory that has other children than its stat says.
func (e *editor) check(path string, n *znode.Node) {
	if mismatch(e.opts, path, n) {
		e.suspects = append(e.suspects, path)
	}
}

// mismatch reports whether a directory has other children than its stat says.
func mismatch(o *Options, path string, n *znode.Node) bool {
	if n.Has(znode.NotListed) {
		return false
	}
	want := int(n.NumChildren)
	if path == "/" && o.skipped {
		want--
	}
	return len(n.Children) != want
}

// filled returns the tree with the children of one directory, of which the names are known.
func filled(root *znode.Node, rest string, children []*znode.Node) *znode.Node {
	out := *root
	if rest == "" {
		out.Children, out.Flags = children, out.Flags&^listing|znode.NamesRead
		return &out
	}
	name, below, _ := strings.Cut(rest, "/")
	i := sort.Search(len(root.Children), func(i int) bool { return root.Children[i].Name >= name })
	out.Children = slices.Clone(root.Children)
	out.Children[i] = filled(root.Children[i], below, children)
	return &out
}

// count returns the number of znodes at and below n.
func count(n *znode.Node) int {
	if n == nil {
		return 0
	}
	total := 1
	for _, c := range n.Children {
		total += count(c)
	}
	return total
}

// at returns the znode at a path, or nil.
func at(root *znode.Node, base, path string) *znode.Node {
	if root == nil {
		return nil
	}
	s := znode.Snapshot{Root: root, Base: base}
	return s.At(path)
}

// after returns up to n of the wanted znodes that follow a path in znode.ComparePaths ("" for the start), and the
// path to go on from; empty when the end was reached. It looks at a bounded number of znodes, and appends to into.
func after(into []ask, root *znode.Node, base, from string, n int, want func(*znode.Node) bool) (asks []ask, next string) {
	if root == nil {
		return into, ""
	}
	v := visitor{left: n, steps: 5 * n, want: want, asks: into}
	rest, on := znode.Relative(base, from)
	dir, name := znode.Split(base)
	if v.visit(root, dir, name, rest, on && from != "") {
		return v.asks, ""
	}
	return v.asks, znode.Join(v.dir, v.name)
}

// visitor walks a tree in znode.ComparePaths from somewhere in it.
type visitor struct {
	left, steps int
	want        func(*znode.Node) bool
	asks        []ask
	dir, name   string // the last one looked at
}

// visit returns false when it has enough. passed says that the walk begins at or below n, at rest.
func (v *visitor) visit(n *znode.Node, dir, name, rest string, passed bool) bool {
	if !passed {
		if v.left == 0 || v.steps == 0 {
			return false
		}
		v.steps--
		v.dir, v.name = dir, name
		if v.want(n) {
			v.asks = append(v.asks, askFor(dir, name, n))
			v.left--
		}
	}
	if len(n.Children) == 0 {
		return true
	}
	path, i := znode.Join(dir, name), 0
	first, below, _ := strings.Cut(rest, "/")
	if passed && rest != "" {
		i = sort.Search(len(n.Children), func(x int) bool { return n.Children[x].Name >= first })
	}
	for ; i < len(n.Children); i++ {
		c := n.Children[i]
		on := passed && rest != "" && c.Name == first
		if !v.visit(c, path, c.Name, below, on) {
			return false
		}
	}
	return true
}
