package story

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// standstill tells what a barrier or a transaction waits for, and what ends that.
func (st *Story) standstill(r *model.Result, m *model.Model, now time.Time) []string {
	switch {
	case m.Kind.Votes() && m.State == model.Undecided:
		return st.pendingVotes(m, now)
	case m.Kind.Gate() && m.State == model.Closed && len(m.Claims) > 0:
		return st.closedBarrier(r, m)
	case m.Kind.Together():
		return st.gathering(r, m, now)
	case m.Kind.Filled() && m.State == model.Waiting:
		st.unseen(m)
	}
	return nil
}

// unseen says that it is not known who waits, where those who wait leave no znode and none of them is seen watching. It
// reports whether watches are known, and there is none.
func (st *Story) unseen(m *model.Model) bool {
	switch n, known := m.Numbers.Get("watchers"); {
	case !known:
		st.Unknown = append(st.Unknown, "who waits: that shows as watches alone")
	case n == 0:
		st.Unknown = append(st.Unknown,
			"who waits: that shows as watches alone, and a client that polls or has lost its connection may have none")
		return true
	}
	return false
}

// pendingVotes names the sites that have not voted, and for how long.
func (st *Story) pendingVotes(m *model.Model, now time.Time) (s []string) {
	if m.Dialect == layout.HBase {
		return nil
	}
	var pending []*model.Claim
	for i := range m.Claims {
		if m.Claims[i].Reason == model.VotesNotYet ||
			m.Claims[i].Vote() == nil && m.Claims[i].Reason != model.VotesUnread {
			pending = append(pending, &m.Claims[i])
		}
	}
	const most = 5
	for i, c := range pending {
		if i == most {
			s = append(s, say.Plural(len(pending)-most, "more site has", "more sites have")+" not voted either.")
			break
		}
		s = append(s, "Site "+say.Printable(c.Owner())+" has not voted"+say.Lasting(c.Created(), now)+st.lives(c)+".")
	}
	if len(pending) == 0 {
		return append(s, "Every site that is left has voted, and there is no verdict yet.")
	}
	c, tx := pending[0], say.Printable(m.Path)
	abort := &NextStep{Verb: "abort", Path: m.Path,
		Why: "if it is not, or nobody can tell, abort " + tx + ": vote abort in its place"}
	if m.Dialect != layout.ZooKeeper {
		return append(s, "Its votes are written by its own clients.")
	}
	st.Next = &NextStep{Verb: "vote", Path: m.Path, Site: c.Owner(), Vote: layout.VoteCommit, Czxid: c.Czxid(),
		Why: "ask whoever runs " + say.Printable(c.Owner()) + ": the verdict waits for " +
			say.Choose(len(pending), "that vote", "those votes") + ". If it is prepared to commit, vote in its place"}
	st.Then = abort
	return s
}

// lives says what is known of a site that has not voted, after a colon; that it is not known whether it runs is said
// where that belongs.
func (st *Story) lives(c *model.Claim) string {
	if c.Session != 0 {
		return ": its session is " + c.Session.String()
	}
	why := say.Either(c.Unread(), "its znode was not read", "no session owns its znode")
	st.Unknown = append(st.Unknown, "whether site "+say.Printable(c.Owner())+" runs, since "+why)
	return ""
}

// closedBarrier tells who can open a barrier, what is known of whoever closed it, and who waits.
func (st *Story) closedBarrier(r *model.Result, m *model.Model) (s []string) {
	c := &m.Claims[0]
	by := "whoever closed it"
	if c.OwnerSource() == model.FromData {
		by = say.Printable(c.Owner()) + ", which closed it,"
	}
	text := "It opens when its znode is deleted: by " + by + " or by zkscope open"
	if c.Session != 0 {
		text += ", or when session " + c.Session.String() + " ends"
	} else if !c.Unread() {
		text += "; no session owns it, so it stays when its maker dies"
	}
	s = append(s, text+".")
	gone := false
	if layout.IsAddress(c.Owner()) && c.Session == 0 {
		text, gone = st.maker(r, c.Owner())
		if text != "" {
			s = append(s, text)
		}
	}
	if st.unseen(m) {
		return s
	}
	st.Next = stepOn("open", c, "if "+by+" has forgotten it, open it: everybody who waits goes on at once")
	if gone {
		st.Next.Why = "look at what " + say.Printable(c.Owner()) +
			" was to do before those who wait go on, and at whether another process has taken that over: if it is done, open the barrier, and everybody goes on at once"
	}
	return s
}

