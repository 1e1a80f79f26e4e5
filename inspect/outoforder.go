package inspect

import "slices"

// A reader of kazoo before 2.9 takes the last writer of the line for the one ahead of it, and waits for that, also when it
// came later and waits for the reader in turn. Later releases look ahead only, and their znodes are alike: that a reader
// waits for a writer behind it shows in nothing but the watch of its session on that writer's znode.

// stands is where a session's claims are in a line.
type stands struct {
	reader int  // the reader that may wait out of order
	many   bool // there is another such reader
	last   int  // the last of all
}

// outOfOrder finds the readers that are seen to wait for a writer behind them. A session that stands in line behind that
// writer as well, or with two such readers, may watch it for another claim's sake: then nothing is told by its watch, nor
// later, since who gives up leaves its watch behind.
func (v *lineView) outOfOrder() {
	by := v.lateReaders()
	if len(by) == 0 {
		return
	}
	v.stillLate()
	if len(v.snap.Watches) == 0 {
		return
	}
	done := make(map[SessionID]bool)
	for j := len(v.line.queue) - 1; j > 0; j-- {
		if v.line.queue[j].reads() {
			continue
		}
		for _, id := range v.watchesOn(v.at(j)) {
			s, known := by[id]
			if !known || done[id] || s.reader > j {
				continue
			}
			done[id] = true
			v.settleLate(s, j)
		}
	}
}

// settleLate decides on a reader whose session watches the writer at j, behind it.
func (v *lineView) settleLate(s stands, j int) {
	c, t := v.at(s.reader), &v.turns[s.reader]
	was := v.memo.find(c)
	switch {
	case t.why == behindLater: // known from before
	case s.many || s.last > j || was != nil && was.veiled():
		c.rarely().veiled = true
	case t.watch >= 0 && slices.Contains(v.watchesOn(v.at(t.watch)), v.line.queue[s.reader].session):
	default:
		*t = turn{watch: j, from: j, to: j + 1, why: behindLater}
	}
}

// stillLate keeps readers waiting that were known to wait so, as long as a writer is left that was there then: their
// client is an old one, and turns to the last writer when the one that it watched goes.
func (v *lineView) stillLate() {
	if v.memo.old == nil {
		return
	}
	last, stayed := -1, -1
	for j := len(v.line.queue) - 1; j > 0 && stayed < 0; j-- {
		if v.line.queue[j].reads() {
			continue
		}
		last = max(last, j)
		if v.memo.find(v.at(j)) != nil {
			stayed = j
		}
	}
	for i := range max(stayed, 0) {
		if p := &v.line.queue[i]; !p.reads() || p.layout.Watch != WatchesLast {
			continue
		}
		if was := v.memo.find(v.at(i)); was != nil && was.reason == behindLater {
			v.turns[i] = turn{watch: last, from: last, to: last + 1, why: behindLater}
		}
	}
}

// proveLate says how sure it is that a reader waits for the writer behind it: in all likelihood where it was known to wait
// for another one before.
func (v *lineView) proveLate(c *Claim) {
	proof := Likely
	if slices.Contains(v.watchesOn(c.Ahead()), c.Session) {
		proof = Proven
	}
	c.proof = placeIn(proofWords, proof)
}

// lateReaders finds the readers that may wait for a writer behind them, by session.
func (v *lineView) lateReaders() map[SessionID]stands {
	by := make(map[SessionID]stands)
	for i := range v.line.queue {
		p := &v.line.queue[i]
		s, known := by[p.session]
		switch {
		case p.session == 0:
			continue
		case p.reads() && p.layout.Watch == WatchesLast && !known:
			s.reader = i
		case p.reads() && p.layout.Watch == WatchesLast:
			s.many = true
		case !known:
			continue
		}
		s.last = i
		by[p.session] = s
	}
	return by
}

// at is the claim at a place of the line, which may not be filled yet.
func (v *lineView) at(i int) *Claim {
	c := &v.model.Claims[i]
	c.node, c.home = v.line.queue[i].node, v.home
	return c
}

// waitsSince takes back what an earlier picture said of a reader that waits out of order: it never held, and waits since
// it came.
func (v *lineView) waitsSince(i int) {
	if c := &v.model.Claims[i]; v.turns[i].why == behindLater {
		c.held, c.since, c.SinceSeen = false, 0, false
	}
}

// doubt says of a reader with no writer ahead that it may wait for one behind it all the same, for all that is known.
func (v *lineView) doubt(c *Claim) {
	if c.reason != noWriterAhead || !c.laterWriters(nobody) {
		return
	}
	if c.veiled() || v.snap.Watches == nil || !v.listed || !c.settled || !v.askedAfter(c.since.time()) {
		c.reason = unlessOld
	}
}

func nobody(*Claim) bool { return false }

// laterWriters reports whether writers stand behind a claim whose client may wait for them, others than those that go.
func (c *Claim) laterWriters(gone func(*Claim) bool) bool {
	if c.Mode() != Read || c.home == nil {
		return false
	}
	name := ParseName(c.Node())
	if l := layoutOf(&name, nil, ""); l == nil || l.Watch != WatchesLast {
		return false
	}
	all := c.home.model.Claims
	for i := len(all) - 1; i > c.Position(); i-- {
		if all[i].Mode() != Read && !gone(&all[i]) {
			return true
		}
	}
	return false
}

// veiled reports whether the watch of a reader's session on a writer behind it tells nothing of the reader.
func (c *Claim) veiled() bool { return c.rare != nil && c.rare.veiled }
