package chronicle

import (
	"cmp"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// Owner is what became of all claims of one name.
type Owner struct {
	Name   string
	Claims int
	Times  int           // how often it held
	Held   time.Duration // for certain
	Maybe  time.Duration // of claims of which it is not known whether they held
	Waited time.Duration
	Lost   int // how many of its claims expired or were broken
}

// Owners adds up by name, the longest holders first.
func (c *Chronicle) Owners() []*Owner {
	by := map[string]*Owner{}
	var out []*Owner
	for _, s := range c.Stays {
		o := by[s.Owner]
		if o == nil {
			o = &Owner{Name: s.Owner}
			by[s.Owner] = o
			out = append(out, o)
		}
		o.Claims++
		if s.Doubt {
			o.Maybe += s.HeldFor(c.End)
		} else if !s.Held.At.IsZero() {
			o.Times++
			o.Held += s.HeldFor(c.End)
		}
		o.Waited += s.Waited(c.End)
		if s.How == Expired || s.How == Broken {
			o.Lost++
		}
	}
	slices.SortStableFunc(out, func(a, b *Owner) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Spread is how durations are spread; N is how many there are, and with none the others are zero.
type Spread struct {
	N             int
	P50, P95, Max time.Duration
}

// spread sorts what it is given.
func spread(ds []time.Duration) Spread {
	if len(ds) == 0 {
		return Spread{}
	}
	slices.Sort(ds)
	at := func(p int) time.Duration { return ds[(len(ds)*p+99)/100-1] }
	return Spread{len(ds), at(50), at(95), ds[len(ds)-1]}
}

// Doubts counts the claims of which it is not known whether they held.
func (c *Chronicle) Doubts() (n int) {
	for _, s := range c.Stays {
		if s.Doubt {
			n++
		}
	}
	return n
}

// Holds is how long those held that were seen to begin and to end; none of a recording's gaps is in the way, and that they
// held is certain.
func (c *Chronicle) Holds() Spread {
	var ds []time.Duration
	for _, s := range c.Stays {
		if !s.Held.At.IsZero() && !s.Left.At.IsZero() && !s.HeldFrom && !s.Doubt && s.Held.From.IsZero() && s.Left.From.IsZero() {
			ds = append(ds, s.HeldFor(c.End))
		}
	}
	return spread(ds)
}

// Waits is how long those waited that came to hold, where both were seen.
func (c *Chronicle) Waits() Spread {
	var ds []time.Duration
	for _, s := range c.Stays {
		if !s.Held.At.IsZero() && !s.HeldFrom && !s.Doubt && s.Came.From.IsZero() && s.Held.From.IsZero() {
			ds = append(ds, s.Waited(c.End))
		}
	}
	return spread(ds)
}

// LongestNobody returns the longest stretches, at most so many, in which nobody held.
func (c *Chronicle) LongestNobody(most int) []Span {
	out := slices.Clone(c.Nobody)
	sorted.By(out, func(a, b Span) int { return cmp.Compare(b.To.Sub(b.From), a.To.Sub(a.From)) })
	return out[:min(most, len(out))]
}

// Changes is how often another claim came to hold than the one before.
func (c *Chronicle) Changes() int {
	n := 0
	for _, s := range c.Stays {
		if !s.Held.At.IsZero() && !s.Doubt {
			n++
		}
	}
	return max(0, n-1)
}
