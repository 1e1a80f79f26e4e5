package znode

import (
	"slices"
	"strings"
)

// TreeBuilder makes a tree of znodes that come in any order, parents implied.
type TreeBuilder struct {
	root *branch
	base string
}

// branch is a node under construction.
type branch struct {
	node   *Node
	given  bool // it was added, not only implied
	counts bool // its number of children was given too
	kids   map[string]*branch
}

// NewTreeBuilder begins a tree whose root is the znode at an absolute path.
func NewTreeBuilder(base string) *TreeBuilder {
	_, name := Split(base)
	return &TreeBuilder{root: &branch{node: &Node{Name: name}}, base: base}
}

// Add places a node at a path below the base; false when it was added before. A nil numChildren stands
// for the number of children that are added.
func (t *TreeBuilder) Add(path string, n *Node, numChildren *int32) bool {
	b := t.root
	rest, _ := Relative(t.base, path)
	if path != t.base {
		for more := true; more; {
			var name string
			name, rest, more = strings.Cut(rest, "/")
			b = b.child(name)
		}
	}
	if b.given {
		return false
	}
	n.Name = b.node.Name
	b.node, b.given, b.counts = n, true, numChildren != nil
	return true
}

func (b *branch) child(name string) *branch {
	c := b.kids[name]
	if c == nil {
		c = &branch{node: &Node{Name: name}}
		if b.kids == nil {
			b.kids = make(map[string]*branch)
		}
		b.kids[name] = c
	}
	return c
}

// Build returns the finished tree.
func (t *TreeBuilder) Build() *Node { return t.root.build() }

func (b *branch) build() *Node {
	n := b.node
	if len(b.kids) > 0 {
		n.Children = make([]*Node, 0, len(b.kids))
		for _, c := range b.kids {
			n.Children = append(n.Children, c.build())
		}
		slices.SortFunc(n.Children, func(a, b *Node) int { return strings.Compare(a.Name, b.Name) })
	}
	if !b.counts {
		n.NumChildren = int32(len(n.Children))
	}
	return n
}
