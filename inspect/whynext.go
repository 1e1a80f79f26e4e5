package inspect

import (
	"slices"
	"strings"
)

// step chooses the commands that would help, the gentlest first, and says where none is needed.
func (st *Story) step(w *Waits, m *Model, cycle *Cycle) []string {
	if cycle != nil && cycle.Severity > Low {
		v := cycle.Breaks[cycle.Victim]
		st.letGo(w.Result, v.Claim, "if it is a deadlock, then to end it stop "+Printable(v.Claim.Owner())+" and break its claim on "+Printable(v.Path)+": "+cycle.Reason)
		return nil
	}
	if st.Next != nil {
		return nil
	}
	if m.Kind == Election && m.State == Vacant {
		return []string{lookAt(w.Result, m)}
	}
	for i := range m.Claims {
		if c := &m.Claims[i]; c.Proof() == Refuted && !c.MayWake() && headIsFree(m, c) {
			st.Next = stepOn("break", c, "a lost waiter blocks those behind it once its turn comes: restart "+Printable(c.Owner())+", or break its claim")
			return nil
		}
	}
	if quiet(m) {
		return []string{nothingWaits(m)}
	}
	head := firstHolder(m)
	if head == nil || !inLine(m.Kind) && m.Kind != Semaphore {
		return nil
	}
	for i := range w.Cycles {
		if cycleTouches(&w.Cycles[i], m) { // too little is known of it to advise a break, and too much to call it healthy
			return []string{"Ask whoever runs " + Printable(head.Owner()) + " whether the thread that holds this waits for another lock: if so, only a break ends it."}
		}
	}
	return st.head(w, m, head)
}

// lookAt says where to look when nobody leads.
func lookAt(r *Result, m *Model) string {
	h := m.detail().heirs
	switch {
	case h == nil, h.line:
		return "Nobody stands in line: look at whether the processes that should run are there, and whether they reach these servers."
	case h.paused:
		return "Its operators have paused it: resume it, or promote one of " + list(h.names) + " by hand."
	case len(h.by) > 0:
		return "Look at the logs of " + list(h.names) + ": " + choose(len(h.by), "it", "each of them") +
			" could lead, and did not take the place" + refused(r, m) + "."
	case len(h.barred) > 0:
		return "Look at " + list(h.barred) + ": " + choose(len(h.barred), "it is", "they are") + " there and cannot be promoted as " +
			choose(len(h.barred), "it is", "they are") + "."
	case len(h.led) > 0:
		return "Look at whether a process that can lead runs at all: " + strings.Join(h.led, " and ") + " cannot work without one."
	}
	return "Look at whether a process that can lead runs at all, and whether it reaches these servers."
}

// refused says since when a place is vacant, where that was seen.
func refused(r *Result, m *Model) string {
	if since := m.detail().vacant; !since.IsZero() {
		return " for " + Age(r.Snapshot.TakenAt.Sub(since))
	}
	return ""
}

// stepOn is a step whose target is a claim, pinned to what was seen.
func stepOn(verb string, c *Claim, why string) *NextStep {
	return &NextStep{Verb: verb, Path: c.Path(), Czxid: c.Czxid(), Session: c.Session, Why: why}
}

// letGo asks the owner of a claim to let go where it can be asked, and breaks the claim only where it cannot, or does not.
func (st *Story) letGo(r *Result, c *Claim, otherwise string) {
	name := Printable(c.Owner())
	listens := c.Hears() == HearsProven || c.Hears() == HearsLikely
	switch {
	case listens && c.Revoked && holding(c.Role()):
		st.Next = stepOn("break", c, name+" has been asked to let go already; if it does not, "+otherwise)
	case listens && holding(c.Role()) && r.presence(c) != away:
		hears := "is seen listening for that"
		if c.Hears() == HearsLikely {
			hears = "listens for that by default"
		}
		st.Next = stepOn("revoke", c, "ask "+name+" to let go: its client "+hears)
		st.Then = stepOn("break", c, "if it does not let go: "+otherwise)
	default:
		st.Next = stepOn("break", c, otherwise)
	}
}

// presence is what the servers told of a claim's session: connected, away, or unasked.
func (r *Result) presence(c *Claim) standing {
	s, known := r.Snapshot.Sessions[c.Session]
	switch {
	case !known || s.Connected == nil:
		return unasked
	case *s.Connected:
		return connected
	}
	return away
}

