package past

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// Tree is a tree of znodes that records change.
type Tree struct {
	edit     znode.Editor
	sessions map[znode.SessionID]int32           // timeouts in milliseconds
	owned    map[znode.SessionID]map[string]bool // ephemeral znodes by session
	shown    map[znode.SessionID]znode.Session   // the sessions as they were handed out; nil: they changed since
	went     []znode.Departure                   // the last znodes that went; what is in it never changes, since pictures share it
}

// known returns the sessions that there are, as others may see them.
func (t *Tree) known() map[znode.SessionID]znode.Session {
	if t.shown == nil {
		t.shown = make(map[znode.SessionID]znode.Session, len(t.sessions))
		for id, timeout := range t.sessions {
			t.shown[id] = znode.Session{ID: id, Timeout: time.Duration(timeout) * time.Millisecond}
		}
	}
	return t.shown
}

// newTree begins with a tree that others may see, and the sessions of that moment.
func newTree(root *znode.Node, sessions map[znode.SessionID]int32) *Tree {
	t := &Tree{sessions: sessions, owned: map[znode.SessionID]map[string]bool{}}
	t.edit.Begin("/", root)
	t.claim("/", root)
	return t
}

// claim notes who owns what in a subtree.
func (t *Tree) claim(path string, n *znode.Node) {
	if n.Ephemeral() {
		t.own(n.Owner, path)
	}
	for _, c := range n.Children {
		t.claim(znode.Join(path, c.Name), c)
	}
}

func (t *Tree) own(id znode.SessionID, path string) {
	if t.owned[id] == nil {
		t.owned[id] = map[string]bool{}
	}
	t.owned[id][path] = true
}

// Apply changes the tree as a record says.
func (t *Tree) Apply(r *txnlog.Record) {
	for i := range r.Ops {
		t.op(r, &r.Ops[i])
	}
}

func (t *Tree) op(r *txnlog.Record, o *txnlog.Op) {
	id := znode.SessionID(r.Session)
	switch o.Kind {
	case txnlog.CreateSession:
		t.sessions[id], t.shown = o.Timeout, nil
	case txnlog.CloseSession:
		for _, path := range o.Gone {
			t.remove(r, string(path))
		}
		for _, path := range slices.Sorted(keys(t.owned[id])) { // what the record left out, or all of it
			t.remove(r, path)
		}
		delete(t.owned, id)
		delete(t.sessions, id)
		t.shown = nil
	case txnlog.Create, txnlog.Create2, txnlog.CreateContainer, txnlog.CreateTTL:
		t.create(r, o)
	case txnlog.Delete, txnlog.DeleteContainer:
		t.remove(r, string(o.Path))
	case txnlog.SetData, txnlog.Reconfig:
		if _, n := t.edit.Open(string(o.Path), false); n != nil {
			n.Data, n.DataLength = slices.Clone(o.Data), int32(len(o.Data))
			n.Version, n.Mzxid, n.Mtime = o.Version, znode.Zxid(r.Zxid), znode.Millis(r.Millis)
		}
	case txnlog.SetACL:
		if _, n := t.edit.Open(string(o.Path), false); n != nil {
			n.Aversion = o.Version
		}
	}
}

func keys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// create makes a znode. One that is there already, which a fuzzy snapshot held, stays as it is.
func (t *Tree) create(r *txnlog.Record, o *txnlog.Op) {
	path := string(o.Path)
	parent, n := t.edit.Open(path, true)
	if parent == nil {
		return
	}
	made, known := made(parent), parent.HasCversion
	if n == nil {
		_, name := znode.Split(path)
		z := znode.Zxid(r.Zxid)
		n = &znode.Node{Name: name, Data: slices.Clone(o.Data), DataLength: int32(len(o.Data)), Czxid: z, Mzxid: z, Pzxid: z,
			Ctime: znode.Millis(r.Millis), Mtime: znode.Millis(r.Millis), HasCversion: true}
		if o.Ephemeral {
			n.Owner = znode.SessionID(r.Session)
			t.own(n.Owner, path)
		}
		t.edit.Put(path, n)
		made++
	}
	if o.Cversion >= 0 {
		made, known = o.Cversion, true
	}
	setMade(parent, made, known, r.Zxid)
}

// made is how many children a znode was ever given: what its stat in a file counts. Clients see twice that, less those that
// are there.
func made(n *znode.Node) int32 { return (n.Cversion + n.NumChildren) / 2 }

// setMade raises what a znode's stat says of its children.
func setMade(n *znode.Node, made int32, known bool, zxid int64) {
	n.NumChildren = int32(len(n.Children))
	if known {
		n.Cversion, n.HasCversion = 2*made-n.NumChildren, true
	}
	n.Pzxid = max(n.Pzxid, znode.Zxid(zxid))
}

// remove takes a znode away. Of one that is not there the parent learns all the same.
func (t *Tree) remove(r *txnlog.Record, path string) {
	parent, n := t.edit.Open(path, false)
	if parent == nil {
		return
	}
	count := made(parent)
	if n != nil {
		if n.Ephemeral() {
			delete(t.owned[n.Owner], path)
		}
		t.edit.Remove(path)
		t.depart(znode.Departure{Path: path, Czxid: n.Czxid, By: znode.SessionID(r.Session), End: endOf(r)})
	}
	setMade(parent, count, parent.HasCversion, r.Zxid)
}

// mostWent is of how many znodes that went last it is remembered how; up to twice as many are.
const mostWent = 1024

// depart remembers how a znode went.
func (t *Tree) depart(d znode.Departure) {
	if len(t.went) >= 2*mostWent {
		t.went = slices.Clone(t.went[len(t.went)-mostWent:])
	}
	t.went = append(t.went, d)
}

// endOf tells whether a transaction ended a session, and for whom.
func endOf(r *txnlog.Record) znode.SessionEnd {
	switch {
	case r.Kind != txnlog.CloseSession:
		return znode.NotEnded
	case byServer(r):
		return znode.EndedByServer
	}
	return znode.EndedByClient
}

// byServer reports whether it was the server that ended the session: a client numbers what it asks for.
func byServer(r *txnlog.Record) bool { return r.Kind == txnlog.CloseSession && r.Cxid == 0 }
