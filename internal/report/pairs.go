package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// Pair is for how long claims of one name held while claims of another waited.
type Pair struct {
	Holder, Waiter string
	Sum, Longest   time.Duration
	Times          int // claims that held, times claims that waited meanwhile
}

// Pairs tells who held while whom waited, the longest sum first. Claims of which it is not known whether they held are in
// none.
func Pairs(c *chronicle.Chronicle) []Pair {
	var holds, waits []stretch
	var names []string
	places := map[string]int{}
	for _, s := range c.Stays {
		if s.Doubt {
			continue
		}
		owner, ok := places[s.Owner]
		if !ok {
			owner = len(names)
			places[s.Owner], names = owner, append(names, s.Owner)
		}
		left := cmp.Or(s.Left.At, c.End)
		if held := s.Held.At; !held.IsZero() {
			holds = append(holds, stretch{held, left, owner})
			left = held
		}
		if left.After(s.Came.At) {
			waits = append(waits, stretch{s.Came.At, left, owner})
		}
	}
	return overlaps(holds, waits, names)
}

type stretch struct {
	from, to time.Time
	owner    int // its name's place
}

// overlaps goes through the holds in the order of time, with those that wait then.
func overlaps(holds, waits []stretch, names []string) []Pair {
	byTime := func(a, b stretch) int { return a.from.Compare(b.from) }
	slices.SortStableFunc(holds, byTime)
	slices.SortStableFunc(waits, byTime)
	sums := make([]map[int]*Pair, len(names))
	var now []stretch
	for _, h := range holds {
		now = slices.DeleteFunc(now, func(w stretch) bool { return !w.to.After(h.from) })
		for len(waits) > 0 && waits[0].from.Before(h.to) {
			if waits[0].to.After(h.from) {
				now = append(now, waits[0])
			}
			waits = waits[1:]
		}
		of := sums[h.owner]
		if of == nil {
			of = map[int]*Pair{}
			sums[h.owner] = of
		}
		for _, w := range now {
			d := earlier(h.to, w.to).Sub(later(h.from, w.from))
			if d <= 0 {
				continue
			}
			p := of[w.owner]
			if p == nil {
				p = &Pair{Holder: names[h.owner], Waiter: names[w.owner]}
				of[w.owner] = p
			}
			p.Sum, p.Longest, p.Times = p.Sum+d, max(p.Longest, d), p.Times+1
		}
	}
	var out []Pair
	for _, of := range sums {
		for _, p := range of {
			out = append(out, *p)
		}
	}
	sorted.By(out, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.Holder, b.Holder), cmp.Compare(a.Waiter, b.Waiter))
	})
	return out
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
