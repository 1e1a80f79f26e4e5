package zkserver

import (
	"cmp"
	"unicode/utf16"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// A real server keeps a session's ephemerals in a hash set and lists them in the order in which a copy of that has them,
// which clients may have come to rely on without knowing. It follows from the names, from the order in which they came, and
// from how large the table has become: it grows by doubling when it is three quarters full, and never shrinks.

const firstTable = 16

// own notes an ephemeral of the session.
func (ses *session) own(n *node) {
	ses.made++
	n.nth = ses.made
	ses.ephemerals[n.path] = n
	for ses.buckets = max(ses.buckets, firstTable); len(ses.ephemerals)*4 > ses.buckets*3; ses.buckets *= 2 {
	}
}

// asJava lists the session's ephemerals in a real server's order. The copy that it lists has a table of its own, as small as
// may be.
func (ses *session) asJava() []string {
	table := 1
	for float32(table) < float32(int(float32(len(ses.ephemerals))/0.75+1)) {
		table *= 2
	}
	type entry struct {
		path string
		copy int
		real int
		nth  int64
	}
	list := make([]entry, 0, len(ses.ephemerals))
	for path, n := range ses.ephemerals {
		h := javaHash(path)
		h ^= h >> 16
		list = append(list, entry{path, int(h) & (table - 1), int(h) & (ses.buckets - 1), n.nth})
	}
	sorted.By(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.copy, b.copy), cmp.Compare(a.real, b.real), cmp.Compare(a.nth, b.nth))
	})
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.path
	}
	return out
}

// javaHash is String.hashCode.
func javaHash(s string) (h uint32) {
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(unit)
	}
	return h
}
