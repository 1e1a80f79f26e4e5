package sorted

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type value struct{ key, was int }

func byKey(a, b value) int { return cmp.Compare(a.key, b.key) }

func values(keys []int) []value {
	out := make([]value, len(keys))
	for i, k := range keys {
		out[i] = value{k, i}
	}
	return out
}

// TestAsTheLibrary: what slices.SortStableFunc makes of any list, By makes of it.
func TestAsTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := values(rapid.SliceOfN(rapid.IntRange(-3, 9), 0, 60).Draw(t, "keys"))
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		By(list, byKey)
		if !slices.Equal(list, want) {
			t.Fatalf("%v, want %v", list, want)
		}
	})
}

// TestInOrderCostsNothing: a list that is in order is looked at once.
func TestInOrderCostsNothing(t *testing.T) {
	list, asked := values([]int{1, 2, 2, 5, 9}), 0
	n := testing.AllocsPerRun(10, func() {
		asked = 0
		By(list, func(a, b value) int { asked++; return byKey(a, b) })
	})
	if n != 0 || asked != len(list)-1 {
		t.Fatalf("%v allocations, %d comparisons; want 0 and %d", n, asked, len(list)-1)
	}
}

// wide is as big as what is sorted most.
type wide struct {
	key int
	_   [15]int
}

// BenchmarkBy sorts beside the library.
func BenchmarkBy(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		mixed := make([]wide, n)
		for i := range mixed {
			mixed[i].key = rand.IntN(n)
		}
		for name, sort := range map[string]func([]wide, func(a, b wide) int){
			"by": By[wide], "stable": slices.SortStableFunc[[]wide], "library": slices.SortFunc[[]wide],
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				list := make([]wide, n)
				for b.Loop() {
					copy(list, mixed)
					sort(list, func(a, b wide) int { return cmp.Compare(a.key, b.key) })
				}
			})
		}
	}
}
