package story

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Story is an answer to "why is it stuck": for people, to be pasted into a ticket.
type Story struct {
	Text    string    // one paragraph
	Unknown []string  // what is not known and would matter
	Next    *NextStep // nil: nothing is to be done
	Then    *NextStep // when that did not help; nil: no such step
}

// NextStep is a command that would help, with its target pinned.
type NextStep struct {
	Verb    string     // revoke, break, open, vote, abort, clean; or wait, which is no command
	Path    string     // of the claim, the barrier or the transaction
	Site    string     // of a vote
	Czxid   znode.Zxid // 0: it cannot be pinned
	Session znode.SessionID
	Why     string
}

// Why tells what is stuck at a recipe, the evidence for it, what is not known, and what to do. w must be the graph of
// the result that m is from.
func Why(w *waits.Waits, m *model.Model) *Story {
	r := w.Result
	st := &Story{}
	now := r.Snapshot.TakenAt
	s := []string{say.Printable(m.Path) + " is " + m.Kind.OneOf() + ", " + m.Phase() + ": " +
		strings.TrimPrefix(m.Summary(now), m.Phase()+": ") + "."}
	if head := model.FirstHolder(m); head != nil && !(m.Kind.Ends() && head.OwnerSource() == model.FromNode) {
		s = append(s, holderLine(r, head, now))
		for _, sign := range model.Signs(r, m, head) {
			if sign.Leans == model.PointsUnknown {
				st.Unknown = append(st.Unknown, strings.Replace(sign.Line(now), " is not known: ", ": ", 1))
			} else {
				s = append(s, sentence(sign.Line(now), m)+".")
			}
		}
	}
	s = append(s, st.waiters(m)...)
	s = append(s, Follows(r, m)...)
	s = append(s, st.standstill(r, m, now)...)
	for _, f := range m.Findings {
		if f.Severity >= model.Medium && f.Code != model.CodeOwnerDisconnected && f.Code != model.CodeOwnerSilent &&
			f.Code != model.CodeOrphanEphemeral && f.Code != model.CodeLostWaiter {
			s = append(s, sentence(f.Text, m)+".")
		}
	}
	var cycle *waits.Cycle
	for i := range w.Cycles {
		if cycleTouches(&w.Cycles[i], m) {
			if cycle == nil {
				cycle = &w.Cycles[i]
			}
			s = append(s, capital(w.Cycles[i].Finding(waits.Labels(r)).Text)+".")
		}
	}
	s = append(s, st.step(w, m, cycle)...)
	st.gaps(r)
	if len(st.Unknown) > 0 {
		s = append(s, "Not known: "+strings.Join(st.Unknown, "; ")+".")
	}
	if st.Next != nil {
		s = append(s, sentence(st.Next.Why, m)+".")
	}
	if st.Then != nil {
		s = append(s, sentence(st.Then.Why, m)+".")
	}
	st.Text = strings.Join(s, " ")
	return st
}

// Follows says in a sentence what follows when whoever holds a line goes, where somebody stands behind it.
func Follows(r *model.Result, m *model.Model) []string {
	head := model.FirstHolder(m)
	if head == nil || !m.Kind.Waits() || len(m.Claims) < 2 {
		return nil
	}
	f := waits.FateOf(r, m, head)
	if len(f.Next)+f.Left == 0 {
		return nil
	}
	return []string{"When " + say.Printable(head.Owner()) + " goes, " + f.Then(m.Kind) + "; " + f.Woken() + "."}
}

// sentence begins a text with a capital letter, unless it begins with a name, which is never changed: that of an owner
// or a znode of the recipe, or anything that is no plain word.
func sentence(s string, m *model.Model) string {
	for i := range m.Claims {
		for _, name := range []string{say.Printable(m.Claims[i].Owner()), say.Printable(m.Claims[i].Node())} {
			if name != "" && strings.HasPrefix(s, name) {
				return s
			}
		}
	}
	return capital(s)
}

