package waits

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// Of a semaphore nobody has the place that comes free until a client makes a znode for it, writes its name into its
// own, or finds that few enough are left: the picture without the lease does not show who that will be, the order
// of the line does.

// waitsForLease reports whether who waits in a recipe waits for any lease to come free.
func waitsForLease(c *model.Claim) bool {
	return c.Reason == model.FirstBehindHolders || c.Reason == model.FirstForLease || c.Reason == model.BehindInLine
}

// lease tells whose turn comes at a semaphore: of those that stay, the first of the line take what is free.
func (f *Fate) lease(m *model.Model, gone func(*model.Claim) bool) {
	var waiting []*model.Claim
	lost := 0
	f.Kept = nil
	for i := range m.Claims {
		switch c := &m.Claims[i]; {
		case model.Holding(c.Role()) && gone(c):
			lost++
		case model.Holding(c.Role()):
			f.Kept = append(f.Kept, c)
		case !gone(c):
			waiting = append(waiting, c)
		}
	}
	free := lost
	if limit, known := m.Numbers.Get("limit"); known {
		free = max(0, int(limit)-len(f.Kept))
	}
	n := min(free, len(waiting))
	f.Next, f.Left = waiting[:n:n], len(waiting)-n
	f.unlisted = m.Dialect != layout.ZkRuby
}

// hasLeaseLine reports whether a recipe is a semaphore that is waited for in a line of its own.
func hasLeaseLine(m *model.Model) bool {
	if !m.Kind.Pool() || len(m.Claims) == 0 {
		return false
	}
	return waitsForLease(&m.Claims[len(m.Claims)-1])
}
