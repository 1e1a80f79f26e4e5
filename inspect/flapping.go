package inspect

import (
	"strconv"
	"time"
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

// handover is one place that was seen to change hands.
type handover struct {
	at      time.Time
	session SessionID // the former owner's
	lost    bool      // that session was gone
	alive   bool      // it was last seen connected, or it came and went between two questions: it let go, for all that is known
	turns   bool      // its claim was spelled like a lock's, which are handed round
	past    bool      // of a double barrier: the room has been empty since
	host    string    // where the former owner ran; empty: unknown
	owner   string    // of a double barrier: what the former owner was called; empty: whether it had a connection is not known
}

// flapWords are what changes hands in a kind, as it is told; kinds without words do not flap.
var flapWords = map[Kind]string{
	Election:      "leadership changed",
	Lock:          "the lock was lost with its holder's session",
	SharedLock:    "the lock was lost with a holder's session",
	Semaphore:     "a lease was lost with its holder's session",
	Membership:    "a member was lost with its session",
	Service:       "an instance was lost with its session",
	DoubleBarrier: "a member was lost with its session",
}

// flapping remembers places that changed hands and tells when they were many.
func (b *builder) flapping() {
	m, old := b.model, b.memo.old
	if flapWords[m.Kind] == "" || old == nil || old.Kind != m.Kind {
		return
	}
	if hs := b.recallHandovers(old.detail().handovers); len(hs) > 0 {
		m.detailed().handovers = hs
	}
	if b.streaming {
		b.changedHands(old)
	}
	told := b.toldHandovers()
	if len(told) <= flapMost {
		return
	}
	first, last, now := told[0].at, told[len(told)-1].at, b.snap.TakenAt
	b.dir.due = sooner(b.dir.due, first.Add(flapWindow))
	text := flapWords[m.Kind] + " " + strconv.Itoa(len(told)) + " times"
	if last.Equal(first) {
		text += ", all at one moment"
	} else {
		text += " within " + Age(now.Sub(first))
	}
	b.add(CodeFlapping, Medium, text+commonCause(m.Kind, told))
}

// recallHandovers returns what still counts of those seen before, with what is known of their sessions by now.
func (b *builder) recallHandovers(old []handover) (out []handover) {
	now := b.snap.TakenAt
	for i, h := range old {
		age := now.Sub(h.at)
		h.lost = h.lost || !h.alive && age < lossDelay && b.lostSession(h.session)
		if age < flapWindow && (h.lost || b.model.Kind == Election || age < lossDelay && len(old)-i < waitMost) {
			out = append(out, h)
		}
	}
	return out
}

// toldHandovers returns those that count, and has the recipe looked at again when the servers tell more while there
// are others.
func (b *builder) toldHandovers() (told []handover) {
	for _, h := range b.model.detail().handovers {
		if h.lost || b.model.Kind == Election && !h.stepsDown(b.model) {
			told = append(told, h)
		}
		b.volatile = b.volatile || !h.lost && !h.alive && b.snap.TakenAt.Sub(h.at) < lossDelay
	}
	return told
}

// stepsDown reports whether a leader let go by itself where nothing but a word in the path or its data says that it leads:
// what takes turns by design is no symptom.
func (h *handover) stepsDown(m *Model) bool {
	return h.alive && !h.lost && (h.turns || m.Dialect == Generic)
}

// changedHands notes what changed hands since the earlier picture.
func (b *builder) changedHands(old *Model) {
	m := b.model
	if m.Kind == Election {
		was, is := leaderOf(old), leaderOf(m)
		if was != nil && (is == nil || !was.same(is)) {
			b.remember(was)
		}
		return
	}
	if b.snap.Sessions == nil {
		return
	}
	for i := range old.Claims {
		c := &old.Claims[i]
		if !holding(c.Role()) && c.Role() != Member || c.Session == 0 {
			continue
		}
		if n := b.snap.At(c.Path()); n == nil || n.Czxid != c.Czxid() {
			b.remember(c)
		}
	}
}

// remember notes that a claim's place changed hands.
func (b *builder) remember(c *Claim) {
	m := b.model.detailed()
	m.handovers = append(m.handovers, b.handover(c))
}

func (b *builder) handover(c *Claim) handover {
	s, there := b.snap.Sessions[c.Session]
	alive := there && s.Connected != nil && *s.Connected || !there && !c.settled
	name := ParseName(c.Node())
	l := layoutOf(&name, nil, "")
	h := handover{at: b.snap.TakenAt, session: c.Session, lost: !alive && b.lostSession(c.Session), alive: alive, turns: l != nil && l.Kind == Lock, host: host(c.Addr)}
	if b.model.Kind == DoubleBarrier && !(there && s.Connected == nil) {
		h.owner = c.Owner()
	}
	return h
}

// lostSession reports whether a session is known to be gone.
func (d *decoder) lostSession(id SessionID) bool {
	if d.snap.Sessions == nil || !d.answered || id == 0 {
		return false
	}
	_, alive := d.snap.Sessions[id]
	return !alive
}

// commonCause says what all changes have in common.
func commonCause(k Kind, hs []handover) string {
	lost, oneHost := 0, true
	for _, h := range hs {
		if h.lost {
			lost++
		}
		oneHost = oneHost && h.host == hs[0].host && h.host != ""
	}
	text := ""
	switch {
	case k != Election:
	case lost == len(hs):
		text = ", always because the leader's session was lost"
	case lost > 0:
		text = ", " + strconv.Itoa(lost) + " times because the leader's session was lost"
	}
	if oneHost {
		text += ", always away from a client on " + Printable(hs[0].host)
	}
	return text
}
