package layout_test

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/layout"
)

// writtenRows are the rows that clients of ours write.
func writtenRows() (out []layout.Layout) {
	for _, l := range layout.Layouts() {
		if l.Written {
			out = append(out, l)
		}
	}
	return out
}

// TestWhatARowWritesIsWhatItReads: guard, id, word, key and number are read back, and the row is found by them.
func TestWhatARowWritesIsWhatItReads(t *testing.T) {
	for _, l := range writtenRows() {
		t.Run(string(l.Dialect)+" "+l.ID+" "+string(l.Mode), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { readBack(t, &l) })
		})
	}
}

func readBack(t *rapid.T, l *layout.Layout) {
	id := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
	seq := rapid.OneOf(rapid.Int32Range(0, 99), rapid.Int32Min(0)).Draw(t, "number")
	key := int64(0)
	name, spelt := l.NameOf(id), ""
	switch {
	case strings.Contains(l.Form, "<uuid>"):
		spelt = layout.Dashed(id)
	case strings.Contains(l.Form, "<32 hex>"):
		spelt = hex.EncodeToString(id[:])
	case l.Kind.Items():
		if l.Kind.ByPriority() || l.Kind.FallDue() {
			low, high := keysOf(l)
			key = rapid.Int64Range(low, high).Draw(t, "key")
		}
		var err error
		if name, err = l.ItemOf(key); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatal("claims without an id of their own cannot be found again after a reply was lost")
	}
	if !l.Numbered() {
		if !l.Spells(name) || !strings.Contains(name, spelt) {
			t.Fatalf("%q is not read", name)
		}
		return
	}
	name += layout.SequenceText(seq)
	n := layout.ParseName(name)
	if n.Word != l.Word || n.Guard&l.Guard == 0 || !n.HasSeq || n.Seq != seq || spelt != "" && n.GUID != spelt {
		t.Fatalf("%q: %+v", name, n)
	}
	if got, ok := l.KeyOf(&n); !ok || got != key || !l.Spells(name) {
		t.Fatalf("%q: key %d, %v, want %d", name, got, ok, key)
	}
	if got := layout.Of(&n, []byte(l.Within), "/q"); got == nil || got.ID != l.ID || got.Mode != l.Mode {
		t.Fatalf("%q: %+v", name, got)
	}
}

// keysOf finds out which keys a row can spell.
func keysOf(l *layout.Layout) (low, high int64) {
	for _, at := range []int64{math.MinInt32, 0} {
		for _, to := range []int64{99, 999, math.MaxInt32, math.MaxInt64} {
			_, err := l.ItemOf(at)
			_, over := l.ItemOf(to)
			if err == nil && over == nil && (low == 0 || at <= low) {
				low, high = min(low, at), to
			}
		}
	}
	return low, high
}

func TestKeysThatCannotBeSpelled(t *testing.T) {
	for _, c := range []struct {
		kind    layout.Kind
		dialect layout.Dialect
		good    []int64
		bad     []int64
	}{
		{layout.PriorityQueue, layout.ZooKeeper, []int64{0, 99}, []int64{-1, 100}},
		{layout.PriorityQueue, layout.Kazoo, []int64{0, 999}, []int64{-1, 1000}},
		{layout.PriorityQueue, layout.Curator, []int64{math.MinInt32, math.MaxInt32}, []int64{math.MinInt32 - 1, math.MaxInt32 + 1}},
		{layout.DelayQueue, layout.Curator, []int64{0, 1795816800000}, []int64{-1}},
	} {
		row := layout.WrittenAs(c.kind, layout.Exclusive, c.dialect)
		for _, key := range c.good {
			if _, err := row.ItemOf(key); err != nil {
				t.Error(err)
			}
		}
		for _, key := range c.bad {
			if name, err := row.ItemOf(key); err == nil {
				t.Errorf("%s %s: %d is spelled %q", c.dialect, c.kind, key, name)
			}
		}
	}
}

func TestWhichRowIsWritten(t *testing.T) {
	for _, c := range []struct {
		kind    layout.Kind
		mode    layout.Mode
		dialect layout.Dialect
		form    string // empty: none
	}{
		{layout.Lock, layout.Exclusive, layout.Curator, "_c_<uuid>-lock-<seq>"},
		{layout.Election, layout.Exclusive, layout.Curator, "_c_<uuid>-latch-<seq>"},
		{layout.Election, layout.Exclusive, layout.Kazoo, "<32 hex>__lock__<seq>"},
		{layout.SharedLock, layout.Read, layout.Kazoo, "<32 hex>__rlock__<seq>"},
		{layout.SharedLock, layout.Write, layout.Kazoo, "<32 hex>__lock__<seq>"},
		{layout.SharedLock, layout.Write, layout.Serviced, "_c_<32 hex>-write-<seq>"},
		{layout.Queue, layout.Exclusive, layout.Kazoo, "entry-<3 digits>-<seq>"},
		{layout.Queue, layout.Exclusive, layout.Curator, "queue-<seq>"},
		{layout.Membership, layout.Exclusive, layout.ZooKeeper, "<uuid>"},
		{layout.SharedLock, layout.Write, layout.GoZooKeeper, ""},
		{layout.Semaphore, layout.Exclusive, layout.ZooKeeper, ""},
		{layout.Lock, layout.Exclusive, layout.Zktools, ""},
		{layout.Lock, layout.Exclusive, "", ""},
	} {
		form := ""
		if row := layout.WrittenAs(c.kind, c.mode, c.dialect); row != nil {
			form = row.Form
		}
		if form != c.form {
			t.Errorf("%s %s %s: %q, want %q", c.dialect, c.kind, c.mode, form, c.form)
		}
	}
}

func TestWhatIdsAreSpelled(t *testing.T) {
	uuid, id := "01234567-89ab-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		kind    layout.Kind
		dialect layout.Dialect
		name    string
		want    bool
	}{
		{layout.Semaphore, layout.Kazoo, id, true},
		{layout.Semaphore, layout.Kazoo, id + "0", false},
		{layout.Semaphore, layout.Kazoo, "limit", false},
		{layout.DoubleBarrier, layout.Curator, uuid, true},
		{layout.DoubleBarrier, layout.Curator, id, false},
		{layout.DoubleBarrier, layout.ZooKeeper, "anybody", true},
		{layout.Membership, layout.Kazoo, id + "__party__", true},
		{layout.Membership, layout.Kazoo, "__party__", false},
		{layout.Membership, layout.Kazoo, "y__", false},
		{layout.Semaphore, layout.Curator, "_c_" + uuid + "-lease-0000000001", true},
		{layout.Semaphore, layout.Curator, "_c_" + uuid + "-lock-0000000001", false},
	} {
		if got := layout.WrittenAs(c.kind, layout.Exclusive, c.dialect).Spells(c.name); got != c.want {
			t.Errorf("%s %s: %q is one: %v", c.dialect, c.kind, c.name, got)
		}
	}
}
