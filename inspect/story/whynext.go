package story

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// step chooses the commands that would help, the gentlest first, and says where none is needed.
func (st *Story) step(w *waits.Waits, m *model.Model, cycle *waits.Cycle) []string {
	if cycle != nil && cycle.Severity > model.Low {
		v := cycle.Breaks[cycle.Victim]
		text := "if it is a deadlock, then to end it stop "
		if v.Next == "" {
			text = "if it is a deadlock, then to get on with it (nobody holds after this alone) stop "
		}
		st.letGo(w.Result, v.Claim, text+say.Printable(v.Claim.Owner())+
			" and break its claim on "+say.Printable(v.Path)+": "+cycle.Reason)
		return nil
	}
	if st.Next != nil {
		return nil
	}
	if m.Kind.Leads() && m.State == model.Vacant {
		return []string{lookAt(w.Result, m)}
	}
	for i := range m.Claims {
		if c := &m.Claims[i]; c.Proof() == model.Refuted && !c.MayWake() && headIsFree(m, c) {
			st.Next = stepOn("break", c, "a lost waiter blocks those behind it once its turn comes: restart "+
				say.Printable(c.Owner())+", or break its claim")
			return nil
		}
	}
	if m.Kind.Gate() && m.State == model.Closed && len(m.Claims) > 0 {
		c := &m.Claims[0]
		return []string{"If it should not be closed any more, look at " +
			say.Either(c.OwnerSource() == model.FromData, say.Printable(c.Owner()), "whoever closes it") +
			", which has to remove it."}
	}
	if m.Kind.Together() {
		if advice := together(m); advice != nil {
			return advice
		}
	}
	if quiet(m) {
		return []string{nothingWaits(m)}
	}
	head := model.FirstHolder(m)
	if head == nil || !m.Kind.Waits() {
		return nil
	}
	for i := range w.Cycles {
		// too little is known of it to advise a break, and too much to call it healthy
		if cycleTouches(&w.Cycles[i], m) {
			return []string{"Ask whoever runs " + say.Printable(head.Owner()) +
				" whether the thread that holds this waits for another lock: if so, only a break ends it."}
		}
	}
	return st.head(w, m, head)
}

// lookAt says where to look when nobody leads.
func lookAt(r *model.Result, m *model.Model) string {
	h := m.Detail().Heirs
	switch {
	case h == nil, h.Line:
		return "Nobody stands in line: look at whether the processes that should run are there, and whether they reach these servers."
	case h.Paused:
		return "Its operators have paused it: resume it, or promote one of " + say.List(h.Names) + " by hand."
	case len(h.By) > 0:
		return "Look at the logs of " + say.List(h.Names) + ": " + say.Choose(len(h.By), "it", "each of them") +
			" could lead, and did not take the place" + refused(r, m) + "."
	case len(h.Barred) > 0:
		return "Look at " + say.List(h.Barred) + ": " + say.Choose(len(h.Barred), "it is", "they are") +
			" there and cannot be promoted as " +
			say.Choose(len(h.Barred), "it is", "they are") + "."
	case len(h.Led) > 0:
		return "Look at whether a process that can lead runs at all: " + strings.Join(h.Led, " and ") +
			" cannot work without one."
	}
	return "Look at whether a process that can lead runs at all, and whether it reaches these servers."
}

// refused says since when a place is vacant, where that was seen.
func refused(r *model.Result, m *model.Model) string {
	if since := m.Detail().Vacant; !since.IsZero() {
		return " for " + say.Age(r.Snapshot.TakenAt.Sub(since))
	}
	return ""
}

// stepOn is a step whose target is a claim, pinned to what was seen.
func stepOn(verb string, c *model.Claim, why string) *NextStep {
	return &NextStep{Verb: verb, Path: c.Path(), Czxid: c.Czxid(), Session: c.Session, Why: why}
}

// letGo asks the owner of a claim to let go where it can be asked, and breaks the claim only where it
// cannot, or does not.
func (st *Story) letGo(r *model.Result, c *model.Claim, otherwise string) {
	name := say.Printable(c.Owner())
	listens := c.Hears() == model.HearsProven || c.Hears() == model.HearsLikely
	switch {
	case listens && c.Revoked && model.Holding(c.Role()):
		st.Next = stepOn("break", c, name+" has been asked to let go already; if it does not, "+otherwise)
	case listens && model.Holding(c.Role()) && r.Presence(c) != model.Away:
		hears := "is seen listening for that"
		if c.Hears() == model.HearsLikely {
			hears = "listens for that by default"
		}
		st.Next = stepOn("revoke", c, "ask "+name+" to let go: its client "+hears)
		st.Then = stepOn("break", c, "if it does not let go: "+otherwise)
	default:
		st.Next = stepOn("break", c, otherwise)
	}
}

