package zkserver

import (
	"github.com/zkscope/zkscope/internal/wire"
)

// watchMode says how long a watch lives and what it covers.
type watchMode uint8

const (
	oneShot watchMode = iota
	persist
	recursive
)

// The two tables of watches; each connection has a map of its own for each.
const (
	dataWatch = iota
	childWatch
)

// watches is one table: who watches which path. A connection has at most one mode for a path in one table, the one it
// asked for last; this is how 3.8 loses a recursive watch when a one-shot one is set on its root.
type watches struct {
	table     int
	byPath    map[string][]*conn
	count     int
	recursive int
}

func newWatches(table int) watches { return watches{table: table, byPath: map[string][]*conn{}} }

// add sets a connection's watch on a path, in place of an earlier one.
func (w *watches) add(c *conn, path string, mode watchMode) {
	mine := c.watched[w.table]
	if mine == nil {
		mine = map[string]watchMode{}
		c.watched[w.table] = mine
	}
	old, had := mine[path]
	if !had {
		w.byPath[path] = append(w.byPath[path], c)
		w.count++
	}
	w.recursive += weight(mode) - weight(old)
	mine[path] = mode
}

func weight(m watchMode) int {
	if m == recursive {
		return 1
	}
	return 0
}

// remove takes a connection's watch away; false when there was none.
func (w *watches) remove(c *conn, path string) bool {
	mode, had := c.watched[w.table][path]
	if !had {
		return false
	}
	list := w.byPath[path]
	for i, o := range list {
		if o == c {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	w.store(path, list)
	w.clear(c, path, mode)
	return true
}

func (w *watches) store(path string, list []*conn) {
	if len(list) == 0 {
		delete(w.byPath, path)
		return
	}
	w.byPath[path] = list
}

func (w *watches) clear(c *conn, path string, mode watchMode) {
	delete(c.watched[w.table], path)
	w.recursive -= weight(mode)
	w.count--
}

// drop takes all watches of a connection away.
func (w *watches) drop(c *conn) {
	for path := range c.watched[w.table] {
		w.remove(c, path)
	}
	c.watched[w.table] = nil
}

// fire returns whom to tell of an event, and forgets the one-shot watches among them. Recursive watches hear of
// everything below them, except changes of children.
func (w *watches) fire(path string, t wire.EventType) []*conn {
	told := w.fireAt(path, t, nil)
	if w.recursive == 0 || t == wire.EventChildrenChanged {
		return told
	}
	for at := path; at != "/" && at != ""; {
		at = parentOrRoot(at)
		for _, c := range w.byPath[at] {
			if c.watched[w.table][at] == recursive && !contains(told, c) {
				told = append(told, c)
			}
		}
	}
	return told
}

func (w *watches) fireAt(path string, t wire.EventType, told []*conn) []*conn {
	list := w.byPath[path]
	if len(list) == 0 {
		return told
	}
	kept := list[:0]
	for _, c := range list {
		mode := c.watched[w.table][path]
		if mode == oneShot {
			w.clear(c, path, mode)
		} else {
			kept = append(kept, c)
		}
		if mode != recursive || t != wire.EventChildrenChanged {
			told = append(told, c)
		}
	}
	clear(list[len(kept):])
	w.store(path, kept)
	return told
}

func contains(list []*conn, c *conn) bool {
	for _, o := range list {
		if o == c {
			return true
		}
	}
	return false
}

// notify sends an event to those of list who may read the znode, except those in skip.
func (s *Server) notify(list, skip []*conn, t wire.EventType, path string, acl []wire.ACL) {
	for _, c := range list {
		if !contains(skip, c) && allowed(c, acl, wire.PermRead) {
			c.sendEvent(t, path)
		}
	}
}

func (c *conn) sendEvent(t wire.EventType, path string) {
	e := wire.Encoder{B: make([]byte, 0, wire.ReplyHeaderLen+12+len(path))}
	(&wire.ReplyHeader{Xid: wire.XidEvent, Zxid: -1}).Encode(&e)
	(&wire.Event{Type: t, State: wire.StateSyncConnected, Path: path}).Encode(&e)
	c.send(e.B)
}

// rearm serves one vector of setWatches, by its place: data, exist, child, persistent, recursive. It sets watches again,
// and fires at once those that missed something since zxid, without asking whether the client may read the znode.
func (s *Server) rearm(c *conn, vector int, paths []string, zxid int64) {
	switch vector {
	case 3:
		s.addLasting(c, paths, persist)
		return
	case 4:
		s.addLasting(c, paths, recursive)
		return
	}
	for _, p := range paths {
		n := s.tree.nodes[p]
		switch {
		case vector == 1 && n != nil:
			c.sendEvent(wire.EventCreated, p)
		case vector == 1:
			s.data.add(c, p, oneShot)
		case n == nil:
			c.sendEvent(wire.EventDeleted, p)
		case vector == 0 && n.mzxid > zxid:
			c.sendEvent(wire.EventDataChanged, p)
		case vector == 0:
			s.data.add(c, p, oneShot)
		case n.pzxid > zxid:
			c.sendEvent(wire.EventChildrenChanged, p)
		default:
			s.child.add(c, p, oneShot)
		}
	}
}

// addLasting sets persistent watches, which stand in both tables.
func (s *Server) addLasting(c *conn, paths []string, mode watchMode) {
	for _, p := range paths {
		s.data.add(c, p, mode)
		s.child.add(c, p, mode)
	}
}
