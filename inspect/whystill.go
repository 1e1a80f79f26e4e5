package inspect

import (
	"strconv"
	"time"
)

// standstill tells what a barrier or a transaction waits for, and what ends that.
func (st *Story) standstill(m *Model, now time.Time) []string {
	switch {
	case m.Kind == TwoPhase && m.State == Undecided:
		return st.pendingVotes(m, now)
	case m.Kind == Barrier && m.State == Closed && len(m.Claims) > 0:
		return st.closedBarrier(m)
	case m.Kind == DoubleBarrier:
		return st.gathering(m)
	}
	return nil
}

// pendingVotes names the sites that have not voted, and for how long.
func (st *Story) pendingVotes(m *Model, now time.Time) (s []string) {
	if m.Dialect == HBase {
		return nil
	}
	var pending []*Claim
	for i := range m.Claims {
		if m.Claims[i].reason == votesNotYet || m.Claims[i].Vote() == nil && m.Claims[i].reason != votesUnread {
			pending = append(pending, &m.Claims[i])
		}
	}
	const most = 5
	for i, c := range pending {
		if i == most {
			s = append(s, plural(len(pending)-most, "more site has", "more sites have")+" not voted either.")
			break
		}
		s = append(s, "Site "+Printable(c.Owner())+" has not voted"+lasting(c.Created(), now)+": "+lives(c)+".")
	}
	if len(pending) == 0 {
		return append(s, "Every site that is left has voted, and that decides nothing.")
	}
	c, tx := pending[0], Printable(m.Path)
	abort := &NextStep{Verb: "abort", Path: m.Path, Why: "if it does not vote, voting abort for it ends " + tx}
	if m.Dialect != ZooKeeper {
		return append(s, "Its votes are written by its own clients.")
	}
	st.Next = &NextStep{Verb: "vote", Path: m.Path, Site: c.Owner(), Why: "the verdict waits for " + choose(len(pending), "that vote", "those votes") +
		": ask whoever runs " + Printable(c.Owner()) + ", or vote in its place"}
	st.Then = abort
	return s
}

// lives says what is known of a site that has not voted.
func lives(c *Claim) string {
	if c.Unread() {
		return "whether it runs is not known, since its znode was not read"
	}
	if c.Session == 0 {
		return "whether it runs is not known, since no session owns its znode"
	}
	return "its session is " + c.Session.String()
}

// closedBarrier tells who can open a barrier.
func (st *Story) closedBarrier(m *Model) (s []string) {
	c := &m.Claims[0]
	by := "whoever closed it"
	if c.OwnerSource() == FromData {
		by = Printable(c.Owner()) + ", which closed it,"
	}
	text := "It opens when its znode is deleted: by " + by + " or by zkscope open"
	if c.Session != 0 {
		text += ", or when session " + c.Session.String() + " ends"
	}
	n, known := m.Numbers.Get("watchers")
	if !known {
		st.Unknown = append(st.Unknown, "who waits at the barrier: that shows as watches alone")
	}
	if !known || n > 0 {
		st.Next = stepOn("open", c, "if "+by+" has forgotten it, open it: everybody who waits goes on at once")
	}
	return append(s, text+".")
}

// gathering tells who is at a double barrier, and who is missing or has not left.
func (st *Story) gathering(m *Model) []string {
	members := make([]*Claim, len(m.Claims))
	for i := range m.Claims {
		members[i] = &m.Claims[i]
	}
	n := len(members)
	needed, known := m.Numbers.Get("needed")
	if m.finding(CodeStaleReady) != nil {
		st.Next = &NextStep{Verb: "clean", Path: m.Path, Why: "delete the ready that was left behind, so that the next members wait for each other again"}
	}
	if m.detail().mayLeave {
		st.Unknown = append(st.Unknown, "whether they are "+m.Phase()+", which one look cannot tell: look again, or watch it")
		return []string{"There " + choose(n, "is ", "are ") + names(members) + "."}
	}
	switch m.State {
	case Gathering:
		text := "There " + choose(n, "is ", "are ") + names(members)
		if missing := int(needed) - n; known && missing > 0 {
			return []string{text + "; " + strconv.Itoa(missing) + " more must come before anybody is let in: start what is missing."}
		}
		st.Unknown = append(st.Unknown, "how many must come, which only the clients know")
		return []string{text + "; the others have to come before anybody is let in."}
	case Leaving:
		return []string{names(members) + choose(n, " has", " have") + " not left: those that have wait until " + choose(n, "it does", "they do") + "."}
	case Inside:
		return []string{names(members) + choose(n, " is", " are") + " inside: nobody goes on from there until all of them leave."}
	}
	return nil
}