// maker tells whether anything is connected from the address that a barrier's data names; gone says that nothing is.
func (st *Story) maker(r *model.Result, addr string) (text string, gone bool) {
	name, snap := say.Printable(addr), r.Snapshot
	if snap.Sessions == nil || !znode.AllAnswered(snap.Servers) {
		st.Unknown = append(st.Unknown, "whether anything runs at "+name+
			" still: not every server reported who is connected")
		return "", false
	}
	var ids []znode.SessionID
	for id, s := range snap.Sessions {
		if s.Connected != nil && *s.Connected && model.Host(s.Addr) == addr {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return "No session is connected from " + name +
			" now: whoever closed it is probably gone, and then nobody removes it by itself.", true
	}
	znode.SortIDs(ids)
	return "From " + name + say.Choose(len(ids), " session ", " sessions ") + say.List(znode.IDTexts(ids)) +
		say.Choose(len(ids), " is", " are") +
		" connected: look there whether the process that closed it is one of them, and still means to open it.", false
}

// gathering tells who is at a double barrier, and who is missing or has not left.
func (st *Story) gathering(r *model.Result, m *model.Model, now time.Time) []string {
	members := make([]*model.Claim, len(m.Claims))
	for i := range m.Claims {
		members[i] = &m.Claims[i]
	}
	n := len(members)
	needed, known := m.Numbers.Get("needed")
	doubted := m.Unsure()
	if m.Finding(model.CodeStaleReady) != nil && doubted == 0 {
		st.Next = &NextStep{Verb: "clean", Path: m.Path, Why: say.Either(n > 0, "once nobody is there, ", "") +
			"delete the ready that was left behind, so that the next members wait for each other again"}
	}
	if doubted > 0 {
		return st.doubtful(r, m, members)
	}
	if m.Detail().MayLeave {
		st.Unknown = append(st.Unknown, "whether they are "+m.Phase()+
			": look again, or watch it")
		there := "There " + say.Choose(n, "is ", "are ") + model.Names(members) + "."
		if r.Snapshot.Sessions == nil {
			return []string{there}
		}
		return append([]string{there}, inside(r, members)...)
	}
	switch m.State {
	case model.Gathering:
		text := "There " + say.Choose(n, "is ", "are ") + model.Names(members)
		if missing := int(needed) - n; known && missing > 0 {
			return []string{text + "; " + strconv.Itoa(missing) +
				" more must come before anybody is let in."}
		}
		st.Unknown = append(st.Unknown, "how many must come, which only the clients know")
		return []string{text + "; the others have to come before anybody is let in."}
	case model.Leaving:
		since := "It has been leaving since before this was looked at"
		if at := m.Detail().Leaving; !at.IsZero() {
			since = "The first left " + say.Age(now.Sub(at)) + " ago, at " + at.UTC().Format("15:04:05") + " UTC"
		}
		out := []string{since + ": " + model.Names(members) + say.Choose(n, " has", " have") +
			" not left, and those that have wait until " + say.Choose(n, "it does", "they do") + "."}
		return append(out, inside(r, members)...)
	case model.Inside:
		return []string{model.Names(members) + say.Choose(n, " is", " are") +
			" inside: nobody goes on from there until all of them leave."}
	}
	return nil
}

// doubtful tells of a double barrier some of whose members are not known to be inside, which of them those are.
func (st *Story) doubtful(r *model.Result, m *model.Model, members []*model.Claim) (out []string) {
	var sure, unsure []*model.Claim
	for _, c := range members {
		if c.Reason == model.MayBeOutside {
			unsure = append(unsure, c)
		} else {
			sure = append(sure, c)
		}
	}
	st.Unknown = append(st.Unknown, "whether "+model.Names(unsure)+say.Choose(len(unsure), " is", " are")+
		" inside: kazoo counts a ready that was there before as a member and otherwise ignores it")
	if n := len(sure); n > 0 && m.State == model.Inside {
		out = append(out, model.Names(sure)+say.Choose(n, " is", " are")+" inside.")
	}
	out = append(out, "There "+say.Choose(len(members), "is ", "are ")+model.Names(members)+".")
	if r.Snapshot.Sessions == nil {
		return out
	}
	return append(out, inside(r, members)...)
}

// mostInside is how many members are looked at one by one.
const mostInside = 5

// inside says of each member of a double barrier that has not left what is known of its client.
func inside(r *model.Result, members []*model.Claim) (s []string) {
	words := map[model.Presence]string{model.Connected: "is connected: look at what it still does",
		model.Unasked: "may be connected or not: not every server reported"}
	for i, c := range members {
		if i == mostInside {
			return append(s, say.Plural(len(members)-mostInside, "more member is", "more members are")+" there.")
		}
		if _, known := r.Snapshot.Sessions[c.Session]; !known && r.Snapshot.ToldSessions() || r.Presence(c) == model.Away {
			continue // a finding says so
		}
		if c.Session != 0 {
			s = append(s, "Session "+c.Session.String()+" of "+say.Printable(c.Owner())+" "+words[r.Presence(c)]+".")
		}
	}
	return s
}
