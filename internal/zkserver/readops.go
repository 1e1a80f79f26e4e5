package zkserver

import (
	"strings"

	"github.com/zkscope/zkscope/internal/wire"
)

// readable finds a znode that the client may read; perms lists the rights of which one suffices.
func (k *call) readable(path string, perms int32) (*node, wire.Code) {
	n := k.s.tree.nodes[path]
	if n == nil {
		return nil, wire.ErrNoNode
	}
	if !allowed(k.c, n.acl, perms) {
		return nil, wire.ErrNoAuth
	}
	return n, wire.OK
}

// pathAndWatch reads the body that most reads have.
func (k *call) pathAndWatch() (string, bool, wire.Code) {
	path, watch := k.path(), k.in.Bool()
	if k.in.Err() != nil {
		return "", false, wire.ErrMarshalling
	}
	return path, watch, wire.OK
}

// exists needs no right and may watch a znode that is missing.
func (k *call) exists() wire.Code {
	path, watch, code := k.pathAndWatch()
	if code != wire.OK {
		return code
	}
	if strings.IndexByte(path, 0) >= 0 {
		return wire.ErrBadArguments
	}
	if watch {
		k.s.data.add(k.c, path, oneShot)
	}
	n := k.s.tree.nodes[path]
	if n == nil {
		return wire.ErrNoNode
	}
	k.putStat(n)
	return wire.OK
}

// read finds the znode that a read asks for, and watches it in a table where the read asks for that.
func (k *call) read(in *watches) (*node, wire.Code) {
	path, watch, code := k.pathAndWatch()
	if code != wire.OK {
		return nil, code
	}
	n, code := k.readable(path, wire.PermRead)
	if code == wire.OK && watch && !k.batch {
		in.add(k.c, path, oneShot)
	}
	return n, code
}

func (k *call) getData() wire.Code {
	n, code := k.read(&k.s.data)
	if code != wire.OK {
		return code
	}
	k.out.Buffer(n.data)
	k.putStat(n)
	return wire.OK
}

func (k *call) getACL() wire.Code {
	path := k.path()
	if k.in.Err() != nil {
		return wire.ErrMarshalling
	}
	n, code := k.readable(path, wire.PermRead|wire.PermAdmin)
	if code != wire.OK {
		return code
	}
	acl := n.acl
	if !allowed(k.c, acl, wire.PermAdmin) {
		acl = masked(acl)
	}
	wire.EncodeACLs(k.out, acl)
	k.putStat(n)
	return wire.OK
}

// getChildren serves both operations; the second one adds the Stat.
func (k *call) getChildren() wire.Code {
	n, code := k.read(&k.s.child)
	if code != wire.OK {
		return code
	}
	k.out.Int32(int32(len(n.children)))
	prefix := len(n.path) + 1
	if n.parent == nil {
		prefix = 1
	}
	for _, child := range n.children {
		k.out.String(child.path[prefix:])
	}
	if k.op == wire.OpGetChildren2 {
		k.putStat(n)
	}
	return wire.OK
}

func (k *call) sync() wire.Code {
	k.out.Buffer(k.in.Buffer())
	return wire.OK
}

// readableBatch reports whether a multiRead can be read to its end.
func readableBatch(d wire.Decoder) bool {
	for {
		var h wire.MultiHeader
		h.Decode(&d)
		if h.Done || d.Err() != nil {
			return d.Err() == nil
		}
		if h.Type != wire.OpGetData && h.Type != wire.OpGetChildren {
			return false
		}
		_, _ = d.Buffer(), d.Bool()
	}
}