// capital makes the first letter of a text a capital where its first word is a plain one.
func capital(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'a' && s[i] <= 'z' {
			continue
		}
		if i > 0 && strings.IndexByte(" ,.:;", s[i]) >= 0 {
			return strings.ToUpper(s[:1]) + s[1:]
		}
		return s
	}
	return s
}

func holderLine(r *model.Result, c *model.Claim, now time.Time) string {
	verb := say.Either(c.Role() == model.Leader, "leads", "holds")
	if c.Reason == model.UnlessOld {
		verb = "reads or waits for a later writer,"
	}
	text := say.Printable(c.Owner()) + " " + verb + " by " + say.Printable(c.Node())
	if c.Czxid() != 0 {
		text += fmt.Sprintf(" (czxid %d", c.Czxid())
		if c.Session != 0 {
			text += ", session " + c.Session.String()
		}
		text += ")"
	}
	if !c.Since().IsZero() {
		if c.Since().After(now.Add(time.Second)) {
			text += ", since a time that the clocks disagree on"
		} else {
			text += "," + say.ForSpan(c.Lasts(now))
		}
	}
	return text + "."
}

// waiters says how many wait, how sure that is, and who is lost.
func (st *Story) waiters(m *model.Model) (s []string) {
	var proven, likely int
	var lost, idle []*model.Claim
	on := "the one ahead"
	for i := range m.Claims {
		switch c := &m.Claims[i]; c.Proof() {
		case model.Proven:
			proven++
			if c.Reason == model.BehindLater {
				on = "what they wait for"
			}
		case model.Likely:
			likely++
		case model.Refuted:
			if c.MayWake() {
				idle = append(idle, c)
			} else {
				lost = append(lost, c)
			}
		}
	}
	if n := proven + likely + len(lost) + len(idle); n > 0 {
		text := say.Plural(n, "claim waits", "claims wait")
		if m.Kind.Leads() {
			text = say.Plural(n, "claim stands by", "claims stand by")
		}
		if proven > 0 {
			text += ", " + say.Plural(proven, "of them is seen", "of them are seen") + " watching " + on
		}
		s = append(s, text+".")
	}
	if len(lost) > 0 {
		s = append(s, model.Names(lost)+say.Choose(len(lost), " waits", " wait")+" without a watch on what "+
			say.Choose(len(lost), "it waits", "they wait")+
			" for: "+say.Choose(len(lost), "it is a lost waiter and does", "they are lost waiters and do")+
			" not wake when that goes.")
	}
	if len(idle) > 0 {
		s = append(s, model.Names(idle)+say.Choose(len(idle), " waits", " wait")+" without a watch on what "+
			say.Choose(len(idle), "it waits", "they wait")+" for.")
		st.Unknown = append(st.Unknown, "whether "+model.Names(idle)+say.Choose(len(idle), " wakes", " wake")+
			" all the same: a client may only stand still, or learn of its turn in a way that no server shows")
	}
	if likely > 0 {
		st.Unknown = append(st.Unknown, "whether "+say.Plural(likely, "waiter", "waiters")+" really watch"+
			say.Choose(likely, "es what it waits", " what they wait")+" for")
	}
	return s
}

func cycleTouches(c *waits.Cycle, m *model.Model) bool {
	for i := range c.Waits {
		if c.Waits[i].Model == m {
			return true
		}
	}
	return false
}

// gaps adds what could not be asked.
func (st *Story) gaps(r *model.Result) {
	snap := r.Snapshot
	silent := 0
	for i := range snap.Servers {
		if !snap.Servers[i].Answered {
			silent++
		}
	}
	if silent > 0 {
		st.Unknown = append(st.Unknown, say.Plural(silent, "server", "servers")+" of "+fmt.Sprint(len(snap.Servers))+
			" did not answer")
	}
	if snap.Watches == nil {
		st.Unknown = append(st.Unknown, "who watches what, because no server tells")
	}
	if !snap.Complete {
		st.Unknown = append(st.Unknown, "parts of the tree, which could not be read")
	}
}
