package survey

import (
	"math/rand/v2"
	"testing"
)

// What is taken over from an earlier list, whatever moved, is what a plain list would hold, and the earlier one stays
// what it was although runs are shared.
func TestTwigsAreAListAndSharingIsNotSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var old twigs
	var plain []*memo
	for range 400 {
		n := r.IntN(400)
		var now twigs
		want := make([]*memo, n)
		for i, at := 0, 0; i < n; {
			if run := min(r.IntN(200), n-i, len(plain)-at); run > 0 && old.n > 0 {
				now.take(i, &old, at, run, n)
				copy(want[i:], plain[at:at+run])
				i, at = i+run, at+run
				continue
			}
			if r.IntN(3) > 0 {
				want[i] = &memo{empty: r.Int()}
				now.room(n)
				now.set(i, want[i])
			}
			i, at = i+1, min(len(plain), at+r.IntN(3))
			if r.IntN(2) == 0 && len(plain) > i {
				at = i
			}
		}
		check(t, &old, plain)
		check(t, &now, want)
		old, plain = now, want
	}
}

func check(t *testing.T, got *twigs, want []*memo) {
	t.Helper()
	found := 0
	for i, m := range want {
		if got.at(i) != m {
			t.Fatalf("at %d of %d: %v, not %v", i, len(want), got.at(i), m)
		}
		if m != nil {
			found++
		}
	}
	got.each(func(*memo) { found-- })
	if found != 0 {
		t.Fatalf("each tells %d too few", found)
	}
}
