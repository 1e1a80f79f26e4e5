package waits

import (
	"fmt"
	"slices"
)

// PlainlyDiffers looks for what the search for knots, which steps over what it came to, tells otherwise than one that goes
// from every wait to every other; empty: nothing.
func PlainlyDiffers(w *Waits) string {
	g := w.graph
	for _, elections := range []bool{false, true} {
		want := g.plainlyStuck(elections)
		if got := g.stuck(elections); !slices.Equal(got, want) {
			return fmt.Sprintf("stuck, with elections %v: %v, not %v", elections, got, want)
		}
		for _, allowed := range []func(int32) bool{func(n int32) bool { return want[n] }, func(n int32) bool { return n%5 != 0 }} {
			got := g.knots(allowed)
			slices.SortFunc(got, slices.Compare)
			if want := g.plainKnots(allowed); !slices.EqualFunc(got, want, slices.Equal) {
				return fmt.Sprintf("knots: %v, not %v", got, want)
			}
			for n := range g.nodes {
				ring := g.shortest(int32(n), allowed)
				if far := g.plainlyFar(int32(n), allowed)[n]; len(ring) != max(far, 0) {
					return fmt.Sprintf("a ring of %d through %d, not of %d", len(ring), n, far)
				}
			}
		}
	}
	return ""
}

// plainlyStuck takes away what can end until nothing can.
func (g *waitGraph) plainlyStuck(elections bool) []bool {
	stuck := make([]bool, len(g.nodes))
	for n := range stuck {
		stuck[n] = g.counts(int32(n), elections)
	}
	for again := true; again; {
		again = false
		for n := range stuck {
			if stuck[n] && g.ends(int32(n), stuck) {
				stuck[n], again = false, true
			}
		}
	}
	return stuck
}

// plainlyFar counts the steps from a wait to each among allowed ones, and back to itself; -1: there is no way.
func (g *waitGraph) plainlyFar(from int32, allowed func(int32) bool) []int {
	far := make([]int, len(g.nodes))
	for n := range far {
		far[n] = -1
	}
	for queue, d := []int32{from}, 1; len(queue) > 0; d++ {
		var next []int32
		for _, at := range queue {
			for e := g.nodes[at].from; e < g.nodes[at].to; e++ {
				g.ahead(at, e, func(n int32) bool {
					if allowed(n) && far[n] < 0 {
						far[n] = d
						next = append(next, n)
					}
					return true
				})
			}
		}
		queue = next
	}
	return far
}

// plainKnots puts waits together of which each leads to the other.
func (g *waitGraph) plainKnots(allowed func(int32) bool) (out [][]int32) {
	far := make([][]int, len(g.nodes))
	for n := range far {
		far[n] = g.plainlyFar(int32(n), allowed)
	}
	done := make([]bool, len(far))
	for a := range far {
		if done[a] || !allowed(int32(a)) {
			continue
		}
		part := []int32{int32(a)}
		for b := a + 1; b < len(far); b++ {
			if allowed(int32(b)) && far[a][b] > 0 && far[b][a] > 0 {
				part, done[b] = append(part, int32(b)), true
			}
		}
		if len(part) > 1 {
			out = append(out, part)
		}
	}
	return out
}
