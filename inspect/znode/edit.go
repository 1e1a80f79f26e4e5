package znode

import (
	"slices"
	"sort"
	"strings"
)

// WithDeleted returns the snapshot as it would be without the znode at a path and all below it; the
// receiver itself when there is none, or when it is the root. Everything else is shared.
func (s *Snapshot) WithDeleted(path string) *Snapshot {
	return s.Without(path, func(parent *Node) { parent.counted(-1) })
}

// counted changes what a stat says of the children after one came or went.
func (n *Node) counted(by int32) {
	n.NumChildren += by
	if n.HasCversion {
		n.Cversion++
	}
}

// Without removes a znode and lets then change its parent.
func (s *Snapshot) Without(path string, then func(*Node)) *Snapshot {
	dir, name := Split(path)
	if parent := s.parentOf(path); parent == nil || parent.Child(name) == nil {
		return s
	}
	return s.Edited(dir, func(parent *Node) {
		i, kids := parent.index(name), parent.Children
		parent.Children = nil
		if len(kids) > 1 {
			parent.Children = slices.Concat(kids[:i], kids[i+1:])
		}
		then(parent)
	})
}

// parentOf returns the parent of a path strictly below the base; nil when there is none.
func (s *Snapshot) parentOf(path string) *Node {
	if _, ok := Relative(s.Base, path); !ok || path == s.Base {
		return nil
	}
	dir, _ := Split(path)
	return s.At(dir)
}

// WithData returns the snapshot as it would be after a write of data to the znode at a path; the receiver
// itself when there is none. Everything else is shared; data is not copied.
func (s *Snapshot) WithData(path string, data []byte) *Snapshot {
	if s.At(path) == nil {
		return s
	}
	return s.Edited(path, func(n *Node) {
		n.Data, n.DataLength = data, int32(len(data))
		n.Version++
		n.Flags &^= Unreadable | DataOmitted
	})
}

// WithCreated returns the snapshot as it would be after the creation of a znode; the receiver itself when
// the path is taken or has no parent. The name comes from the path; a zero Czxid becomes one later than
// any sibling's. Everything else is shared.
func (s *Snapshot) WithCreated(path string, n Node) *Snapshot {
	dir, name := Split(path)
	if parent := s.parentOf(path); parent == nil || parent.Child(name) != nil {
		return s
	}
	return s.Edited(dir, func(parent *Node) {
		n.Name = name
		if n.Czxid == 0 {
			n.Czxid = parent.lastCzxid() + 1
			n.Mzxid, n.Pzxid = n.Czxid, n.Czxid
		}
		parent.Insert(&n)
		parent.counted(1)
	})
}

// lastCzxid returns the highest transaction id that is known of a directory and its children.
func (n *Node) lastCzxid() Zxid {
	last := max(n.Czxid, n.Pzxid)
	for _, c := range n.Children {
		last = max(last, c.Czxid)
	}
	return last
}

// index returns where a name is, or belongs, among the children.
func (n *Node) index(name string) int {
	return sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Name >= name })
}

// Insert puts a child in its place, in a new slice; one of the same name is replaced.
func (n *Node) Insert(c *Node) {
	i := n.index(c.Name)
	rest := n.Children[i:]
	if len(rest) > 0 && rest[0].Name == c.Name {
		rest = rest[1:]
	}
	kids := make([]*Node, 0, len(n.Children)+1)
	n.Children = append(append(append(kids, n.Children[:i]...), c), rest...)
}

// Edited returns a snapshot in which the znode at a path, which exists, is a changed copy, and so is
// every ancestor.
func (s *Snapshot) Edited(path string, change func(*Node)) *Snapshot {
	var names []string
	if path != s.Base {
		rest, _ := Relative(s.Base, path)
		names = strings.Split(rest, "/")
	}
	out := *s
	out.Root = s.Root.edited(names, change)
	return &out
}

func (n *Node) edited(names []string, change func(*Node)) *Node {
	c := *n
	if len(names) == 0 {
		change(&c)
		return &c
	}
	c.Children = slices.Clone(n.Children)
	i := c.index(names[0])
	c.Children[i] = n.Children[i].edited(names[1:], change)
	return &c
}
