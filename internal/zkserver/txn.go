package zkserver

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// txn is one write: everything in it has one zxid and time. Its operations change the tree at once; commit then tells
// the watchers, rollback undoes the changes. The caller holds Server.mu from begin to either.
type txn struct {
	s       *Server
	c       *conn // nil: the server itself
	zxid    int64
	now     int64
	keep    bool // record how to undo
	undo    []func()
	changes []change
	wrapped map[*node]int32 // counters that passed their largest value within this transaction
}

// change is what watchers are to be told.
type change struct {
	t         wire.EventType
	path      string
	acl       []wire.ACL
	parentACL []wire.ACL
}

// begin takes the next zxid; failed writes use one up too.
func (s *Server) begin(c *conn) *txn {
	return &txn{s: s, c: c, zxid: s.nextZxid(), now: time.Now().UnixMilli()}
}

// commit tells the watchers in the order of the changes.
func (tx *txn) commit() {
	s := tx.s
	for _, ch := range tx.changes {
		told := s.data.fire(ch.path, ch.t)
		s.notify(told, nil, ch.t, ch.path, ch.acl)
		if ch.t == wire.EventDataChanged {
			continue
		}
		if ch.t == wire.EventDeleted {
			s.notify(s.child.fire(ch.path, ch.t), told, ch.t, ch.path, ch.acl)
		}
		up := parentOrRoot(ch.path)
		s.notify(s.child.fire(up, wire.EventChildrenChanged), nil, wire.EventChildrenChanged, up, ch.parentACL)
	}
}

// rollback undoes all changes, the last first.
func (tx *txn) rollback() {
	for i := len(tx.undo) - 1; i >= 0; i-- {
		tx.undo[i]()
	}
	tx.undo, tx.changes = nil, nil
}

func (tx *txn) undoable(f func()) {
	if tx.keep {
		tx.undo = append(tx.undo, f)
	}
}

// nextZxid is that of the next write.
func (s *Server) nextZxid() int64 {
	s.zxid++
	s.wasted = 0
	return s.zxid
}

// newNode is what a create asks for.
type newNode struct {
	path   string
	noPath bool // it was null
	data   []byte
	acl    []wire.ACL
	flags  int32
	ttl    int64
	kind   kind
}

// create makes a znode. Checks come in the order of a real server's, so that the same mistake gets the same code.
func (tx *txn) create(r newNode) (*node, wire.Code) {
	if code := r.classify(); code != wire.OK {
		return nil, code
	}
	if strings.IndexByte(r.path, '/') < 0 || strings.IndexByte(r.path, 0) >= 0 {
		return nil, wire.ErrBadArguments
	}
	acl, code := fixACL(tx.c, r.acl)
	if code != wire.OK {
		return nil, code
	}
	parent := tx.s.tree.nodes[parentPath(r.path)]
	if parent == nil {
		return nil, wire.ErrNoNode
	}
	if !allowed(tx.c, parent.acl, wire.PermCreate) {
		return nil, wire.ErrNoAuth
	}
	if r.flags == wire.FlagSequence || r.flags == wire.FlagEphemeralSequence || r.flags == wire.FlagPersistentSequentTTL {
		r.path += fmt.Sprintf("%010d", tx.counter(parent))
	}
	if !validPath(r.path) {
		return nil, wire.ErrBadArguments
	}
	if tx.s.tree.nodes[r.path] != nil {
		return nil, wire.ErrNodeExists
	}
	if parent.kind == ephemeral {
		return nil, wire.ErrNoChildrenForEph
	}
	r.acl = acl
	return tx.insert(parent, r), wire.OK
}

const maxTTL = 1<<40 - 1

// classify derives the node's kind from the create flags and checks the TTL.
func (r *newNode) classify() wire.Code {
	switch r.flags {
	case wire.FlagPersistent, wire.FlagSequence, wire.FlagContainer:
	case wire.FlagEphemeral, wire.FlagEphemeralSequence:
		r.kind = max(r.kind, ephemeral)
	case wire.FlagPersistentTTL, wire.FlagPersistentSequentTTL:
		if r.ttl <= 0 || r.ttl > maxTTL {
			return wire.ErrBadArguments
		}
		return wire.OK
	default:
		return wire.ErrBadArguments
	}
	if r.ttl >= 0 || r.kind == ttlNode {
		return wire.ErrBadArguments
	}
	return wire.OK
}

// counter is the parent's next sequence number. Within one transaction it runs past its largest value, though the
// stored one sticks there.
func (tx *txn) counter(parent *node) int32 {
	if v, ok := tx.wrapped[parent]; ok {
		return v
	}
	return parent.creates
}

