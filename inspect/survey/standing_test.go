package survey

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zkscope/zkscope/inspect/znode"
)

// The one newer session at an address is found without looking at each: as by looking at each.
func TestTheOnlyNewerSessionIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		id := func() znode.SessionID {
			return znode.SessionID([]uint64{0, 1, 2, 0xff}[r.IntN(4)]<<56 | uint64(r.IntN(4)))
		}
		var ids []znode.SessionID
		for range r.IntN(5) {
			if x := id(); !slices.Contains(ids, x) {
				ids = append(ids, x)
			}
		}
		slices.SortFunc(ids, func(a, b znode.SessionID) int { return cmp.Compare(uint64(a), uint64(b)) })
		than := id()
		var newer []znode.SessionID
		for _, x := range ids {
			if x != than && (uint64(x)>>56 != uint64(than)>>56 || uint64(x) > uint64(than)) {
				newer = append(newer, x)
			}
		}
		got, one := onlyNewer(ids, than)
		if one != (len(newer) == 1) || one && got != newer[0] {
			t.Fatalf("of %v newer than %v: %v, %v; want %v", ids, than, got, one, newer)
		}
	}
}

// Thousands of claims of sessions without a connection, at an address that thousands of sessions share:
// each costs the same.
func BenchmarkSuccessorsAtOneAddress(b *testing.B) {
	var ids []znode.SessionID
	for i := range znode.SessionID(50_000) {
		ids = append(ids, i+100)
	}
	for b.Loop() {
		for i := range znode.SessionID(50_000) {
			onlyNewer(ids, i)
		}
	}
}
