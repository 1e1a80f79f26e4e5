package truth

import (
	"slices"

	"github.com/zkscope/zkscope/inspect"
)

// hints are what the console is told: nothing.
var hints inspect.Hints

// predict reads from a result what it says of a claim's end. A claim that the result does not have is predicted nothing.
func predict(r *inspect.Result, recipe, path string, own map[int64]bool) (f forecast) {
	m := r.ByPath(recipe)
	if m == nil {
		return f
	}
	i := slices.IndexFunc(m.Claims, func(c inspect.Claim) bool { return c.Path() == path })
	if i < 0 {
		return f
	}
	c := &m.Claims[i]
	f.sure, f.knowsNext = nextWithout(r, m, c), true
	f.wakes, f.knowsWake = wokenBy(r, m, c, own), true
	for _, rel := range inspect.ImpactOf(r, c.Session).Releases {
		if rel.Claim.Path() == path {
			f.safe, f.knowsSafe = !rel.Orphaned, true
		}
	}
	return f
}

func holding(c *inspect.Claim) bool {
	return c.Role() == inspect.Holder || c.Role() == inspect.Leader
}

// nextWithout says who holds when a claim is gone and did not before, as the plan of a break says it.
func nextWithout(r *inspect.Result, m *inspect.Model, c *inspect.Claim) (next []string) {
	after := inspect.Decode(r.Snapshot.WithDeleted(c.Path()), r, hints).ByPath(m.Path)
	if after == nil {
		return nil
	}
	was := map[string]bool{}
	for i := range m.Claims {
		was[m.Claims[i].Path()] = holding(&m.Claims[i])
	}
	for i := range after.Claims {
		if x := &after.Claims[i]; holding(x) && !was[x.Path()] {
			next = append(next, x.Path())
		}
	}
	return next
}

// wokenBy counts who is woken when a claim goes.
func wokenBy(r *inspect.Result, m *inspect.Model, c *inspect.Claim, own map[int64]bool) int {
	var ids []inspect.SessionID
	if watchers, told := r.Snapshot.Watches[c.Path()]; told {
		for _, id := range watchers {
			if id != c.Session && !own[int64(id)] {
				ids = append(ids, id)
			}
		}
		return len(ids)
	}
	for i := range m.Claims {
		x := &m.Claims[i]
		if ahead := x.Ahead(); ahead != nil && ahead.Path() == c.Path() && !slices.Contains(ids, x.Session) {
			ids = append(ids, x.Session)
		}
	}
	return len(ids)
}