// head chooses what to do about who holds.
func (st *Story) head(w *Waits, m *Model, c *Claim) []string {
	name := Printable(c.Owner())
	there := w.Result.presence(c)
	listens := c.Hears() == HearsProven || c.Hears() == HearsLikely
	switch {
	case c.Unread():
		st.Unknown = append(st.Unknown, "which session owns the znode of "+name+", which was not read")
	case c.Session == 0:
		st.Next = stepOn("break", c, "nothing removes it but a person: if nobody needs it, break it")
	case there == away && !w.Result.Snapshot.Sessions[c.Session].ExpiresAt.IsZero():
		st.Next = stepOn("wait", c, "wait for the session to expire")
		st.Then = stepOn("break", c, "if it must be sooner, make sure that "+name+" does not run any more, and break its claim: it is not told")
	case there == connected && w.Result.Snapshot.silent(w.Result.Snapshot.Sessions[c.Session], w.Result.Snapshot.lastHeard):
		st.Next = stepOn("wait", c, "wait for the session to expire, or for "+name+" to be heard again")
		st.Then = stepOn("break", c, "if it must be sooner, make sure that "+name+" does not run any more, and break its claim: it is not told")
	case there == connected && !listens && !accused(m, c):
		return []string{st.alive(w, c)}
	case there == connected:
		st.letGo(w.Result, c, "stop "+name+" where it runs, and only then break its claim: it is connected, and is not told of a break")
	default:
		st.letGo(w.Result, c, "make sure that "+name+" does not run any more before its claim is broken: it is not told")
	}
	return nil
}

// alive says of a holder what its session tells, where it was heard lately: that is not that its thread works.
func (st *Story) alive(w *Waits, c *Claim) string {
	name, word := Printable(c.Owner()), "; it listens for no word that would ask it to let go."
	thread := " Whether the thread that holds still works, or knows that it holds, ZooKeeper cannot tell."
	if w.Result.claimsOf(c.Session) > 1 {
		thread = " Its session has other claims too: whether the thread that took this one still knows of it cannot be seen from outside."
	}
	d, known := w.Result.Snapshot.unheard(w.Result.Snapshot.Sessions[c.Session])
	if !known {
		st.Unknown = append(st.Unknown, "when "+name+" was last heard: the leader did not tell")
		return "The session of " + name + " is connected, and those behind it wait for their turn" + word + thread
	}
	return "The session of " + name + " is connected, heard about " + Age(d) + " ago, and those behind it wait for their turn" + word + thread
}

// claimsOf counts the claims of a session in all recipes.
func (r *Result) claimsOf(id SessionID) (n int) {
	for m := range r.Models.All() {
		for i := range m.Claims {
			if m.Claims[i].Session == id {
				n++
			}
		}
	}
	return n
}

// accused reports whether a finding of weight is about a claim, or about the recipe as a whole.
func accused(m *Model, c *Claim) bool {
	return slices.ContainsFunc(m.Findings, func(f Finding) bool {
		return f.Severity >= Medium && (len(f.Paths) == 0 || slices.Contains(f.Paths, c.Path()))
	})
}

// worrying reports whether a finding speaks for interfering.
func worrying(m *Model) bool {
	return slices.ContainsFunc(m.Findings, func(f Finding) bool { return f.Severity >= Medium })
}

// quiet reports whether nobody waits and nothing is wrong. Who stands by for an election waits for nothing.
func quiet(m *Model) bool {
	if worrying(m) {
		return false
	}
	for i := range m.Claims {
		if p := m.Claims[i].Proof(); p != Unproven && m.Kind != Election {
			return false
		}
	}
	watchers, known := m.Numbers.Get("watchers")
	switch m.Kind {
	case Barrier:
		return m.State != Closed // somebody meant others to wait
	case Rendezvous:
		return m.State != Waiting || known && watchers == 0
	case DoubleBarrier:
		return m.State == Idle || m.State == Inside && !m.detail().mayLeave
	case TwoPhase:
		return m.State != Undecided
	}
	return m.State != Unknown
}

// nothingWaits says so, in the words of a kind.
func nothingWaits(m *Model) string {
	switch {
	case m.Kind == Election && len(m.Claims) > 1:
		return "Nothing waits here: who stands by does so until its turn comes."
	case m.State == Waiting && (m.Kind == Queue || m.Kind == PriorityQueue || m.Kind == DelayQueue):
		return "Nothing waits here but the items: a consumer shows only while it has one."
	}
	return "Nothing waits here, and nothing has to be done."
}

// headIsFree reports whether the claim that a waiter waits for holds.
func headIsFree(m *Model, c *Claim) bool {
	head := firstHolder(m)
	return head != nil && c.Ahead() == head
}
