package waits

import (
	"math"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// manifold is what was seen of a session that one thread does not do.
type manifold uint8

const (
	workedWaiting manifold = iota + 1 // a claim of its came or went, or came to hold, while another one went on to wait
	waitedTwice                       // it waited in more than one place at once
)

// manifoldWords say it, after the session's name.
var manifoldWords = [...]string{
	workedWaiting: " was seen to work while it waited, so it has more threads than one",
	waitedTwice:   " was seen to wait in more than one place at once, so it has more threads than one, or an asynchronous client",
}

// threads finds the sessions that do what one thread does not. A run remembers them as long as they are there.
func (w *Waits) threads(prev *Waits) map[znode.SessionID]manifold {
	var known, found map[znode.SessionID]manifold
	if prev != nil {
		known = prev.Threaded
	}
	note := func(id znode.SessionID, what manifold) {
		if known[id] != 0 {
			return
		}
		if found == nil {
			found = map[znode.SessionID]manifold{}
		}
		found[id] = what
	}
	for id := range w.graph.waits {
		switch {
		case known[id] != 0:
		case w.worksOnWaiting(id):
			note(id, workedWaiting)
		case w.graph.waitsTogether(id, w.Result.Snapshot.AsOf()):
			note(id, waitedTwice)
		}
	}
	if prev != nil {
		w.releasedAhead(prev.Result, func(id znode.SessionID) { note(id, workedWaiting) })
	}
	if found == nil {
		return known
	}
	for id, what := range known {
		if _, there := w.Result.Snapshot.Sessions[id]; there || w.Result.Snapshot.Sessions == nil {
			found[id] = what
		}
	}
	return found
}

// waitPlace is where a session waits: of two claims that one call or lock object made one is forgotten, and
// they are one place.
type waitPlace struct {
	m  *model.Model
	of string // the claim's guard, or its name
}

func placeOfWait(e *Wait) waitPlace {
	name := layout.ParseName(e.Waiter.Node())
	if name.GUID == "" || name.Guard&(layout.CuratorGuard|layout.GoGuard|layout.HexGuard) == 0 {
		return waitPlace{e.Model, name.Text}
	}
	return waitPlace{e.Model, name.GUID}
}

// places counts the places in which a session waits.
func (g *waitGraph) places(id znode.SessionID) int {
	if len(g.waits[id]) < 2 {
		return len(g.waits[id])
	}
	seen := make(map[waitPlace]bool)
	for _, n := range g.waits[id] {
		seen[placeOfWait(g.waiter(n))] = true
	}
	return len(seen)
}

// waitsTogether reports whether a session was seen to wait in more than one place for so long that the places are no
// two looks at one thread that went from here to there. A claim that is known to have no watch may be a forgotten one.
func (g *waitGraph) waitsTogether(id znode.SessionID, now time.Time) bool {
	if len(g.waits[id]) < 2 {
		return false
	}
	var first waitPlace
	for _, n := range g.waits[id] {
		e := g.waiter(n)
		if e.Proof == model.Refuted || model.MomentOf(now) < max(e.Waiter.FirstSeen, g.began)+model.SightingsApart {
			continue
		}
		switch p := placeOfWait(e); {
		case first.m == nil:
			first = p
		case p != first:
			return true
		}
	}
	return false
}

// tookWaiting reports whether a session holds a claim, also one that nobody waits for, that it is known to have come to
// hold after the oldest of its waits began. Leaderships are left out: libraries take them in threads of their own.
func (w *Waits) tookWaiting(id znode.SessionID) bool {
	if w.taken == nil {
		w.taken = map[znode.SessionID][]*model.Claim{}
		for m := range w.Result.Models.All() {
			if !m.Kind.Waits() || m.Kind.Leads() {
				continue
			}
			for i := range m.Claims {
				if c := &m.Claims[i]; model.Holding(c.Role()) && len(w.graph.waits[c.Session]) > 0 {
					w.taken[c.Session] = append(w.taken[c.Session], c)
				}
			}
		}
	}
	var oldest *model.Claim
	for _, n := range w.graph.waits[id] {
		if c := w.graph.waiter(n).Waiter; oldest == nil || c.Czxid() < oldest.Czxid() {
			oldest = c
		}
	}
	return oldest != nil && slices.ContainsFunc(w.taken[id],
		func(held *model.Claim) bool { return w.graph.tookAfter(held, oldest) })
}

// worksOnWaiting reports whether the picture shows that a session worked while a claim of its waited.
func (w *Waits) worksOnWaiting(id znode.SessionID) bool {
	g := w.graph
	at, moved := w.Result.Pulse.Last(id)
	took := g.mayHaveTaken(id)
	for _, n := range g.waits[id] {
		wait := g.waiter(n).Waiter
		if began := max(wait.FirstSeen, g.began); moved && at >= began+model.SightingsApart {
			return true
		}
		if !took {
			continue
		}
		for _, h := range g.holds[id] {
			if g.tookAfter(g.edges[g.waitersOn(h)[0]].Blocker, wait) {
				return true
			}
		}
	}
	return false
}

// mayHaveTaken reports whether anything that a session holds may have been taken after any of its waits began: where
// its latest claim is older than its oldest wait the pairs need no look.
func (g *waitGraph) mayHaveTaken(id znode.SessionID) bool {
	const never = math.MaxInt64
	began, ctime, czxid := int64(never), int64(never), int64(never)
	for _, n := range g.waits[id] {
		c := g.waiter(n).Waiter
		if b := max(c.FirstSeen, g.began); b != 0 {
			began = min(began, int64(b+model.SightingsApart))
		}
		ctime, czxid = min(ctime, int64(c.Znode().Ctime)), min(czxid, int64(c.Czxid()))
	}
	return slices.ContainsFunc(g.holds[id], func(h int32) bool {
		c := g.edges[g.waitersOn(h)[0]].Blocker
		return c.RoleChangeSeen && int64(model.MomentOf(c.Since())) >= began || int64(c.Znode().Ctime) > ctime ||
			int64(c.Czxid()) > czxid
	})
}

// releasedAhead finds the sessions that stood in a line more than once, and of which a claim went while another one,
// which waited behind it, stayed: a thread that waits releases nothing, and its own wait ended after
// that at the earliest.
func (w *Waits) releasedAhead(prev *model.Result, note func(znode.SessionID)) {
	for m := range w.Result.Models.All() {
		was := prev.ByPath(m.Path)
		if !m.Kind.Waits() || was == nil || was == m || was.Czxid != m.Czxid ||
			was.Finding(model.CodePhantomClaim) == nil && was.Finding(model.CodeSelfWait) == nil {
			continue
		}
		stay := model.NewClaimTable(m)
		went := make(map[znode.SessionID]bool)
		for i := range was.Claims {
			switch c := &was.Claims[i]; {
			case c.Session == 0:
			case stay.Of(c) == nil:
				went[c.Session] = true
			case went[c.Session] && !model.Holding(c.Role()):
				note(c.Session)
			}
		}
	}
}
