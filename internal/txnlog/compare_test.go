package txnlog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// logged is a member with transactions of the given zxids; one that is negative is another transaction of that number.
func logged(t *testing.T, zxids ...int64) *txnlog.Member {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "log.1"))
	if err != nil {
		t.Fatal(err)
	}
	w := txntest.New(f, txntest.V36)
	for _, z := range zxids {
		data := "same"
		if z < 0 {
			z, data = -z, "other"
		}
		w.Write(&txnlog.Record{Session: 7, Cxid: 1, Zxid: z, Millis: 1000 + z, Kind: txnlog.SetData, Ops: []txnlog.Op{{Kind: txnlog.SetData, Path: []byte("/a"), Data: []byte(data)}}})
	}
	if f.Close(); w.Err() != nil {
		t.Fatal(w.Err())
	}
	m, err := txnlog.FindMember(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Two members are told to part where one went on without a transaction of the other, or holds another one of its number;
// one that is merely behind, or lacks a file, does not part.
func TestCompareMembers(t *testing.T) {
	const next = 1 << 32
	for _, x := range []struct {
		name   string
		a, b   []int64
		parted bool
		want   string
	}{
		{"alike", []int64{1, 2, 3}, []int64{1, 2, 3}, false, "3 1-3 a=0x0+0 b=0x0+0 missing 0 0"},
		{"behind", []int64{1, 2, 3, 4}, []int64{1, 2}, false, "2 1-2 a=0x3+2 b=0x0+0 missing 0 0"},
		{"ahead", []int64{1, 2}, []int64{1, 2, 3}, false, "2 1-2 a=0x0+0 b=0x3+1 missing 0 0"},
		{"begins later", []int64{1, 2, 3, 4}, []int64{3, 4}, false, "2 3-4 a=0x0+0 b=0x0+0 missing 0 0"},
		{"otherwise", []int64{1, 2, 3}, []int64{1, -2, 3}, true, "2 1-3 a=0x2+1 b=0x2+1 missing 0 0"},
		{"a hole", []int64{1, 2, 3, 4}, []int64{1, 4}, false, "2 1-4 a=0x0+0 b=0x0+0 missing 0 2"},
		{"never committed", []int64{1, 2, 3, next + 1}, []int64{1, next + 1}, true, "2 1-4294967297 a=0x2+2 b=0x0+0 missing 0 0"},
		{"apart", []int64{1, 2, 3}, []int64{1, next + 1}, true, "1 1-1 a=0x2+2 b=0x0+1 missing 0 0"},
	} {
		c, err := txnlog.Compare(logged(t, x.a...), logged(t, x.b...))
		if err != nil {
			t.Fatal(err)
		}
		zxid := func(f *txnlog.Found) int64 {
			if f == nil {
				return 0
			}
			return f.Zxid
		}
		got := fmt.Sprintf("%d %d-%d a=0x%x+%d b=0x%x+%d missing %d %d", c.Same, c.First.Zxid, c.Last.Zxid, zxid(c.A), c.OnlyA, zxid(c.B), c.OnlyB, c.MissingA, c.MissingB)
		if got != x.want || c.Diverged() != x.parted {
			t.Errorf("%s: %s, parted %v; want %s", x.name, got, c.Diverged(), x.want)
		}
	}
	a := logged(t, 1, 2, next+1)
	b := logged(t, 1, next+1)
	b.Snapshots = []txnlog.File{{Path: "snapshot.2", Zxid: 2}}
	if c, err := txnlog.Compare(a, b); err != nil || c.Diverged() || c.MissingB != 1 {
		t.Errorf("taken in with a snapshot: %+v, %v", c, err)
	}
}
