package past

import (
	"cmp"
	"slices"

	"github.com/zkscope/zkscope/internal/txnlog"
)

// head is what tells a transaction from another of its number.
type head struct {
	zxid, session, millis int64
	cxid                  int32
	kind                  txnlog.Kind
}

func headOf(r *txnlog.Record) head { return head{r.Zxid, r.Session, r.Millis, r.Cxid, r.Kind} }

// heads are the transactions that were read last, by rising zxid: a ring, whose oldest stands at next.
type heads struct {
	ring []head
	next int
}

// mostHeads are remembered: a member logs anew what it had logged and not yet applied when its leader was lost.
const mostHeads = 1 << 15

func (h *heads) add(r *txnlog.Record) {
	if n := len(h.ring); n < mostHeads {
		h.ring = append(h.ring, headOf(r))
		return
	}
	h.ring[h.next] = headOf(r)
	h.next = (h.next + 1) % mostHeads
}

// last is the highest zxid there is.
func (h *heads) last() int64 {
	if len(h.ring) == 0 {
		return 0
	}
	return h.ring[(h.next+len(h.ring)-1)%len(h.ring)].zxid
}

// differs reports whether another transaction of the same number was read.
func (h *heads) differs(r *txnlog.Record) bool {
	byZxid := func(x head, zxid int64) int { return cmp.Compare(x.zxid, zxid) }
	for _, part := range [][]head{h.ring[h.next:], h.ring[:h.next]} {
		if i, ok := slices.BinarySearchFunc(part, r.Zxid, byZxid); ok {
			return part[i] != headOf(r)
		}
	}
	return false
}

// again reports whether a transaction stands in the logs a second time: a member whose leader dies logs anew what the next
// leader sends it, and that begins with what it had applied last, not with what it had logged last. It was told already,
// and nothing comes of it. Where the numbers begin anew, as in a directory that was set back, another transaction has its
// number: what comes later in the files stands.
func (t *Tape) again(r *txnlog.Record) bool {
	if r.Zxid > t.high {
		t.high = r.Zxid
		if r.Zxid > t.heads.last() {
			t.heads.add(r)
		}
		return false
	}
	return !t.heads.differs(r)
}
