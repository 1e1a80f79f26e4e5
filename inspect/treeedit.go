package inspect

import (
	"slices"
	"strings"
)

// treeEdit changes a tree in place as far as nobody else has seen it: a node is copied when it is changed for the first
// time after the tree was handed out.
type treeEdit struct {
	base string
	root *Node
	own  map[*Node]bool // not handed out yet
}

// begin starts from a tree that others may see.
func (e *treeEdit) begin(base string, root *Node) {
	e.base, e.root = base, root
	if e.own == nil {
		e.own = make(map[*Node]bool)
	}
	clear(e.own)
}

// tree hands the tree out: it is not changed again.
func (e *treeEdit) tree() *Node {
	clear(e.own)
	return e.root
}

// mine returns a node that may be changed in place of one that may not.
func (e *treeEdit) mine(n *Node) *Node {
	if e.own[n] {
		return n
	}
	c := *n
	c.Children = slices.Clone(n.Children)
	e.own[&c] = true
	return &c
}

// open returns the node at a path for changes, and its parent; missing ancestors are made where that is wanted, else the
// node is nil. The node itself is nil where there is none.
func (e *treeEdit) open(path string, create bool) (parent, node *Node) {
	e.root = e.mine(e.root)
	node = e.root
	if path == e.base {
		return nil, node
	}
	rest, _ := Relative(e.base, path)
	for {
		name, below, more := strings.Cut(rest, "/")
		parent = node
		i, found := parent.slot(name)
		switch {
		case found:
			node = e.mine(parent.Children[i])
			parent.Children[i] = node
		case !more || !create:
			return parent, nil
		default:
			node = e.insert(parent, i, &Node{Name: name})
		}
		if !more {
			return parent, node
		}
		rest = below
	}
}

// slot returns where a name is among the children, or belongs.
func (n *Node) slot(name string) (int, bool) {
	i := n.index(name)
	return i, i < len(n.Children) && n.Children[i].Name == name
}

func (e *treeEdit) insert(parent *Node, i int, n *Node) *Node {
	parent.Children = slices.Insert(parent.Children, i, n)
	countChildren(parent)
	e.own[n] = true
	return n
}

// put sets a znode, its children kept, missing ancestors implied.
func (e *treeEdit) put(path string, n *Node) {
	parent, old := e.open(path, true)
	if old != nil {
		replaceNode(old, n)
		return
	}
	c := *n
	c.NumChildren = max(c.NumChildren, 0)
	i, _ := parent.slot(c.Name)
	e.insert(parent, i, &c)
}

// remove takes a znode away with all below it; the root stays.
func (e *treeEdit) remove(path string) {
	if path == e.base {
		return
	}
	parent, n := e.open(path, false)
	if n == nil {
		return
	}
	i, _ := parent.slot(n.Name)
	if parent.Children = slices.Delete(parent.Children, i, i+1); len(parent.Children) == 0 {
		parent.Children = nil
	}
	countChildren(parent)
}

// countChildren sets the number of children to what is listed: a recording says of a parent's own stat
// only what its next line says.
func countChildren(parent *Node) { parent.NumChildren = int32(len(parent.Children)) }

// replaceNode overwrites all of a node but its name and children.
func replaceNode(old, n *Node) {
	name, kids := old.Name, old.Children
	*old = *n
	old.Name, old.Children = name, kids
	if n.NumChildren == uncounted {
		countChildren(old)
	}
}

// uncounted stands for a number of children that a put does not say.
const uncounted = -1
