package survey

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// Places that change hands often are a symptom: of sessions that expire, of a host that is too slow, of a leader
// that fails as soon as it leads. More than flapMost changes within flapWindow are told. Every change of leader
// counts, unless its line is spelled like a lock's: that may as well be one that is handed round. Locks and semaphores
// change hands, and members come and go, by their nature: there only what was lost with its session counts.
const (
	flapWindow = 10 * time.Minute
	flapMost   = 3
)

// Servers are asked now and then who is connected, and a znode's end is known at once: that its session ended with it
// may be learned up to lossDelay later. Of what waits for such news no more than waitMost is remembered.
const (
	lossDelay = time.Minute
	waitMost  = 64
)

// CheckFlapping remembers places that changed hands and tells when they were many.
func (b *Builder) CheckFlapping() {
	m, old := b.Model, b.Memo.Old
	if m.Kind.Lost() == "" || old == nil {
		return
	}
	if _, joint := old.Kind.Joint(m.Kind); !joint {
		return
	}
	if hs := b.recallHandovers(old.Detail().Handovers); len(hs) > 0 {
		m.MakeDetail().Handovers = hs
	}
	if b.streaming {
		b.changedHands(old)
	}
	told := b.toldHandovers()
	if len(told) <= flapMost {
		return
	}
	first, last, now := told[0].At, told[len(told)-1].At, b.Snap.TakenAt
	b.Dir.Due = Sooner(b.Dir.Due, first.Add(flapWindow))
	text := m.Kind.Lost() + " " + strconv.Itoa(len(told)) + " times"
	if last.Equal(first) {
		text += ", all at one moment"
	} else {
		text += " within " + say.Age(now.Sub(first))
	}
	b.AddFinding(model.CodeFlapping, model.Medium, text+commonCause(m.Kind, told))
}

// recallHandovers returns what still counts of those seen before, with what is known of their sessions by now.
func (b *Builder) recallHandovers(old []model.Handover) (out []model.Handover) {
	now := b.Snap.TakenAt
	for i, h := range old {
		age := now.Sub(h.At)
		h.Lost = h.Lost || !h.Alive && age < lossDelay && b.lostSession(h.Session)
		if age < flapWindow && (h.Lost || b.Model.Kind.Leads() || age < lossDelay && len(old)-i < waitMost) {
			if out == nil {
				out = make([]model.Handover, 0, len(old)-i+1) // and one that follows
			}
			out = append(out, h)
		}
	}
	return out
}

// toldHandovers returns those that count, and has the recipe looked at again when the servers tell more while there
// are others.
func (b *Builder) toldHandovers() (told []model.Handover) {
	all := b.Model.Detail().Handovers
	for i, h := range all {
		if h.Lost || b.Model.Kind.Leads() && !h.StepsDown(b.Model) {
			if told == nil {
				told = make([]model.Handover, 0, len(all)-i)
			}
			told = append(told, h)
		}
		b.Volatile = b.Volatile || !h.Lost && !h.Alive && b.Snap.TakenAt.Sub(h.At) < lossDelay
	}
	return told
}

// changedHands notes what changed hands since the earlier picture.
func (b *Builder) changedHands(old *model.Model) {
	m := b.Model
	if m.Kind.Leads() {
		was, is := model.LeaderOf(old), model.LeaderOf(m)
		if was != nil && (is == nil || !was.Same(is)) {
			b.remember(was)
		}
		return
	}
	if b.Snap.Sessions == nil {
		return
	}
	for i := range old.Claims {
		c := &old.Claims[i]
		if !model.Holding(c.Role()) && c.Role() != model.Member || c.Session == 0 {
			continue
		}
		if n := b.Snap.At(c.Path()); n == nil || n.Czxid != c.Czxid() {
			b.remember(c)
		}
	}
}

// remember notes that a claim's place changed hands.
func (b *Builder) remember(c *model.Claim) {
	m := b.Model.MakeDetail()
	m.Handovers = append(m.Handovers, b.handover(c))
}

func (b *Builder) handover(c *model.Claim) model.Handover {
	s, there := b.Snap.Sessions[c.Session]
	alive := there && s.Connected != nil && *s.Connected || !there && !c.AskedSince
	name := layout.ParseName(c.Node())
	l := layout.Of(&name, nil, "")
	h := model.Handover{At: b.Snap.TakenAt, Session: c.Session, Lost: !alive && b.lostSession(c.Session), Alive: alive,
		LockSpelled: l != nil && l.Kind.Alone() && !l.Kind.Leads(), Host: model.Host(c.Addr)}
	if b.Model.Kind.Together() && !(there && s.Connected == nil) {
		h.Owner = c.Owner()
	}
	return h
}

// commonCause says what all changes have in common.
func commonCause(k layout.Kind, hs []model.Handover) string {
	lost, oneHost := 0, true
	for _, h := range hs {
		if h.Lost {
			lost++
		}
		oneHost = oneHost && h.Host == hs[0].Host && h.Host != ""
	}
	text := ""
	switch {
	case !k.Leads():
	case lost == len(hs):
		text = ", always because the leader's session was lost"
	case lost > 0:
		text = ", " + say.Plural(lost, "time", "times") + " because the leader's session was lost"
	}
	if oneHost {
		text += ", always away from a client on " + say.Printable(hs[0].Host)
	}
	return text
}