func (tx *txn) insert(parent *node, r newNode) *node {
	n := &node{
		path: r.path, data: r.data, acl: r.acl, kind: r.kind, ttl: r.ttl,
		czxid: tx.zxid, mzxid: tx.zxid, pzxid: tx.zxid, ctime: tx.now, mtime: tx.now,
	}
	pzxid, creates := parent.pzxid, parent.creates
	if creates == math.MaxInt32 {
		if tx.wrapped == nil {
			tx.wrapped = map[*node]int32{}
		}
		tx.wrapped[parent] = tx.counter(parent) + 1
	}
	tx.s.tree.link(n)
	parent.countCreate(tx.zxid)
	if n.kind == ephemeral {
		n.owner = tx.c.ses.id
		tx.c.ses.own(n)
	}
	if n.kind >= container {
		tx.s.armReaper()
	}
	tx.undoable(func() {
		tx.s.tree.unlink(n)
		parent.pzxid, parent.creates = pzxid, creates
		tx.s.disown(n)
	})
	tx.count(n.path, len(n.data), 1)
	tx.changes = append(tx.changes, change{wire.EventCreated, n.path, n.acl, parent.acl})
	return n
}

// disown takes an ephemeral off its session's list.
func (s *Server) disown(n *node) {
	if ses := s.sessions[n.owner]; ses != nil && n.kind == ephemeral {
		delete(ses.ephemerals, n.path)
	}
}

// delete removes a znode whose version is as expected, or any when version is -1.
func (tx *txn) delete(path string, version int32) wire.Code {
	if reserved(path) || strings.IndexByte(path, '/') < 0 || strings.IndexByte(path, 0) >= 0 {
		return wire.ErrBadArguments
	}
	parent := tx.s.tree.nodes[parentPath(path)]
	if parent == nil {
		return wire.ErrNoNode
	}
	if !allowed(tx.c, parent.acl, wire.PermDelete) {
		return wire.ErrNoAuth
	}
	n := tx.s.tree.nodes[path]
	switch {
	case n == nil:
		return wire.ErrNoNode
	case version != -1 && version != n.version:
		return wire.ErrBadVersion
	case len(n.children) > 0:
		return wire.ErrNotEmpty
	}
	tx.remove(n)
	return wire.OK
}

// remove takes a childless node out.
func (tx *txn) remove(n *node) {
	parent, pzxid := n.parent, n.parent.pzxid
	tx.s.tree.unlink(n)
	parent.pzxid = tx.zxid
	tx.s.disown(n)
	tx.undoable(func() {
		tx.s.tree.link(n)
		parent.pzxid = pzxid
		if ses := tx.s.sessions[n.owner]; ses != nil && n.kind == ephemeral {
			ses.ephemerals[n.path] = n
		}
	})
	tx.count(n.path, -len(n.data), -1)
	tx.changes = append(tx.changes, change{wire.EventDeleted, n.path, n.acl, parent.acl})
}

// setData replaces a znode's data.
func (tx *txn) setData(path string, data []byte, version int32) (*node, wire.Code) {
	if !validPath(path) {
		return nil, wire.ErrBadArguments
	}
	n := tx.s.tree.nodes[path]
	switch {
	case n == nil:
		return nil, wire.ErrNoNode
	case !allowed(tx.c, n.acl, wire.PermWrite):
		return nil, wire.ErrNoAuth
	case version != -1 && version != n.version:
		return nil, wire.ErrBadVersion
	}
	data0, mzxid, mtime := n.data, n.mzxid, n.mtime
	n.data, n.mzxid, n.mtime = data, tx.zxid, tx.now
	n.version++
	tx.undoable(func() {
		n.data, n.mzxid, n.mtime = data0, mzxid, mtime
		n.version--
	})
	tx.count(n.path, len(data)-len(data0), 0)
	tx.changes = append(tx.changes, change{wire.EventDataChanged, path, n.acl, nil})
	return n, wire.OK
}

// setACL replaces a znode's ACL. No watcher hears of it.
func (tx *txn) setACL(path string, list []wire.ACL, version int32) (*node, wire.Code) {
	if !validPath(path) {
		return nil, wire.ErrBadArguments
	}
	acl, code := fixACL(tx.c, list)
	if code != wire.OK {
		return nil, code
	}
	n := tx.s.tree.nodes[path]
	switch {
	case n == nil:
		return nil, wire.ErrNoNode
	case !allowed(tx.c, n.acl, wire.PermAdmin):
		return nil, wire.ErrNoAuth
	case version != -1 && version != n.aversion:
		return nil, wire.ErrBadVersion
	}
	n.acl = acl
	n.aversion++
	return n, wire.OK
}

// check compares a znode's version.
func (tx *txn) check(path string, version int32) wire.Code {
	if !validPath(path) {
		return wire.ErrBadArguments
	}
	n := tx.s.tree.nodes[path]
	switch {
	case n == nil:
		return wire.ErrNoNode
	case !allowed(tx.c, n.acl, wire.PermRead):
		return wire.ErrNoAuth
	case version != -1 && version != n.version:
		return wire.ErrBadVersion
	}
	return wire.OK
}
