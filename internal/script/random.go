package script

import (
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"pgregory.net/rapid"
)

// Mutate makes a few changes to a snapshot, most of them inside lines.
func Mutate(t *rapid.T, s *znode.Snapshot) *znode.Snapshot {
	out := *s
	next := &out
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		paths := AllPaths(next)
		path := rapid.SampledFrom(paths).Draw(t, "path")
		if n := next.At(path); n != nil && n.Ephemeral() { // it has no children on any server
			path, _ = znode.Split(path)
		}
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			next = next.WithDeleted(path)
		case 1:
			next = next.WithData(path, rapid.SampledFrom([][]byte{nil, []byte("web-2"), []byte("{\"id\":\"x\"}"),
				[]byte("2"), []byte("commit"), []byte("abort\n"),
				[]byte("{\"holder\":\"h\",\"end\":\"1970-01-01T00:16:42\"}"),
				[]byte("{\"serviceType\":\"DYNAMIC\",\"address\":\"a\",\"port\":1}")}).Draw(t, "data"))
		default:
			name := rapid.SampledFrom([]string{"lock-0000000001", "lock-0000000009", "read-0000000003",
				"n_0000000004", "config",
				"_c_" + UUID + "-lock-0000000005", Hex + "__lock__0000000006", "locks", "leader",
				"election", "x", "leases",
				"_c_" + UUID + "-lease-0000000007", Hex, UUID, "a" + layout.LineSuffix, "ready",
				"queue-0000000002", "queue-050000000003",
				"a-locks", "queue-|1A21F459572|0000000004", "entries", "taken", "entry-100-0000000001", "s_1", "tx",
				"barrier", "service", "members",
				"counter", "rendezvous", "lease_holder", "0", "brokers", "ids", "controller", "hbase", "rs",
				"master", Hex + "__party__",
				"mesos", "0000000009", "initialize"}).Draw(t, "name")
			owner := rapid.SampledFrom([]znode.SessionID{0, 1, 2, 3}).Draw(t, "owner")
			next = next.WithCreated(znode.Join(path, name), znode.Node{Owner: owner, Ctime: 1000})
		}
	}
	c := *next
	c.TakenAt = c.TakenAt.Add(time.Second)
	return &c
}

// AllPaths lists the paths of a picture, parents before children.
func AllPaths(s *znode.Snapshot) (out []string) {
	var walk func(string, *znode.Node)
	walk = func(path string, n *znode.Node) {
		out = append(out, path)
		for _, c := range n.Children {
			if znode.Addressable(c.Name) {
				walk(znode.Join(path, c.Name), c)
			}
		}
	}
	walk(s.Base, s.Root)
	return out
}

// StartOfRun draws a first picture of which every way to a later one tells the same.
func StartOfRun(t *rapid.T) *znode.Snapshot {
	names := rapid.SampledFrom([]string{"a", "b", "locks", "leader", "election", "lock-0000000001", "lock-0000000002",
		"n_0000000004", "leases",
		"_c_" + UUID + "-lock-0000000005", Hex + "__lock__-2147483648", "queue-0000000001", Hex, UUID, "ready",
		"config", "s_1", "tx", "barrier", "lease_holder", "0", "members",
		"entries", "taken", "entry-100-0000000001", "a-__lock__", "a-locks"})
	s := &znode.Snapshot{Root: AnyNode(t, names, 3), Base: "/", TakenAt: time.Unix(1000, 0).UTC(), Complete: true}
	strip(s.Root)
	return s
}

// strip takes from a tree what makes two ways to the same picture differ: revoke words overwrite names
// that only an earlier picture had.
func strip(n *znode.Node) {
	if len(n.Children) > 0 {
		n.Owner = 0 // no server has an ephemeral znode with children
	}
	if layout.IsRevokeWord(n.Data) {
		n.Data = nil
	}
	n.Flags = 0
	n.NumChildren = int32(len(n.Children))
	for _, c := range n.Children {
		strip(c)
	}
}

