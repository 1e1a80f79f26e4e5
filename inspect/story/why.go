package story

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Story is an answer to "why is it stuck", in four blocks. Nothing is said twice.
type Story struct {
	Verdict  string // one sentence: how the recipe stands, and the worst that is wrong with it
	Evidence []Fact
	Unknown  []string  // what is not known and would matter; empty: nothing that anybody could be asked about
	Advice   []string  // what to look at, or that nothing has to be done
	Next     *NextStep // nil: nothing is to be done
	Then     *NextStep // when that did not help; nil: no such step

	asked bool // every server answered
	signs bool // what tells of the first who holds is among the evidence
}

// Fact is one piece of evidence.
type Fact struct {
	Text  string
	Leans model.Leaning // for or against the holder being there; PointsNeither: it is about something else
}

// Line is a line of the story as text: how it begins, and how what does not fit goes on.
type Line struct{ Begins, Text string }

// Lines is the story for a ticket, a block after the other with a title each. act says by which command a step is
// done; nil: by none. The commands are lines of their own, which begin with nothing but room, and must not be broken.
func (st *Story) Lines(act func(*NextStep) string) []Line {
	out := []Line{{"", st.Verdict}, {}, {"", "Evidence"}}
	signs := map[model.Leaning]string{model.PointsStale: "  ! ", model.PointsAlive: "  + "}
	for _, f := range st.Evidence {
		out = append(out, Line{cmp.Or(signs[f.Leans], "  - "), f.Text})
	}
	if len(st.Evidence) == 0 {
		out = out[:1]
	}
	out = append(out, Line{}, Line{"", "Not known"})
	for _, u := range st.NotKnown() {
		out = append(out, Line{"  ? ", u})
	}
	if len(st.Advice) == 0 && st.Next == nil {
		return out
	}
	out = append(out, Line{}, Line{"", "Do next"})
	n := 0
	next := func(text string) {
		n++
		out = append(out, Line{fmt.Sprintf("  %d ", n), text})
	}
	for _, a := range st.Advice {
		next(a)
	}
	for _, s := range []*NextStep{st.Next, st.Then} {
		if s == nil {
			continue
		}
		next(capital(s.Why) + ".")
		if act != nil && act(s) != "" {
			out = append(out, Line{"    ", act(s)})
		}
	}
	return out
}

// Text is Lines in one piece.
func (st *Story) Text(act func(*NextStep) string) string {
	var b strings.Builder
	for _, l := range st.Lines(act) {
		b.WriteString(l.Begins + l.Text + "\n")
	}
	return b.String()
}

// NotKnown is Unknown for people: that nothing is unknown is a claim, and said as one.
func (st *Story) NotKnown() []string {
	switch {
	case len(st.Unknown) > 0:
		return st.Unknown
	case st.asked && slices.ContainsFunc(st.Evidence, func(f Fact) bool { return strings.Contains(f.Text, "not known") }):
		return []string{"what is said above not to be known: the servers have told all that they can be asked about"}
	case st.asked:
		return []string{"nothing that the servers could be asked about"}
	}
	return []string{"what only servers tell: none was asked"}
}

// NextStep is a command that would help, with its target pinned.
type NextStep struct {
	Verb    string     // revoke, break, open, vote, abort, clean; or wait, which is no command
	Path    string     // of the claim, the barrier or the transaction
	Site    string     // of a vote
	Vote    string     // that vote
	Czxid   znode.Zxid // 0: it cannot be pinned
	Session znode.SessionID
	Why     string
}

