package mirror

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A crowd is a directory with more children than are read. One list brings all their names; where these look like a line
// or a queue, or where it is asked for, they are kept, and the znodes of those that are served first are read.
const (
	headRead = 100      // znodes that are read at the head of a crowd
	maxNames = 64 << 20 // bytes of names in one list, as expected
)

// wanted returns the names of a directory's children that lead to what was asked for, sorted.
func (o *Options) wanted(dir string) (names []string) {
	for _, path := range o.Asked {
		if rest, below := znode.Relative(dir, path); below && rest != "" {
			name, _, _ := strings.Cut(rest, "/")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// asks reports whether a directory was asked for, or the one of its children was.
func (o *Options) asks(dir string) bool {
	return slices.ContainsFunc(o.Asked, func(path string) bool {
		up, _ := znode.Split(path)
		return path == dir || up == dir
	})
}

// names reports whether the names of a crowd are worth a list: not when a list has shown that they are no line.
func (l *loader) names(p childOf) bool {
	path, n, old := p.d.child(p.slot), p.d.nodes[p.slot], p.d.old(p.slot)
	switch {
	case nameCost*int(n.NumChildren) > maxNames:
		return false
	case l.opts.asks(path):
		return true
	}
	return old == nil || old.Czxid != n.Czxid || !old.Has(znode.NotListed)
}

// crowded takes the names of a crowd.
func (l *loader) crowded(p childOf, names []string) {
	path := p.d.child(p.slot)
	head := l.opts.head(path, names)
	if head == nil {
		l.leave(p)
		return
	}
	l.nodes += len(names)
	l.unlisted = append(l.unlisted, path)
	d := l.enter(p, names, znode.NamesRead)
	d.olds = nil // of most of them nothing is asked
	nameAll(d.nodes, names)
	for _, i := range head {
		d.nodes[i] = nil
	}
	d.left = len(head)
	l.asks = append(l.asks, &span{d: d, slots: head})
}

// head returns the slots of those children of a crowd that are read; nil when nothing of it is to be kept.
func (o *Options) head(path string, names []string) []int {
	head := order.Foremost(path, names, headRead)
	if head == nil && !o.asks(path) {
		return nil
	}
	for i := 0; i < len(names) && len(head) < headRead; i++ {
		if !slices.Contains(head, i) {
			head = append(head, i)
		}
	}
	for _, name := range o.wanted(path) {
		if i, there := slices.BinarySearch(names, name); there && !slices.Contains(head, i) {
			head = append(head, i)
		}
	}
	return head
}

// nameAll makes znodes of which nothing but the name is known.
func nameAll(nodes []*znode.Node, names []string) {
	var slab []znode.Node
	for i, name := range names {
		if len(slab) == 0 {
			slab = make([]znode.Node, min(nodeSlab, len(names)-i))
		}
		slab[0] = znode.Node{Name: name, Flags: nameOnly}
		nodes[i], slab = &slab[0], slab[1:]
	}
}

// nameOnly are the flags of such a znode.
const nameOnly = znode.NameOnly | znode.NoStat | znode.Unreadable | znode.NotListed

// crowd is one in the live tree.
type crowd struct {
	seen  *znode.Node // as its head was looked at last; nil: not yet
	next  time.Time   // when to look at it again
	lists bool        // its names are to be listed
	wants bool        // it has something to do

	moved map[string]struct{} // children that events named since flush
	flush time.Time           // when these are to be read: every change has the whole line worked out anew
}

// due returns when a crowd has something to do next; false when it has nothing.
func (c *crowd) due() (time.Time, bool) {
	switch {
	case len(c.moved) > 0 && (!c.wants || c.flush.Before(c.next)):
		return c.flush, true
	case c.wants:
		return c.next, true
	}
	return time.Time{}, false
}

// hold is how long the changes of a crowd are gathered.
func hold(n *znode.Node) time.Duration {
	return max(cool/5, cool*time.Duration(n.NumChildren/1000)/100)
}

// held reports whether changes of a crowd, or of one of its children, are known and not yet to be read.
func (v *live) held(path string) bool {
	dir, _ := znode.Split(path)
	if c := v.crowds[dir]; c != nil {
		if _, there := c.moved[path]; there {
			return true
		}
	}
	c := v.crowds[path]
	return c != nil && len(c.moved) > 0
}

// gathers takes an event on a child of a crowd.
func (w *owner) gathers(path string, h happened) bool {
	if len(w.live.crowds) == 0 || path == w.opts.Root || h&(cameOrWent|changed) == 0 {
		return false
	}
	dir, _ := znode.Split(path)
	c := w.live.crowds[dir]
	if c == nil || c.lists && c.seen == nil {
		return false
	}
	if c.moved == nil {
		c.moved = make(map[string]struct{})
	}
	c.moved[path] = struct{}{}
	return true
}

// rest is how long a crowd is left alone between two looks: a list of it is long.
func rest(n *znode.Node) time.Duration {
	return cool * time.Duration(1+n.NumChildren/20_000)
}

// crowding takes note of directories that have become crowds, and of such that are none any more: all of their children
// are read then.
func (w *owner) crowding(now, before []string) {
	v := &w.live
	for _, path := range now {
		if n := at(w.root, w.opts.Root, path); n != nil && !n.Has(znode.Unreadable) && nameCost*int(n.NumChildren) <= maxNames && w.strikes[path] < maxStrike {
			v.crowds[path] = &crowd{next: time.Now(), lists: true, wants: true}
		}
	}
	for _, path := range before {
		delete(v.crowds, path)
		if n := at(w.root, w.opts.Root, path); n != nil {
			w.readAll(path, n.Children)
		}
	}
}

// crowded notes the crowds of a load.
func (w *owner) crowded(paths []string) {
	for _, path := range paths {
		if n := at(w.root, w.opts.Root, path); n != nil && n.Has(znode.NamesRead) {
			w.live.crowds[path] = &crowd{seen: n, next: time.Now().Add(rest(n))}
		}
	}
}

// postponed reports whether a directory is a crowd, whose children are then listed when it is time.
func (w *owner) postponed(path string) bool {
	c := w.live.crowds[path]
	if c == nil {
		return false
	}
	c.lists, c.wants = true, true
	return true
}

// tend lists crowds that are to be listed, and has their heads read where they have changed: each at a bounded rate.
func (w *owner) tend(now time.Time) {
	v := &w.live
	for path, c := range v.crowds {
		n := at(w.root, w.opts.Root, path)
		if n == nil || n.Flags&listing == 0 {
			delete(v.crowds, path)
			continue
		}
		if len(c.moved) > 0 && !now.Before(c.flush) {
			c.flush = now.Add(hold(n))
			if !n.Has(znode.NamesRead) {
				continue // its list is on its way
			}
			for child := range c.moved {
				v.touch(child)
			}
			v.touch(path)
			c.moved = nil
		}
		c.wants = c.lists || n.Has(znode.NamesRead) && n != c.seen
		if !c.wants || now.Before(c.next) {
			continue
		}
		c.next, c.wants = now.Add(rest(n)), false
		if c.lists {
			c.lists = false
			v.list(path)
		}
		if n.Has(znode.NamesRead) && n != c.seen {
			c.seen = n
			w.readHead(path, n)
		}
	}
}

// readHead has those of a crowd read that are served first.
func (w *owner) readHead(path string, n *znode.Node) {
	names := make([]string, len(n.Children))
	for i, c := range n.Children {
		names[i] = c.Name
	}
	var head []*znode.Node
	for _, i := range w.opts.head(path, names) {
		head = append(head, n.Children[i])
	}
	w.readAll(path, head)
}

// readAll has those znodes of a directory read of which only the name is known.
func (w *owner) readAll(path string, nodes []*znode.Node) {
	for _, c := range nodes {
		if c.Has(znode.NameOnly) {
			w.live.touch(znode.Join(path, c.Name))
		}
	}
}

// gathered takes the names of a crowd: what is new is known by name only, what is there already stays.
func (w *owner) gathered(path string, n *znode.Node, names []string) {
	v := &w.live
	if n.Has(znode.NotListed) && w.opts.head(path, names) == nil || w.nodes+len(names)-len(n.Children) > w.opts.MaxNodes {
		delete(v.crowds, path)
		return
	}
	nodes := make([]*znode.Node, len(names))
	nameAll(nodes, names)
	kept := 0
	for i, name := range names {
		if c := n.Child(name); c != nil {
			nodes[i] = c
			kept++
		}
	}
	if kept < len(n.Children) || kept < len(names) {
		w.nodes += len(names) - len(n.Children)
		for _, c := range n.Children {
			if _, there := slices.BinarySearch(names, c.Name); !there {
				w.nodes -= count(c) - 1
			}
		}
		rest, _ := znode.Relative(w.opts.Root, path)
		w.root = filled(w.root, rest, nodes)
	}
	c := v.crowds[path]
	if c == nil {
		c = &crowd{}
		v.crowds[path] = c
	}
	c.seen, c.next, c.wants, c.flush = nil, time.Now(), true, time.Now().Add(hold(n))
	v.touch(path)
}

// Read has a znode read by itself of which only the name was read, as one in a very large directory. It comes with a
// later snapshot. It does nothing for any other, and may be called from any goroutine.
func (m *Mirror) Read(path string) {
	m.in.call(func() {
		if n := at(m.owner.root, m.owner.opts.Root, path); n != nil && n.Has(znode.NameOnly) {
			m.owner.live.touch(path)
		}
	})
}