// head chooses what to do about who holds.
func (st *Story) head(w *waits.Waits, m *model.Model, c *model.Claim) []string {
	name := say.Printable(c.Owner())
	there := w.Result.Presence(c)
	listens := c.Hears() == model.HearsProven || c.Hears() == model.HearsLikely
	switch {
	case c.Unread():
		st.Unknown = append(st.Unknown, "which session owns the znode of "+name+", which was not read")
	case c.Reason == model.UnlessOld:
		st.Unknown = append(st.Unknown,
			"whether "+name+" reads, or waits for a writer behind it as kazoo before 2.9 may: only the servers' watches tell")
		return []string{"Nothing is to be broken before the servers' watches show whether " + name + " reads."}
	case c.Session == 0:
		st.Next = stepOn("break", c, "nothing removes it but a person: if nobody needs it, break it")
	case there == model.Away && !w.Result.Snapshot.Sessions[c.Session].ExpiresAt.IsZero():
		st.Next = stepOn("wait", c, "wait for the session to expire")
		st.Then = stepOn("break", c, "if it must be sooner, make sure that "+name+
			" does not run any more, and break its claim: it is not told")
	case there == model.Connected && w.Result.Snapshot.Silent(w.Result.Snapshot.Sessions[c.Session],
		w.Result.Snapshot.LastHeard):
		st.Next = stepOn("wait", c, "wait for the session to expire, or for "+name+" to be heard again")
		st.Then = stepOn("break", c, "if it must be sooner, make sure that "+name+
			" does not run any more, and break its claim: it is not told")
	case there == model.Connected && !listens && !accused(m, c):
		return []string{st.alive(w, c)}
	case there == model.Connected:
		st.letGo(w.Result, c, "stop "+name+
			" where it runs, and only then break its claim: it is connected, and is not told of a break")
	default:
		st.letGo(w.Result, c, "make sure that "+name+
			" does not run any more before its claim is broken: it is not told")
	}
	return nil
}

// alive says of a holder when its session was heard, which is not that its thread works, and returns what to do.
func (st *Story) alive(w *waits.Waits, c *model.Claim) string {
	name, snap := say.Printable(c.Owner()), w.Result.Snapshot
	if claimsOfSession(w.Result, c.Session) > 1 {
		st.Unknown = append(st.Unknown,
			"whether the thread that took this claim still knows of it: its session has other claims too, and threads cannot be seen from outside")
	} else {
		st.Unknown = append(st.Unknown,
			"whether the thread that holds still works, or knows that it holds: ZooKeeper cannot tell")
	}
	s := snap.Sessions[c.Session]
	d, known := snap.Unheard(s)
	switch {
	case !known:
		st.Unknown = append(st.Unknown, "when "+name+" was last heard: the leader did not report it")
	case snap.Late(s):
		st.leaning(name+" was heard about "+say.Age(d)+" ago, later than its pings, every "+say.Age(s.Timeout/3)+
			": its process may have stopped.", model.PointsStale)
		return "Look at whether the process of " + name + " runs, and look again: in " + say.Age(max(s.Timeout-d, time.Second)) +
			" its session expires, unless it is heard."
	default:
		first := ""
		if s.ExpiresUnseen() {
			first = ", unless its session expires first, after " + say.Age(s.Timeout)
		}
		st.fact(name + " was heard about " + say.Age(d) + " ago. A process that stops is seen as silent " +
			say.Age(min(s.SilentAfter(), s.Timeout)) + " after it was last heard" + first + ".")
	}
	return "Wait, or ask whoever runs " + name + ": its client cannot be asked to let go."
}

// claimsOfSession counts the claims of a session in all recipes.
func claimsOfSession(r *model.Result, id znode.SessionID) (n int) {
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
func accused(m *model.Model, c *model.Claim) bool {
	return slices.ContainsFunc(m.Findings, func(f model.Finding) bool {
		return f.Severity >= model.Medium && (len(f.Paths) == 0 || slices.Contains(f.Paths, c.Path()))
	})
}

// worrying reports whether a finding speaks for interfering.
func worrying(m *model.Model) bool {
	return slices.ContainsFunc(m.Findings, func(f model.Finding) bool { return f.Severity >= model.Medium })
}

// quiet reports whether nobody waits and nothing is wrong. Who stands by for an election waits for nothing.
func quiet(m *model.Model) bool {
	if worrying(m) {
		return false
	}
	for i := range m.Claims {
		if p := m.Claims[i].Proof(); p != model.Unproven && !m.Kind.Leads() {
			return false
		}
	}
	switch {
	case m.Kind.Gate():
		return m.State != model.Closed // somebody meant others to wait
	case m.Kind.Filled():
		return m.State != model.Waiting
	case m.Kind.Together():
		return m.State == model.Idle || m.State == model.Inside && !m.Detail().MayLeave && m.Unsure() == 0
	case m.Kind.Votes():
		return m.State != model.Undecided
	}
	return m.State != model.Unknown
}

// nothingWaits says so, in the words of a kind.
func nothingWaits(m *model.Model) string {
	switch {
	case m.Kind.Leads() && len(m.Claims) > 1:
		return "Nothing waits here: a standby waits for its turn, and blocks nobody."
	case m.State == model.Waiting && m.Kind.Items():
		return "Nothing waits here but the items: a consumer shows only while it has one."
	}
	return "Nothing waits here, and nothing has to be done."
}

// headIsFree reports whether the claim that a waiter waits for holds.
func headIsFree(m *model.Model, c *model.Claim) bool {
	head := model.FirstHolder(m)
	return head != nil && c.Ahead() == head
}
