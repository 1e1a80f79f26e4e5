package znode

import (
	"slices"
	"strings"
)

// Editor changes a tree of znodes in place as far as nobody else has seen it: a node is copied when it is changed for
// the first time after the tree was handed out. It is for one goroutine; Begin comes first.
type Editor struct {
	base string
	root *Node
	own  map[*Node]bool // not handed out yet
}

// Begin starts from a tree that others may see, at an absolute path.
func (e *Editor) Begin(base string, root *Node) {
	e.base, e.root = base, root
	if e.own == nil {
		e.own = make(map[*Node]bool)
	}
	clear(e.own)
}

// Tree hands the tree out: it is not changed again.
func (e *Editor) Tree() *Node {
	clear(e.own)
	return e.root
}

// mine returns a node that may be changed in place of one that may not.
func (e *Editor) mine(n *Node) *Node {
	if e.own[n] {
		return n
	}
	c := *n
	c.Children = slices.Clone(n.Children)
	e.own[&c] = true
	return &c
}

// Open returns the node at a path for changes, which are for the time until Tree is called, and its parent, nil above
// the root and below a znode that is missing. Missing ancestors are made where that is wanted; the node is nil
// where there is none.
func (e *Editor) Open(path string, create bool) (parent, node *Node) {
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
		case !more:
			return parent, nil
		case !create:
			return nil, nil
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

func (e *Editor) insert(parent *Node, i int, n *Node) *Node {
	parent.Children = slices.Insert(parent.Children, i, n)
	CountChildren(parent)
	e.own[n] = true
	return n
}

// Put sets a znode, its children kept, missing ancestors implied.
func (e *Editor) Put(path string, n *Node) {
	parent, old := e.Open(path, true)
	if old != nil {
		replaceNode(old, n)
		return
	}
	c := *n
	c.NumChildren = max(c.NumChildren, 0)
	i, _ := parent.slot(c.Name)
	e.insert(parent, i, &c)
}

// Remove takes a znode away with all below it; the root stays.
func (e *Editor) Remove(path string) {
	if path == e.base {
		return
	}
	parent, n := e.Open(path, false)
	if n == nil {
		return
	}
	i, _ := parent.slot(n.Name)
	if parent.Children = slices.Delete(parent.Children, i, i+1); len(parent.Children) == 0 {
		parent.Children = nil
	}
	CountChildren(parent)
	e.forget(n)
}

// forget lets go of a subtree that is no part of the tree any more.
func (e *Editor) forget(n *Node) {
	delete(e.own, n)
	for _, c := range n.Children {
		e.forget(c)
	}
}

// CountChildren sets the number of children to what is listed: a recording says of a parent's own stat
// only what its next line says.
func CountChildren(parent *Node) { parent.NumChildren = int32(len(parent.Children)) }

// replaceNode overwrites all of a node but its name and children.
func replaceNode(old, n *Node) {
	name, kids := old.Name, old.Children
	*old = *n
	old.Name, old.Children = name, kids
	if n.NumChildren == Uncounted {
		CountChildren(old)
	}
}

// Uncounted stands for a number of children that a put does not say.
const Uncounted = -1
