package recipes

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
)

// queueSpelling is how a dialect writes the items of one kind of queue.
type queueSpelling struct {
	items  string // the child of the queue's path that holds the items; empty: the path itself
	packed bool   // the data is framed as Curator does
	timed  bool   // keys are times

	prefix  func(key int64) (string, error) // what stands before an item's number
	keyOf   func(between string) (int64, bool)
	words   []string
	compare func(a, b entry) int
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
func (sp *queueSpelling) entry(name string) (entry, bool) {
	n := layout.ParseName(name)
	if !n.HasSeq {
		return entry{}, false
	}
	for _, word := range sp.words {
		rest, ok := strings.CutPrefix(name, word)
		if !ok || len(rest) < len(n.SeqText()) {
			continue
		}
		if key, ok := sp.keyOf(strings.TrimSuffix(rest, n.SeqText())); ok {
			return entry{name: name, key: key, seq: n.Seq, when: sp.timed}, true
		}
	}
	return entry{}, false
}

func byNumber(a, b entry) int {
	return cmp.Or(cmp.Compare(a.seq, b.seq), strings.Compare(a.name, b.name))
}

func byName(a, b entry) int { return strings.Compare(a.name, b.name) }

func byKey(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), byNumber(a, b)) }

// spellQueue returns the spelling of a kind of queue. The empty dialect is the documents', where they have
// that kind of queue, else Curator.
func spellQueue(k layout.Kind, d layout.Dialect) (queueSpelling, error) {
	plain := !k.ByPriority() && !k.FallDue()
	if d == "" && k.FallDue() {
		d = layout.Curator
	}
	switch {
	case d == layout.Kazoo && plain:
		sp := kazooQueue()
		sp.prefix = func(int64) (string, error) { return "entry-100-", nil } // kazoo's default priority
		return sp, nil
	case d == layout.Kazoo && k.ByPriority():
		return kazooQueue(), nil
	case k.FallDue() && d == layout.Curator:
		return delays(), nil
	case k.ByPriority() && d == layout.Curator:
		return curatorPriorities(), nil
	case k.ByPriority() && (d == "" || d == layout.ZooKeeper):
		return documentPriorities(), nil
	case plain && (d == "" || d == layout.ZooKeeper):
		return queueSpelling{words: []string{"queue-", "qn-"}, prefix: constant("queue-"), keyOf: nothing, compare: byNumber}, nil
	case plain && d == layout.Curator:
		return queueSpelling{words: []string{"queue-"}, packed: true, prefix: constant("queue-"), keyOf: nothing, compare: byName}, nil
	}
	return queueSpelling{}, unwritable(k, d)
}

func constant(word string) func(int64) (string, error) {
	return func(int64) (string, error) { return word, nil }
}

func nothing(between string) (int64, bool) { return 0, between == "" }

// documentPriorities: queue-YY and the number, YY from 00 to 99.
func documentPriorities() queueSpelling {
	return queueSpelling{words: []string{"queue-"}, compare: byKey,
		prefix: bounded(0, 99, func(p int64) string { return fmt.Sprintf("queue-%02d", p) }),
		keyOf:  func(s string) (int64, bool) { return decimal(s, 2) }}
}

// kazooQueue: entry-PPP- and the number, PPP from 000 to 999.
func kazooQueue() queueSpelling {
	return queueSpelling{items: "entries", words: []string{"entry-"}, compare: byKey,
		prefix: bounded(0, 999, func(p int64) string { return fmt.Sprintf("entry-%03d-", p) }),
		keyOf: func(s string) (int64, bool) {
			digits, ok := strings.CutSuffix(s, "-")
			if !ok {
				return 0, false
			}
			return decimal(digits, 3)
		}}
}

// curatorPriorities: 1 or, for negative ones, 0, and the priority's 32 bits in hexadecimal.
func curatorPriorities() queueSpelling {
	return queueSpelling{words: []string{"queue-"}, packed: true, compare: byName,
		prefix: bounded(-1<<31, 1<<31-1, func(p int64) string {
			sign := 1
			if p < 0 {
				sign = 0
			}
			return fmt.Sprintf("queue-%d%08X", sign, uint32(p))
		}),
		keyOf: func(s string) (int64, bool) {
			if len(s) != 9 || s[0] != '0' && s[0] != '1' {
				return 0, false
			}
			v, err := strconv.ParseUint(s[1:], 16, 32)
			return int64(int32(v)), err == nil
		}}
}

// delays: when the item is due, in hexadecimal milliseconds between bars.
func delays() queueSpelling {
	return queueSpelling{words: []string{"queue-|"}, packed: true, timed: true, compare: byKey,
		prefix: func(ms int64) (string, error) { return fmt.Sprintf("queue-|%08X|", max(ms, 0)), nil },
		keyOf: func(s string) (int64, bool) {
			hex, ok := strings.CutSuffix(s, "|")
			v, err := strconv.ParseInt(hex, 16, 64)
			return v, ok && err == nil
		}}
}

func bounded(low, high int64, spell func(int64) string) func(int64) (string, error) {
	return func(p int64) (string, error) {
		if p < low || p > high {
			return "", fmt.Errorf("priority %d is not between %d and %d, which this dialect can write", p, low, high)
		}
		return spell(p), nil
	}
}

func decimal(s string, width int) (int64, bool) {
	v, err := strconv.ParseUint(s, 10, 32)
	return int64(v), err == nil && len(s) == width
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
