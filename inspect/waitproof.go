package inspect

import (
	"slices"
	"time"
)

// worth is what there is to say of what the servers' lists tell of a waiter's watch on its present blocker: a set.
type worth uint8

const (
	strayed  worth = 1 << iota // the last list lacked it, and its session had only just come back: one made shortly after does not count
	lent                       // its session watched the blocker before the claim waited for it
	lively                     // its client did something since it came to wait there
	watching                   // its own watch was seen
	doubted                    // it was refuted, and no watch of its own was seen since
	still                      // it does not watch, and its client may only stand still, or have another way to learn of its turn
)

// is reports whether one thing is to be said.
func (c *Claim) is(w worth) bool { return c.worth&w != 0 }

// mark says one thing, or takes it back.
func (c *Claim) mark(w worth, on bool) {
	if c.worth &^= w; on {
		c.worth |= w
	}
}

// MayWake reports whether a claim whose wait is refuted may go on all the same when its turn comes: its client may only stand
// still, or learn of its turn in a way that no server shows.
func (c *Claim) MayWake() bool { return c.is(still) && c.Proof() == Refuted }

// movedUp begins to look for a claim's watch anew, on the claim that is ahead of it now. What the lists lacked of its watch
// on the one before goes on to count: nothing woke it when that went.
func (v *lineView) movedUp(c, was, ahead *Claim) {
	c.behind = momentOf(v.snap.TakenAt)
	c.mark(doubted, was != nil && was.is(doubted))
	switch {
	case slices.Contains(v.decoder.prev.Snapshot.Watches[ahead.Path()], c.Session):
		c.mark(lent, true)
	case was != nil && !holding(was.Role()) && !was.is(lent):
		c.blank = was.blank
		c.mark(lively, was.Proof() == Refuted && was.is(lively))
	}
}

// proof says how sure it is that a claim's session waits for the one ahead. A wait is refuted only when every server
// listed its watches twice without it, the second time after the claim was seen to wait there: a client that wakes
// takes a moment to set its next watch. In a file, where nothing can be asked again, one list counts. What a client
// watches where that is hidden is not known; and a watch that the session had before the claim waited there proves
// nothing, since a claim that was given up leaves its watch behind.
func (d *decoder) proof(c, ahead *Claim, hidden bool) Proof {
	switch {
	case d.snap.Watches == nil || c.Session == 0:
		return Likely
	case slices.Contains(d.watchesOn(ahead), c.Session):
		if c.blank = 0; c.is(lent) {
			return Likely
		}
		c.worth = lively | watching
		return Proven
	}
	c.mark(lent, false) // the watch it had before is gone: the next one is its own
	if hidden {
		c.mark(watching, false)
		return Likely
	}
	d.missed(c)
	if s := d.standing(c); d.listed && c.settled && c.blank == blankMost && s != away && s != absent {
		c.mark(doubted, true)
		return Refuted
	}
	return Likely
}

// blankMost is how many lists of all watches refute a wait.
const blankMost = 2

// missed counts a new list of all watches that lacks the one of a waiter. Where its session was without a connection, or
// came by another one than when the list before was made, the list before says nothing: a client that moves is missed by
// both members, and sets its watches again a moment later. A list that is made shortly after that does not count either.
func (d *decoder) missed(c *Claim) {
	switch {
	case !d.relisted:
	case c.blank < blankMost && d.moved(c.Session):
		c.blank = 0
		if c.mark(strayed, d.standing(c) == connected); c.is(strayed) {
			c.blank = 1
		}
	case d.snap.AskedAt.IsZero() && (d.first || !d.snap.TakenAt.Before(c.behind.time().Add(rewatch))):
		c.blank = blankMost
	case c.blank == 0:
		c.blank = 1
	case c.is(strayed) && !d.first && !d.askedAfter(d.prev.Snapshot.AskedAt):
		c.mark(strayed, false)
	case d.askedAfter(c.behind.time()):
		c.blank = blankMost
		c.mark(strayed, false)
	}
}

// moved reports whether a session is not known to have had the same connection at the last two rounds of questions. Where
// no server tells of connections nothing speaks for that.
func (d *decoder) moved(id SessionID) bool {
	if d.snap.Sessions == nil || d.snap.AskedAt.IsZero() {
		return false
	}
	now, known := d.snap.Sessions[id]
	if !known || now.Connected == nil || !*now.Connected {
		return true
	}
	if d.first || d.prev.Snapshot.Sessions == nil {
		return false
	}
	was, known := d.prev.Snapshot.Sessions[id]
	return !known || was.Connected == nil || !*was.Connected || was.Addr != now.Addr || was.Server != now.Server || !was.Since.Equal(now.Since)
}

// heardAfter reports whether a server heard a session after a moment, where the leader tells when it heard it last. A
// client that hangs does not hear that the claim ahead went, and sets its next watch when it goes on.
func (d *decoder) heardAfter(id SessionID, t time.Time) bool {
	s := d.snap.Sessions[id]
	ago, known := d.snap.unheard(s)
	if t.IsZero() || !known || d.snap.AskedAt.IsZero() {
		return true
	}
	if s.Within == 0 { // the server's clock is not known: it is compared with itself
		ago = d.heard().Sub(s.ExpiresAt.Add(-s.Timeout))
	}
	return d.snap.AskedAt.Add(-ago - s.Within).After(t)
}

// rewatch is how long a client may take from waking to its next watch.
const rewatch = time.Second

// askedAfter reports whether the servers began to be asked well after a moment; zero is before everything. Where it is
// not known when they were asked, any later answer counts.
func (d *decoder) askedAfter(t time.Time) bool {
	return t.IsZero() || d.snap.AskedAt.IsZero() || d.snap.AskedAt.After(t.Add(rewatch))
}
