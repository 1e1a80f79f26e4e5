package inspect

import (
	"fmt"
	"strings"
	"time"
)

// Story is an answer to "why is it stuck": for people, to be pasted into a ticket.
type Story struct {
	Text    string   // one paragraph
	Unknown []string // what is not known and would matter
	Next    *NextStep
}

// NextStep is the command that would help, with its target pinned.
type NextStep struct {
	Verb    string // break, or wait
	Path    string // of the claim
	Czxid   Zxid
	Session SessionID
	Why     string
}

// Why tells what is stuck at a recipe, the evidence for it, what is not known, and what to do. w must be the graph of the
// result that m is from.
func Why(w *Waits, m *Model) *Story {
	r := w.Result
	st := &Story{}
	now := r.Snapshot.TakenAt
	s := []string{Printable(m.Path) + " is " + article(m) + ", " + string(m.State) + ": " + strings.TrimPrefix(m.Summary(now), string(m.State)+": ") + "."}
	if head := firstHolder(m); head != nil {
		s = append(s, holderLine(r, head, now))
		for _, sign := range Signs(r, m, head) {
			if sign.Leans == PointsUnknown {
				st.Unknown = append(st.Unknown, sign.Line(now))
			} else {
				s = append(s, capital(sign.Line(now))+".")
			}
		}
	}
	s = append(s, st.waiters(m)...)
	for _, f := range m.Findings {
		if f.Severity >= Medium && f.Code != CodeOwnerDisconnected && f.Code != CodeOrphanEphemeral && f.Code != CodeLostWaiter {
			s = append(s, capital(f.Text)+".")
		}
	}
	var cycle *Cycle
	for i := range w.Cycles {
		if cycleTouches(&w.Cycles[i], m) {
			cycle = &w.Cycles[i]
			s = append(s, capital(cycle.finding(Labels(r)).Text)+".")
		}
	}
	st.step(w, m, cycle)
	st.gaps(r)
	if len(st.Unknown) > 0 {
		s = append(s, "Not known: "+strings.Join(st.Unknown, "; ")+".")
	}
	if st.Next != nil {
		s = append(s, capital(st.Next.Why)+".")
	}
	st.Text = strings.Join(s, " ")
	return st
}

func article(m *Model) string {
	word := string(m.Kind)
	if strings.ContainsAny(word[:1], "aeiou") {
		return "an " + word
	}
	return "a " + word
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func firstHolder(m *Model) *Claim {
	for i := range m.Claims {
		if holding(m.Claims[i].Role()) {
			return &m.Claims[i]
		}
	}
	return nil
}

func holderLine(r *Result, c *Claim, now time.Time) string {
	text := Printable(c.Owner()) + " " + choose(b2i(c.Role() == Leader), "leads", "holds") + " by " + Printable(c.Node())
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
			text += ", for " + held(c, now)
		}
	}
	return text + "."
}

// held is how long a claim holds. One that may have waited before it was first seen holds for no longer than its znode
// stands.
func held(c *Claim, now time.Time) string {
	text := Age(now.Sub(c.Since()))
	if c.HasSeq && !c.SinceSeen {
		return "at most " + text
	}
	return text
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// waiters says how many wait, how sure that is, and who is lost.
func (st *Story) waiters(m *Model) (s []string) {
	var proven, likely int
	var lost []*Claim
	for i := range m.Claims {
		switch c := &m.Claims[i]; c.Proof() {
		case Proven:
			proven++
		case Likely:
			likely++
		case Refuted:
			lost = append(lost, c)
		}
	}
	if n := proven + likely + len(lost); n > 0 {
		text := plural(n, "claim waits", "claims wait")
		if proven > 0 {
			text += ", " + plural(proven, "of them is seen", "of them are seen") + " watching the one ahead"
		}
		s = append(s, text+".")
	}
	if len(lost) > 0 {
		s = append(s, names(lost)+choose(len(lost), " waits", " wait")+" without a watch on what "+choose(len(lost), "it waits", "they wait")+
			" for: "+choose(len(lost), "it is a lost waiter and does", "they are lost waiters and do")+" not wake when that goes.")
	}
	if likely > 0 {
		st.Unknown = append(st.Unknown, "whether "+plural(likely, "waiter", "waiters")+" really watch"+choose(likely, "es", "")+" what they wait for")
	}
	return s
}

func cycleTouches(c *Cycle, m *Model) bool {
	for i := range c.Waits {
		if c.Waits[i].Model == m {
			return true
		}
	}
	return false
}

// gaps adds what could not be asked.
func (st *Story) gaps(r *Result) {
	snap := r.Snapshot
	silent := 0
	for i := range snap.Servers {
		if !snap.Servers[i].Answered {
			silent++
		}
	}
	if silent > 0 {
		st.Unknown = append(st.Unknown, plural(silent, "server", "servers")+" of "+fmt.Sprint(len(snap.Servers))+" did not answer")
	}
	if snap.Watches == nil {
		st.Unknown = append(st.Unknown, "who watches what, because no server tells")
	}
	if !snap.Complete {
		st.Unknown = append(st.Unknown, "parts of the tree, which could not be read")
	}
}

// step chooses the command that would help.
func (st *Story) step(w *Waits, m *Model, cycle *Cycle) {
	if cycle != nil {
		v := cycle.Breaks[cycle.Victim]
		st.Next = &NextStep{Verb: "break", Path: v.Claim.Path(), Czxid: v.Claim.Czxid(), Session: v.Session,
			Why: "to end the deadlock, stop " + Printable(v.Claim.Owner()) + " and break its claim on " + Printable(v.Path) + ": " + cycle.Reason}
		return
	}
	for i := range m.Claims {
		if c := &m.Claims[i]; c.Proof() == Refuted && headIsFree(m, c) {
			st.Next = &NextStep{Verb: "break", Path: c.Path(), Czxid: c.Czxid(), Session: c.Session,
				Why: "a lost waiter blocks those behind it once its turn comes: restart " + Printable(c.Owner()) + ", or break its claim"}
			return
		}
	}
	head := firstHolder(m)
	if head == nil || w.healthy(m, head) {
		return
	}
	st.Next = &NextStep{Verb: "break", Path: head.Path(), Czxid: head.Czxid(), Session: head.Session}
	s, known := w.Result.Snapshot.Sessions[head.Session]
	switch {
	case head.Session == 0:
		st.Next.Why = "nothing removes it but a person: if nobody needs it, break it"
	case known && s.Connected != nil && !*s.Connected && !s.ExpiresAt.IsZero():
		st.Next.Verb, st.Next.Why = "wait", "wait for the session to expire; if it must be sooner, break the claim"
	case known && s.Connected != nil && *s.Connected:
		st.Next.Why = "its owner is connected and is not told of a break: ask it to let go, or stop it, before its claim is broken"
	default:
		st.Next.Why = "make sure that " + Printable(head.Owner()) + " does not run any more before its claim is broken: it is not told"
	}
}

// healthy reports whether nothing speaks for interfering: the holder is known to be connected, and nothing of weight was
// found.
func (w *Waits) healthy(m *Model, head *Claim) bool {
	s, known := w.Result.Snapshot.Sessions[head.Session]
	if head.Session == 0 || !known || s.Connected == nil || !*s.Connected {
		return false
	}
	for _, f := range m.Findings {
		if f.Severity >= Medium {
			return false
		}
	}
	return true
}

// headIsFree reports whether the claim that a waiter waits for holds.
func headIsFree(m *Model, c *Claim) bool {
	head := firstHolder(m)
	return head != nil && c.Ahead() == head
}
