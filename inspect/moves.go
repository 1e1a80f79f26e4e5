package inspect

import (
	"maps"
	"slices"
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
	began  time.Time            // nothing was missed since
	recent map[SessionID]moment // what is not in older yet, or moved again since
	older  map[SessionID]moment // shared by many a pulse
	floor  moment               // what is older than this does not matter any more
}

// What is in recent is copied at every move, and all when it goes to older: so many are in recent at most, and one more
// for so many in older.
const (
	pulseRecent = 64
	pulseShare  = 16
)

// last returns when a session was last seen to make or release a claim, where that is remembered.
func (p *pulse) last(id SessionID) (at moment, moved bool) {
	if at, moved = p.recent[id]; !moved {
		at, moved = p.older[id]
	}
	return at, moved && at >= p.floor
}

// calmness is what is known of whether a session goes on working.
type calmness uint8

const (
	calmUnknown calmness = iota
	calmQuiet            // it made and released nothing for a while
	calmWorking
)

var calmWords = [...]string{
	calmUnknown: "whether it goes on working is not known",
	calmQuiet:   "none of its claims came or went for " + Age(quietFor),
	calmWorking: "it works on: one of its claims came or went within " + Age(quietFor),
}

// grade is a session whose calmness decided how much a finding weighs: it is looked at again when that changes.
type grade struct {
	session SessionID
	how     calmness
}

// carried is the pulse that the picture goes on with; nil where something may have been missed since.
func (d *decoder) carried() *pulse {
	whole := d.snap.LostSince.IsZero() && !d.snap.loading()
	if d.prev == nil || !d.reuse || !d.streaming || !whole || d.snap.TakenAt.Before(d.prev.Snapshot.TakenAt) {
		return nil
	}
	return d.prev.pulse
}

// calm returns what is known of a session from the pictures before.
func (d *decoder) calm(id SessionID) calmness {
	now := d.snap.asOf()
	switch p := d.before; {
	case p == nil:
		return calmUnknown
	case p.busy(id, now):
		return calmWorking
	case p.covers(now):
		return calmQuiet
	}
	return calmUnknown
}

// moves returns when a session was last seen to make or release a claim, where that is remembered.
func (d *decoder) moves(id SessionID) (at moment, moved bool) {
	if d.before == nil {
		return 0, false
	}
	return d.before.last(id)
}

// regraded reports whether what decided how findings weigh has changed, unless nobody will look at them.
func (d *decoder) regraded(of []grade) bool {
	return !d.passing && slices.ContainsFunc(of, func(g grade) bool { return d.calm(g.session) != g.how })
}

// calmness returns what is known of a session that has claims in the line, from the line itself too: where too little was
// seen, claims that are only just made tell.
func (v *lineView) calmness(id SessionID, claims []*Claim) calmness {
	if v.before != nil && v.movers == nil {
		var old []Claim
		if v.memo.old != nil {
			old = v.memo.old.Claims
		}
		v.movers = map[SessionID]bool{}
		movers(v.movers, old, v.model.Claims)
	}
	if v.movers[id] {
		return calmWorking
	}
	how, now := v.calm(id), v.snap.asOf()
	young := func(c *Claim) bool {
		age := now.Sub(c.Created())
		return !c.Created().IsZero() && age >= 0 && age < quietFor
	}
	if how == calmUnknown && slices.ContainsFunc(claims, young) {
		return calmWorking
	}
	return how
}

// beat carries the pulse on: it costs nothing where no recipe was decoded again, and else in proportion to those that
// were. Whatever happened in a gap was not seen, so that counting begins anew after it.
func (d *decoder) beat() *pulse {
	now := d.snap.TakenAt
	if d.before == nil {
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
		return d.before
	}
	return d.before.with(moved, now)
}

// with returns the pulse after sessions moved, without what is too old to matter.
func (p *pulse) with(moved map[SessionID]bool, now time.Time) *pulse {
	out := &pulse{began: p.began, recent: make(map[SessionID]moment, len(p.recent)+len(moved)), older: p.older, floor: momentOf(now.Add(-movesFor))}
	maps.Copy(out.recent, p.recent)
	for id := range moved {
		out.recent[id] = momentOf(now)
	}
	if len(out.recent) > pulseRecent+len(p.older)/pulseShare {
		all := make(map[SessionID]moment, len(p.older)+len(out.recent))
		for _, part := range []map[SessionID]moment{p.older, out.recent} {
			for id, at := range part {
				if at >= out.floor {
					all[id] = at
				}
			}
		}
		out.recent, out.older = nil, all
	}
	return out
}

// busy reports whether a session was seen to make or release a claim lately.
func (p *pulse) busy(id SessionID, now time.Time) bool {
	at, ok := p.last(id)
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
	return (a.Session == b.Session || a.znode().Has(NameOnly) || b.znode().Has(NameOnly)) && (a.node == b.node && a.node != nil || a.same(b))
}

// asOf is the moment up to which the picture is known to hold: a tree that does not change is not taken again, but the
// servers are asked again and again.
func (s *Snapshot) asOf() time.Time {
	if s.LostSince.IsZero() && s.AskedAt.After(s.TakenAt) {
		return s.AskedAt
	}
	return s.TakenAt
}
