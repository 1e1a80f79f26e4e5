package chart

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

// Ages counts the items of a queue by how old they are, once a second.
type Ages struct {
	of     *model.Model
	at     time.Time
	counts [7]int
}

// Count is how many items are of each age in AgeBounds, and the most of those.
func (a *Ages) Count(m *model.Model, now time.Time) (counts [7]int, most int) {
	if a.of != m || now.Sub(a.at) >= time.Second || now.Before(a.at) {
		a.of, a.at, a.counts = m, now, [7]int{}
		for i := range m.Claims {
			at := m.Claims[i].Created()
			for k, bound := range AgeBounds {
				if !at.IsZero() && now.Sub(at) < bound {
					a.counts[k]++
					break
				}
			}
		}
	}
	for _, n := range a.counts {
		most = max(most, n)
	}
	return a.counts, most
}

// AgeBounds part the items of a queue by how old they are.
var AgeBounds = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 1 << 62}
