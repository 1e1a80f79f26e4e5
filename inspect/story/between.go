package story

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

// passing is how soon after a turn came a loss follows that most likely has the same cause: sessions that ended
// together.
const passing = 2 * time.Second

// maybeNever reports whether a claim that is gone may never have held: its turn came when its client had been heard
// for the last time, or hardly before its session was lost, or it may have waited for a later writer all the time.
func (d *differ) maybeNever(c *model.Claim, what string) bool {
	if c.Reason == model.UnlessOld {
		return true
	}
	if what != EventLost || !c.RoleChangeSeen {
		return false
	}
	if d.now.Sub(c.Since()) < passing {
		return true
	}
	s, known := d.before.Sessions[c.Session]
	return known && s.Timeout > 0 && !s.ExpiresAt.IsZero() && s.ExpiresAt.Add(s.Within-s.Timeout).Before(c.Since())
}

// mayHaveHeld tells of each claim that waited whether its turn may have come since: all ahead of it went as well. now
// finds the claims that are there now, and left tells which of those that are not are a lease now.
func mayHaveHeld(old *model.Model, now model.ClaimTable, left map[*model.Claim]bool) []bool {
	free := make([]bool, len(old.Claims))
	if old.Kind.Pool() {
		leasesFreed(old, now, left, free)
		return free
	}
	for i := range old.Claims {
		c := &old.Claims[i]
		by := c.Blockers()
		free[i] = len(by) > 0 && !model.Holding(c.Role())
		for j := range by {
			b := &by[j]
			waits := !model.Holding(b.Role()) && b.Position() < i // some wait for a later writer
			if now.Of(b) != nil || waits && !free[b.Position()] {
				free[i] = false
				break
			}
		}
	}
	return free
}

// leasesFreed is mayHaveHeld for a pool, which serves its line in order: more leases were given back than those ahead
// of a claim took, and none of them waits.
func leasesFreed(old *model.Model, now model.ClaimTable, left map[*model.Claim]bool, free []bool) {
	leases := 0
	for i := range old.Claims {
		c := &old.Claims[i]
		is := now.Of(c)
		switch {
		case model.Holding(c.Role()):
			if is == nil {
				leases++
			}
		case left[c] || is != nil && model.Holding(is.Role()):
			leases--
		case c.HasNote(model.NoteHasLease): // its lease is counted
		case is != nil:
			return // it waits still, and so do those behind it
		default:
			free[i] = leases > 0
		}
	}
}
