package recipes

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
)

// itemSpelling is how the items of a queue are written, and which items are taken from it.
type itemSpelling struct {
	row    *layout.Layout   // of the items that are put
	rows   []*layout.Layout // of those that are taken
	store  layout.Store
	usual  bool // items are put without a priority although they have one
	timed  bool // keys are times
	byName bool // items of one key are served by name, not by number
}

// spellingOf returns the spelling of a kind of queue. The empty dialect is the documents', where they have that kind of
// queue, else Curator's.
func spellingOf(k layout.Kind, d Dialect) (sp itemSpelling, err error) {
	if !slices.Contains(Dialects(k), ZooKeeper) {
		d = d.or(Curator)
	}
	if sp.row, err = rowOf(k, layout.Exclusive, d); err != nil {
		return sp, err
	}
	sp.rows = layout.ItemsOf(k, sp.row.Dialect)
	if sp.row.Store != nil {
		sp.store = *sp.row.Store
	}
	sp.usual, sp.timed = sp.row.Kind != k, k.FallDue()
	sp.byName = !slices.ContainsFunc(sp.rows, func(l *layout.Layout) bool { return l.Order != layout.ByName })
	return sp, nil
}

// prefix is what stands before the number of a new item.
func (sp *itemSpelling) prefix(key int64) (string, error) {
	if sp.usual {
		key = sp.store.Usual
	}
	if sp.timed {
		key = max(key, 0)
	}
	return sp.row.ItemOf(key)
}

// entry is the name of an item taken apart.
type entry struct {
	name string
	key  int64 // priority, or when it is due in milliseconds since the epoch
	seq  int32
	when bool // key is a time
}

// due is how long it takes until the item may be taken; not positive: it may be now.
func (e entry) due(now time.Time) time.Duration {
	if !e.when {
		return 0
	}
	return time.UnixMilli(e.key).Sub(now)
}

func (e entry) ripe(now time.Time) bool { return e.due(now) <= 0 }

// entry reads a name; false when it is no item's.
func (sp *itemSpelling) entry(name string) (entry, bool) {
	n := layout.ParseName(name)
	for _, row := range sp.rows {
		if key, ok := row.KeyOf(&n); ok && !n.Requeued {
			return entry{name: name, key: key, seq: n.Seq, when: sp.timed}, true
		}
	}
	return entry{}, false
}

// compare says which of two items is served first.
func (sp *itemSpelling) compare(a, b entry) int {
	c := cmp.Compare(a.key, b.key)
	if c == 0 && !sp.byName {
		c = cmp.Compare(a.seq, b.seq)
	}
	return cmp.Or(c, strings.Compare(a.name, b.name))
}

// The frame of Curator's items: a version, then for each payload a mark, its length and itself, then an end.
const (
	packVersion = 0x00010001
	packItem    = 1
	packEnd     = 2
)

func pack(data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, packVersion)
	out = append(out, packItem)
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	return append(append(out, data...), packEnd)
}

// unpack returns the payloads of an item; false when it is not framed so, or holds none.
func unpack(b []byte) (out [][]byte, ok bool) {
	if len(b) < 4 || binary.BigEndian.Uint32(b) != packVersion {
		return nil, false
	}
	b = b[4:]
	for len(b) >= 5 && b[0] == packItem {
		n := int64(binary.BigEndian.Uint32(b[1:]))
		if n > int64(len(b))-5 {
			return nil, false
		}
		out = append(out, b[5:5+n])
		b = b[5+n:]
	}
	return out, len(out) > 0 && len(b) > 0 && b[0] == packEnd
}
