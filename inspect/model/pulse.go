package model

import (
	"maps"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// QuietFor is how long sessions must not have made or released a claim to be called quiet, and movesFor how long it is
// remembered that they did.
const (
	QuietFor = 5 * time.Second
	movesFor = 2 * QuietFor
)

// Pulse is what a run remembers of the sessions' work: when each made or released a claim last, and since when every
// such change was seen. It is immutable; the results of a run share it while nothing moves.
type Pulse struct {
	Began  time.Time                  // nothing was missed since
	recent map[znode.SessionID]Moment // what is not in older yet, or moved again since
	older  map[znode.SessionID]Moment // shared by many a pulse
	floor  Moment                     // what is older than this does not matter any more
}

// What is in recent is copied at every move, and all when it goes to older: so many are in recent at most, and one more
// for so many in older.
const (
	pulseRecent = 64
	pulseShare  = 16
)

// Last returns when a session was last seen to make or release a claim, where that is remembered.
func (p *Pulse) Last(id znode.SessionID) (at Moment, moved bool) {
	if at, moved = p.recent[id]; !moved {
		at, moved = p.older[id]
	}
	return at, moved && at >= p.floor
}

// With returns the pulse after sessions moved, without what is too old to matter.
func (p *Pulse) With(moved map[znode.SessionID]bool, now time.Time) *Pulse {
	out := &Pulse{Began: p.Began, recent: make(map[znode.SessionID]Moment, len(p.recent)+len(moved)), older: p.older,
		floor: MomentOf(now.Add(-movesFor))}
	maps.Copy(out.recent, p.recent)
	for id := range moved {
		out.recent[id] = MomentOf(now)
	}
	if len(out.recent) > pulseRecent+len(p.older)/pulseShare {
		all := make(map[znode.SessionID]Moment, len(p.older)+len(out.recent))
		for _, some := range []map[znode.SessionID]Moment{p.older, out.recent} {
			for id, at := range some {
				if at >= out.floor {
					all[id] = at
				}
			}
		}
		out.recent, out.older = nil, all
	}
	return out
}

// Busy reports whether a session was seen to make or release a claim lately.
func (p *Pulse) Busy(id znode.SessionID, now time.Time) bool {
	at, ok := p.Last(id)
	return ok && now.Sub(at.Time()) < QuietFor
}

// Covers reports whether every move of the last while was seen.
func (p *Pulse) Covers(now time.Time) bool { return now.Sub(p.Began) >= QuietFor }

// AddMovers adds the sessions whose claims are in one list and not in the other, or were handed on.
func AddMovers(moved map[znode.SessionID]bool, old, now []Claim) {
	for len(old) > 0 && len(now) > 0 && stays(&old[0], &now[0]) {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && stays(&old[len(old)-1], &now[len(now)-1]) {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	if len(old)+len(now) == 0 {
		return
	}
	was := make(map[ClaimKey]znode.SessionID, len(old))
	for i := range old {
		was[old[i].Key()] = old[i].Session
	}
	for i := range now {
		c := &now[i]
		id, there := was[c.Key()]
		if there && id == c.Session {
			delete(was, c.Key())
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
	return (a.Session == b.Session || a.Znode().Has(znode.NameOnly) || b.Znode().Has(znode.NameOnly)) &&
		(a.node == b.node && a.node != nil || a.Same(b))
}

// Handover is one place that was seen to change hands.
type Handover struct {
	At          time.Time       // when that was seen
	Session     znode.SessionID // the former owner's
	Lost        bool            // that session was gone
	Alive       bool            // it was last seen connected, or it came and went between two questions: it let go, for all that is known
	LockSpelled bool            // its claim was spelled like a lock's, which are handed round
	RoomEmptied bool            // of a double barrier: the room has been empty since
	Host        string          // where the former owner ran; empty: unknown
	Owner       string          // of a double barrier: what the former owner was called; empty: whether it had a connection is not known
}

// StepsDown reports whether a leader let go by itself where nothing but a word in the path or its data says that it
// leads: what takes turns by design is no symptom.
func (h *Handover) StepsDown(m *Model) bool {
	return h.Alive && !h.Lost && (h.LockSpelled || m.Dialect == layout.Generic)
}
