package mirror

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/znode"
)

// match finds the nodes that we know already.
func (d *dir) match(old *znode.Node) {
	if old == nil || len(old.Children) == 0 {
		return
	}
	d.olds = make([]*znode.Node, len(d.names))
	i := 0
	for j, name := range d.names {
		for i < len(old.Children) && old.Children[i].Name < name {
			i++
		}
		if i < len(old.Children) && old.Children[i].Name == name {
			d.olds[j] = old.Children[i]
		}
	}
}

// finish counts one child as complete, and completes the directories above as far as possible.
func (l *loader) finish(d *dir) {
	for d.left--; d.left == 0 && d.up != nil; d.left-- {
		d.close()
		d = d.up
	}
}

// complete completes a directory that has no children left to wait for.
func (l *loader) complete(d *dir) {
	d.close()
	l.finish(d.up)
}

// close gives a directory's node its children.
func (d *dir) close() {
	up, i := d.up, d.slot
	delete(up.kids, i)
	up.nodes[i] = withChildren(up.nodes[i], d.present(), up.nodes[i].Flags&^listing|d.omitted)
	*d = dir{up: up, slot: i} // names and olds are not needed any more
}

// present returns the children that are there.
func (d *dir) present() []*znode.Node {
	return slices.DeleteFunc(d.nodes, func(n *znode.Node) bool { return n == nil })
}

// withChildren returns the node with other children and flags: itself when they are the same already. It
// never changes a node that was given, since that may be part of an earlier snapshot.
func withChildren(n *znode.Node, children []*znode.Node, flags znode.Flag) *znode.Node {
	if len(children) == 0 {
		children = nil
	}
	if n.Flags == flags && slices.Equal(n.Children, children) {
		return n
	}
	out := *n
	out.Children, out.Flags = children, flags
	return &out
}

// result returns the tree; nil when there is no root.
func (l *loader) result() *znode.Node { return l.root.nodes[0] }

// progress returns a copy of what was read so far, which shares what is complete.
func (l *loader) progress() *znode.Node { return l.root.freeze(0) }

func (d *dir) freeze(slot int) *znode.Node {
	n, kid := d.nodes[slot], d.kids[slot]
	if kid == nil || n == nil {
		return n
	}
	out := *n
	out.Children = make([]*znode.Node, 0, len(kid.nodes))
	for i := range kid.nodes {
		if c := kid.freeze(i); c != nil {
			out.Children = append(out.Children, c)
		}
	}
	return &out
}
