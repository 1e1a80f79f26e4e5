package truth

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

// hints are what the console is told: nothing.
var hints model.Hints

// predict reads from a result what it says of a claim's end. A claim that the result does not have is predicted nothing.
func predict(r *model.Result, recipe, path string) (f forecast) {
	m := r.ByPath(recipe)
	if m == nil {
		return f
	}
	i := slices.IndexFunc(m.Claims, func(c model.Claim) bool { return c.Path() == path })
	if i < 0 {
		return f
	}
	c := &m.Claims[i]
	fate := waits.FateOf(r, m, c)
	f.knowsNext = fate.Takes != model.NotKnown
	for _, n := range fate.Next {
		switch {
		case slices.Contains(fate.Sure, n):
			f.sure = append(f.sure, n.Path())
		case !slices.Contains(fate.Lost, n):
			f.maybe = append(f.maybe, n.Path())
		}
	}
	if fate.Wakes != nil {
		f.wakes, f.knowsWake = *fate.Wakes, true
	}
	for _, rel := range waits.ImpactOf(r, c.Session).Releases {
		if rel.Claim.Path() == path {
			f.safe, f.knowsSafe = rel.Safe == model.Yes, rel.Safe != model.NotKnown
		}
	}
	return f
}