// Why tells what is stuck at a recipe, the evidence for it, what is not known, and what to do. w must be the graph of
// the result that m is from.
func Why(w *waits.Waits, m *model.Model) *Story {
	r := w.Result
	now := r.Snapshot.TakenAt
	st := &Story{}
	st.holder(r, m, now)
	st.fact(st.waiters(r, m)...)
	st.fact(Follows(r, m)...)
	st.fact(st.standstill(r, m, now)...)
	for _, f := range m.Findings {
		if f.Severity >= model.Medium && f.Code != model.CodeLostWaiter && !st.signed(m, &f) {
			st.fact(sentence(f.Text, m) + ".")
		}
	}
	var cycle *waits.Cycle
	for i := range w.Cycles {
		if cycleTouches(&w.Cycles[i], m) {
			if cycle == nil {
				cycle = &w.Cycles[i]
			}
			c, names := &w.Cycles[i], waits.Labels(r)
			text := c.Finding(names).Text
			if c.Severity > model.Low {
				text = strings.TrimSuffix(text, "; "+c.Remedy(names)) // that is what to do next
			}
			st.fact(capital(text) + ".")
		}
	}
	if cycle != nil {
		st.Unknown = append(st.Unknown,
			"whether each of these sessions is one thread: threads that share a session wait independently")
	}
	st.Advice = st.step(w, m, cycle)
	st.gaps(r)
	st.Verdict = verdict(m, cycle, now)
	return st
}

// signed reports whether a finding says what the signs of the first who holds have said.
func (st *Story) signed(m *model.Model, f *model.Finding) bool {
	switch f.Code {
	case model.CodeOwnerDisconnected, model.CodeOwnerSilent, model.CodeOrphanEphemeral:
		head := model.FirstHolder(m)
		return st.signs && len(f.Paths) == 1 && f.Paths[0] == head.Path()
	}
	return false
}

// fact adds to the evidence what does not stand there yet.
func (st *Story) fact(lines ...string) {
	for _, l := range lines {
		st.leaning(l, model.PointsNeither)
	}
}

func (st *Story) leaning(text string, to model.Leaning) {
	if !slices.ContainsFunc(st.Evidence, func(f Fact) bool { return f.Text == text }) {
		st.Evidence = append(st.Evidence, Fact{text, to})
	}
}

// holder tells what is known of the first who holds.
func (st *Story) holder(r *model.Result, m *model.Model, now time.Time) {
	head := model.FirstHolder(m)
	if head == nil || m.Kind.Ends() && head.OwnerSource() == model.FromNode {
		return
	}
	st.fact(holderLine(head))
	st.signs = true
	for _, sign := range model.Signs(r, m, head) {
		if sign.Code == "age" && !head.RoleChangeSeen {
			continue // the verdict says for how long it holds, which is that
		}
		if sign.Leans == model.PointsUnknown {
			st.Unknown = append(st.Unknown, strings.Replace(sign.Line(now), " is not known: ", ": ", 1))
		} else {
			st.leaning(sentence(sign.Line(now), m)+".", sign.Leans)
		}
	}
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

func holderLine(c *model.Claim) string {
	verb := say.Either(c.Role() == model.Leader, "leads", "holds")
	if c.Reason == model.UnlessOld {
		verb = "reads or waits for a later writer,"
	}
	text := say.Printable(c.Owner()) + " " + verb + " by " + say.Printable(c.Node())
	if c.Czxid() != 0 {
		text += fmt.Sprintf(" (czxid %d)", c.Czxid())
	}
	return text + "."
}

// waiters says how sure it is that those who wait do, and who is lost.
func (st *Story) waiters(r *model.Result, m *model.Model) (s []string) {
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
	if proven > 0 {
		s = append(s, strconv.Itoa(proven)+" of those who wait "+say.Choose(proven, "is", "are")+" seen watching "+on+".")
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
	if likely > 0 && r.Snapshot.Watches != nil { // else gaps says it
		st.Unknown = append(st.Unknown, "whether "+say.Plural(likely, "waiter", "waiters")+" really watch"+
			say.Choose(likely, "es what it waits", " what they wait")+" for")
	}
	return s
}

func cycleTouches(c *waits.Cycle, m *model.Model) bool {
	for i := range c.Waits {
		if c.Waits[i].Model.Path == m.Path { // what weighs findings hands on copies
			return true
		}
	}
	return false
}

// gaps adds what could not be asked.
func (st *Story) gaps(r *model.Result) {
	snap := r.Snapshot
	st.asked = znode.AllAnswered(snap.Servers)
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
		st.Unknown = append(st.Unknown, "who watches what: no server reports it")
	}
	if !snap.Complete {
		st.Unknown = append(st.Unknown, "parts of the tree, which could not be read")
	}
}