// multiRead answers each of its reads by itself: an error concerns only the one. It sets no watches. At a null path it
// stops, and what it has until then goes with the error.
func (k *call) multiRead() wire.Code {
	if !readableBatch(*k.in) {
		return wire.ErrMarshalling
	}
	for {
		var h wire.MultiHeader
		if h.Decode(k.in); h.Done {
			break
		}
		start := len(k.out.B)
		(&wire.MultiHeader{Type: h.Type}).Encode(k.out)
		sub := call{s: k.s, c: k.c, op: h.Type, in: k.in, out: k.out, batch: true}
		code := sub.serveOne()
		if sub.noPath {
			k.out.B = k.out.B[:start]
			k.noPath, k.partial = true, true
			break
		}
		if code != wire.OK {
			k.out.B = k.out.B[:start]
			putError(k.out, code)
		}
	}
	(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(k.out)
	return wire.OK
}

// serveOne serves one read of a multiRead.
func (k *call) serveOne() wire.Code {
	if k.op == wire.OpGetData {
		return k.getData()
	}
	return k.getChildren()
}

// getEphemerals lists the session's own ephemerals whose paths begin with a prefix.
func (k *call) getEphemerals() wire.Code {
	prefix := strings.TrimSpace(k.in.String())
	list := []string{}
	for _, p := range k.c.ses.asJava() {
		if prefix == "/" || strings.HasPrefix(p, prefix) {
			list = append(list, p)
		}
	}
	k.out.Strings(list)
	return wire.OK
}

func (k *call) getAllChildrenNumber() wire.Code {
	path := k.path()
	n, code := k.readable(path, wire.PermRead)
	if code != wire.OK {
		return code
	}
	k.out.Int32(int32(n.descendants()))
	return wire.OK
}

// whoAmI lists the connection's identities, digests without their hashes.
func (k *call) whoAmI() wire.Code {
	k.out.Int32(int32(len(k.c.auth)))
	for _, id := range k.c.auth {
		user := id.id
		if id.scheme == "digest" {
			user, _, _ = strings.Cut(id.id, ":")
		}
		k.out.String(id.scheme)
		k.out.String(user)
	}
	return wire.OK
}

func (k *call) setWatches() wire.Code {
	zxid := k.in.Int64()
	lists := make([]pathList, 3, 5)
	if k.op == wire.OpSetWatches2 {
		lists = lists[:5]
	}
	for i := range lists {
		lists[i] = k.paths()
	}
	if k.in.Err() != nil {
		return wire.ErrMarshalling
	}
	for i, l := range lists {
		k.s.rearm(k.c, i, l.paths, zxid)
		if l.null {
			return wire.ErrMarshalling
		}
	}
	return wire.OK
}

// pathList is a vector of paths up to the first null, over which real servers trip when they come to it.
type pathList struct {
	paths []string
	null  bool
}

func (k *call) paths() (l pathList) {
	n := k.in.Int32()
	l.null = n == -1
	for ; n > 0 && k.in.Err() == nil; n-- {
		b := k.in.Buffer()
		if l.null = l.null || b == nil; !l.null {
			l.paths = append(l.paths, string(b))
		}
	}
	return l
}

func (k *call) addWatch() wire.Code {
	name, mode := k.in.Buffer(), k.in.Int32()
	path := string(name)
	switch {
	case k.in.Err() != nil, name == nil && mode == wire.WatchPersistentRecursive:
		return wire.ErrMarshalling
	case mode == wire.WatchPersistent:
		k.s.addLasting(k.c, []string{path}, persist)
	case mode == wire.WatchPersistentRecursive:
		k.s.addLasting(k.c, []string{path}, recursive)
	default:
		return wire.ErrMarshalling
	}
	k.out.Int32(0)
	return wire.OK
}

// tables lists the watch tables that a watcher type names.
func (k *call) tables(t int32) []*watches {
	switch t {
	case wire.WatcherChildren:
		return []*watches{&k.s.child}
	case wire.WatcherData:
		return []*watches{&k.s.data}
	case wire.WatcherAny:
		return []*watches{&k.s.child, &k.s.data}
	}
	return nil
}

// checkWatches finds a watch of any client on the path, as 3.8 does, though it should look for this client's.
func (k *call) checkWatches() wire.Code {
	path, t := k.path(), k.in.Int32()
	tables := k.tables(t)
	for _, w := range tables {
		if len(w.byPath[path]) > 0 {
			return wire.OK
		}
	}
	return noWatcher(tables)
}

func (k *call) removeWatches() wire.Code {
	path, t := k.path(), k.in.Int32()
	found, tables := false, k.tables(t)
	for _, w := range tables {
		found = w.remove(k.c, path) || found
	}
	if !found {
		return noWatcher(tables)
	}
	return wire.OK
}

// noWatcher is the error for a watch that is not there, or for a watcher type that is none.
func noWatcher(tables []*watches) wire.Code {
	if tables == nil {
		return wire.ErrMarshalling
	}
	return wire.ErrNoWatcher
}
