package mirror

import (
	"bytes"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// builder makes nodes from answers. Nodes and short data come from small slabs: few enough allocations for
// a fast load, small enough that a single survivor pins little.
type builder struct {
	maxData int
	nodes   []znode.Node
	data    []byte
}

const (
	nodeSlab = 64
	dataSlab = 8 << 10
	slabbed  = 1 << 10 // longer data is allocated on its own
)

// empty is data of length 0 that is not null.
var empty = []byte{}

// node returns the znode that an answer describes, without children; old itself when nothing but its
// children may differ. flag says why its data is not kept; 0 when it is. The data is copied.
func (b *builder) node(name string, r *zkc.Result, flag znode.Flag, old *znode.Node) *znode.Node {
	data := r.Data
	if flag != 0 {
		data = nil
	}
	if flag == znode.Unreadable && r.Stat.NumChildren > 0 {
		flag |= znode.NotListed
	}
	if old != nil && sameStat(old, &r.Stat) && old.Flags&^listing == flag&^listing && sameData(old.Data, data) {
		return old
	}
	if len(b.nodes) == 0 {
		b.nodes = make([]znode.Node, nodeSlab)
	}
	n := &b.nodes[0]
	b.nodes = b.nodes[1:]
	*n = znode.Node{
		Name: name, Data: b.keep(data), Flags: flag, HasCversion: true,
		Owner: znode.SessionID(r.Stat.EphemeralOwner),
		Czxid: znode.Zxid(r.Stat.Czxid), Mzxid: znode.Zxid(r.Stat.Mzxid), Pzxid: znode.Zxid(r.Stat.Pzxid),
		Ctime: znode.Millis(r.Stat.Ctime), Mtime: znode.Millis(r.Stat.Mtime),
		Version: r.Stat.Version, Cversion: r.Stat.Cversion, Aversion: r.Stat.Aversion,
		NumChildren: r.Stat.NumChildren, DataLength: r.Stat.DataLength,
	}
	return n
}

// listing are the flags that say how a znode's children were read, not how it was itself.
const listing = znode.NotListed | znode.NamesRead | znode.OverBudget

// keep copies data.
func (b *builder) keep(data []byte) []byte {
	switch {
	case data == nil:
		return nil
	case len(data) == 0:
		return empty
	case len(data) > slabbed:
		return bytes.Clone(data)
	}
	if len(b.data)+len(data) > cap(b.data) {
		b.data = make([]byte, 0, dataSlab)
	}
	start := len(b.data)
	b.data = append(b.data, data...)
	return b.data[start:len(b.data):len(b.data)]
}

func sameData(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

func sameStat(n *znode.Node, s *wire.Stat) bool {
	return int64(n.Mzxid) == s.Mzxid && int64(n.Pzxid) == s.Pzxid && int64(n.Czxid) == s.Czxid &&
		n.Version == s.Version && n.Cversion == s.Cversion && n.Aversion == s.Aversion &&
		int64(n.Owner) == s.EphemeralOwner && n.NumChildren == s.NumChildren && n.DataLength == s.DataLength &&
		int64(n.Ctime) == s.Ctime && int64(n.Mtime) == s.Mtime && !n.Has(znode.NoStat)
}

// ask is one znode to be read.
type ask struct {
	dir  string
	name string      // empty: dir itself is meant, which is "/"
	flag znode.Flag  // not 0: ask for the stat only, for this reason
	old  *znode.Node // what we know of it; may be nil

	twice bool // it was found before, but its children could not be listed
}

// askFor returns what to ask of a znode that we know: its data, unless it is too long or not ours to see.
func askFor(dir, name string, old *znode.Node) ask {
	a := ask{dir: dir, name: name, old: old}
	if old != nil && !old.Has(znode.NoStat) {
		a.flag = old.Flags & (znode.DataOmitted | znode.Unreadable)
	}
	return a
}

func (a *ask) read() zkc.Read {
	if a.flag != 0 {
		return zkc.Read{Path: a.dir, Child: a.name, Kind: zkc.ReadExists}
	}
	return zkc.Read{Path: a.dir, Child: a.name}
}

func (a *ask) path() string { return znode.Join(a.dir, a.name) }

// size is the length of the path.
func (a *ask) size() int { return len(a.dir) + 1 + len(a.name) }

// unread stands for a znode that the server refuses to tell of for reasons of its own.
func unread(name string) *znode.Node {
	return &znode.Node{Name: name, Flags: znode.NoStat | znode.Unreadable | znode.NotListed}
}

// verdict is what an answer means.
type verdict uint8

const (
	unanswered verdict = iota
	found              // here is the node
	gone               // it does not exist
	askAgain           // in another way: the ask was changed accordingly
	refused            // the server has other reasons not to tell
)

// judge draws the conclusion from an answer, and builds the node when it was found.
func (b *builder) judge(a *ask, r *zkc.Result) (*znode.Node, verdict) {
	switch {
	case r.Code == wire.ErrNoNode:
		return nil, gone
	case r.Code == wire.ErrNoAuth && a.flag == 0:
		a.flag, a.old = znode.Unreadable, nil
		return nil, askAgain
	case r.Code != wire.OK:
		return nil, refused
	}
	tooLong := int(r.Stat.DataLength) > b.maxData
	switch {
	case a.flag == 0 && tooLong:
		return b.node(a.name, r, znode.DataOmitted, a.old), found
	case a.flag == znode.DataOmitted && !tooLong,
		a.flag == znode.Unreadable && a.old != nil && a.old.Aversion != r.Stat.Aversion: // it may be ours to see now
		a.flag, a.old = 0, nil
		return nil, askAgain
	}
	return b.node(a.name, r, a.flag, a.old), found
}
