package inspect

import (
	"maps"
	"time"
)

// quietFor is how long sessions must not have made or released a claim to be called quiet, and movesFor how long it is
// remembered that they did.
const (
	quietFor = 5 * time.Second
	movesFor = 2 * quietFor
)

// pulse is what a run remembers of the sessions' work: when each made or released a claim last, and since when every
// such change was seen. It is immutable; the results of a run share it while nothing moves.
type pulse struct {
	began time.Time // nothing was missed since
	last  map[SessionID]moment
}

// beat carries the pulse on: it costs nothing where no recipe was decoded again, and else in proportion to those that
// were. Whatever happened in a gap was not seen, so that counting begins anew after it.
func (d *decoder) beat() *pulse {
	now := d.snap.TakenAt
	whole := d.snap.LostSince.IsZero() && !d.snap.loading()
	if d.prev == nil || d.prev.pulse == nil || !d.reuse || !d.streaming || !whole || now.Before(d.prev.Snapshot.TakenAt) {
		return &pulse{began: d.snap.asOf()}
	}
	moved := map[SessionID]bool{}
	for i, j := 0, 0; i < len(d.removed) || j < len(d.added); {
		switch {
		case j == len(d.added) || i < len(d.removed) && ComparePaths(d.removed[i].Path, d.added[j].Path) < 0:
			movers(moved, d.removed[i].Claims, nil)
			i++
		case i == len(d.removed) || ComparePaths(d.removed[i].Path, d.added[j].Path) > 0:
			movers(moved, nil, d.added[j].Claims)
			j++
		default:
			movers(moved, d.removed[i].Claims, d.added[j].Claims)
			i, j = i+1, j+1
		}
	}
	delete(moved, 0)
	if len(moved) == 0 {
		return d.prev.pulse
	}
	return d.prev.pulse.with(moved, now)
}

// with returns the pulse after sessions moved, without what is too old to matter.
func (p *pulse) with(moved map[SessionID]bool, now time.Time) *pulse {
	out := &pulse{began: p.began, last: maps.Clone(p.last)}
	if out.last == nil {
		out.last = make(map[SessionID]moment, len(moved))
	}
	old := momentOf(now.Add(-movesFor))
	maps.DeleteFunc(out.last, func(_ SessionID, at moment) bool { return at < old })
	for id := range moved {
		out.last[id] = momentOf(now)
	}
	return out
}

// busy reports whether a session was seen to make or release a claim lately.
func (p *pulse) busy(id SessionID, now time.Time) bool {
	at, ok := p.last[id]
	return ok && now.Sub(at.time()) < quietFor
}

// covers reports whether every move of the last while was seen.
func (p *pulse) covers(now time.Time) bool { return now.Sub(p.began) >= quietFor }

// movers adds the sessions whose claims are in one list and not in the other, or were handed on.
func movers(moved map[SessionID]bool, old, now []Claim) {
	for len(old) > 0 && len(now) > 0 && stays(&old[0], &now[0]) {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && stays(&old[len(old)-1], &now[len(now)-1]) {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	if len(old)+len(now) == 0 {
		return
	}
	was := make(map[claimKey]SessionID, len(old))
	for i := range old {
		was[old[i].key()] = old[i].Session
	}
	for i := range now {
		c := &now[i]
		id, there := was[c.key()]
		if there && id == c.Session {
			delete(was, c.key())
			continue
		}
		moved[c.Session] = true
	}
	for _, id := range was {
		moved[id] = true
	}
}

// stays reports whether two claims are one and the same session's.
func stays(a, b *Claim) bool {
	return a.Session == b.Session && (a.node == b.node && a.node != nil || a.same(b))
}

// asOf is the moment up to which the picture is known to hold: a tree that does not change is not taken again, but the
// servers are asked again and again.
func (s *Snapshot) asOf() time.Time {
	if s.LostSince.IsZero() && s.AskedAt.After(s.TakenAt) {
		return s.AskedAt
	}
	return s.TakenAt
}