// AnyTree draws a tree as a snapshot can hold it, hostile names and all.
func AnyTree(t *rapid.T, depth int) *znode.Node {
	name := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "locks", "leader", "election", "lock-0000000001",
			"lock-0000000002", "read-0000000003",
			"n_0000000004", "_c_" + UUID + "-lock-0000000005", Hex + "__lock__-2147483648",
			"x-5-2147483647", "queue-0000000001",
			"leases", "..", "\x1b[2J", "\xff\xfe", "a\u200bb", ""}),
		rapid.StringMatching(`[a-z]{1,3}`))
	return AnyNode(t, name, depth)
}

// AnyNode draws a tree of given names.
func AnyNode(t *rapid.T, names *rapid.Generator[string], depth int) *znode.Node {
	n := &znode.Node{
		Owner: rapid.SampledFrom([]znode.SessionID{0, 0, 1, 2, -8286445525200011260}).Draw(t, "owner"),
		Czxid: znode.Zxid(rapid.IntRange(1, 50).Draw(t, "czxid")), Mzxid: 3, Pzxid: 4,
		Ctime: znode.Millis(rapid.Int64Range(0, 1<<41).Draw(t, "ctime")), Mtime: 5,
		Version: rapid.Int32().Draw(t, "version"), Aversion: 2,
	}
	n.Data = rapid.SampledFrom([][]byte{nil, {}, []byte("web-1"), []byte("10.0.0.1"), {0xff, 0}, []byte("__REVOKE__"),
		[]byte("{")}).Draw(t, "data")
	n.DataLength = int32(len(n.Data))
	n.Flags = znode.Flag(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 4, 9}).Draw(t, "flags"))
	if rapid.Bool().Draw(t, "cversion") {
		n.Cversion, n.HasCversion = rapid.Int32().Draw(t, "cv"), true
	}
	if depth > 0 {
		kids := rapid.SliceOfNDistinct(names, 0, 5, rapid.ID[string]).Draw(t, "names")
		for _, name := range kids {
			c := AnyNode(t, names, depth-1)
			c.Name = name
			n.Insert(c)
		}
	}
	n.NumChildren = int32(len(n.Children)) + rapid.SampledFrom([]int32{0, 0, 0, 5}).Draw(t, "unseen")
	return n
}

// AnySnapshot draws a picture: sessions, watches and servers known or not, whole or with holes.
func AnySnapshot(t *rapid.T) *znode.Snapshot {
	s := &znode.Snapshot{Root: AnyTree(t, 3),
		Base:     rapid.SampledFrom([]string{"/", "/app", "/locks/x"}).Draw(t, "base"),
		TakenAt:  time.UnixMilli(rapid.Int64Range(1, 1<<41).Draw(t, "at")).UTC(),
		Complete: rapid.Bool().Draw(t, "complete")}
	_, s.Root.Name = znode.Split(s.Base)
	if rapid.Bool().Draw(t, "servers known") {
		s.Servers = []znode.Server{{Addr: "s1:2181", Mode: "leader", Tier: "4lw",
			Answered: rapid.Bool().Draw(t, "answered")}}
	}
	if rapid.Bool().Draw(t, "sessions known") {
		yes, no := true, false
		s.Sessions = map[znode.SessionID]znode.Session{1: {ID: 1, Addr: "10.0.0.1:1", Connected: &yes},
			2: {ID: 2, Connected: &no, Timeout: 3e9, ExpiresAt: s.TakenAt.Add(time.Second)}}
	}
	if rapid.Bool().Draw(t, "watches known") {
		s.Watches = map[string][]znode.SessionID{"/lock-0000000001": {1, 2}, "/a": {}}
	}
	if !s.Complete && rapid.Bool().Draw(t, "partial") {
		s.Partial = []string{"a reason"}
	}
	return s
}

// Acceptable is a tree without names that no server accepts.
func Acceptable(n *znode.Node) *znode.Node {
	c := *n
	c.Children = nil
	for _, kid := range n.Children {
		if files.Nameable(kid.Name) {
			c.Children = append(c.Children, Acceptable(kid))
		}
	}
	return &c
}
