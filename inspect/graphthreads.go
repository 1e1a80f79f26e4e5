package inspect

// threads finds the sessions that have more threads than one: a claim of theirs came or went, or came to hold, while
// another one waited and went on to wait. A run remembers them as long as they are there.
func (w *Waits) threads(prev *Waits) map[SessionID]bool {
	var known, found map[SessionID]bool
	if prev != nil {
		known = prev.threaded
	}
	note := func(id SessionID) {
		if known[id] {
			return
		}
		if found == nil {
			found = map[SessionID]bool{}
		}
		found[id] = true
	}
	for id := range w.graph.waits {
		if !known[id] && w.worksOnWaiting(id) {
			note(id)
		}
	}
	if prev != nil {
		w.releasedAhead(prev.Result, note)
	}
	if found == nil {
		return known
	}
	for id := range known {
		if _, there := w.Result.Snapshot.Sessions[id]; there || w.Result.Snapshot.Sessions == nil {
			found[id] = true
		}
	}
	return found
}

// worksOnWaiting reports whether the picture shows that a session worked while a claim of its waited.
func (w *Waits) worksOnWaiting(id SessionID) bool {
	g := w.graph
	at, moved := w.Result.pulse.last(id)
	for _, n := range g.waits[id] {
		wait := g.waiter(n).Waiter
		if began := max(wait.seen, g.began); moved && at >= began+apart {
			return true
		}
		for _, h := range g.holds[id] {
			if g.tookAfter(g.edges[g.waitersOn(h)[0]].Blocker, wait) {
				return true
			}
		}
	}
	return false
}

// releasedAhead finds the sessions that stood in a line more than once, and of which a claim went while another one, which
// waited behind it, stayed: a thread that waits releases nothing, and its own wait ended after that at the earliest.
func (w *Waits) releasedAhead(prev *Result, note func(SessionID)) {
	for m := range w.Result.Models.All() {
		was := prev.ByPath(m.Path)
		if !waitingKind(m.Kind) || was == nil || was == m || was.Czxid != m.Czxid || was.finding(CodePhantomClaim) == nil && was.finding(CodeSelfWait) == nil {
			continue
		}
		stay := claimsByKey(m)
		went := make(map[SessionID]bool)
		for i := range was.Claims {
			switch c := &was.Claims[i]; {
			case c.Session == 0:
			case stay.of(c) == nil:
				went[c.Session] = true
			case went[c.Session] && !holding(c.Role()):
				note(c.Session)
			}
		}
	}
}
