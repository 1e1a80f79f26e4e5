package story

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// fate is what is known of why a claim's znode went.
type fate struct{ what, phrase, aside string }

// deleted is what somebody did to a znode, not to its owner.
const deleted = "was deleted"

// gone is said of a claim that went nobody knows how.
const gone = "is gone"

// lasting leads in how long a claim held or led: after holding, of one that was released or lost; held, of one that is
// gone.
func lasting(k layout.Kind, f fate) string {
	_, doing := verbs(k)
	switch {
	case f.phrase != gone:
		return " after " + doing + " "
	case k.Leads():
		return ", led "
	}
	return ", held "
}

// of says what became of an owner's claim.
func (f fate) of(name string) string {
	if strings.HasPrefix(f.phrase, deleted) {
		return "the claim of " + name + " " + f.phrase
	}
	return name + " " + f.phrase
}

// What is known of a claim that went with its session, or without it.
var (
	unknown  = fate{EventGone, gone, ""}
	expired  = fate{EventLost, "lost by expiry", ": its session expired"}
	expiring = fate{EventLost, "lost, likely by expiry", ": its session has likely expired"}
	closed   = fate{EventSessionClosed, "closed its session", ": its client closed the session"}
	released = fate{EventReleased, "released", ""}
	letGo    = fate{EventLetGo, "let go", ""}
)

// recorded tells the fate of a claim by the transaction that took its znode, where the history records it.
func (d *differ) recorded(c *model.Claim) (f fate, ok bool) {
	if c.Session == 0 {
		return f, false
	}
	switch w, told := d.snap.HowWent(c.Path(), c.Czxid()); {
	case !told || w.By == 0:
		return f, false
	case w.By != c.Session:
		by := w.By.String()
		return fate{EventLost, deleted + " by " + by, ": deleted by " + by}, true
	case w.End == znode.EndedByServer:
		return expired, true
	case w.End == znode.EndedByClient:
		return closed, true
	}
	return released, true
}

// fate tells an expiry from a release by the session. What a history records is known. Otherwise, without a connection
// when last seen, or missing already while the znode still stood, it expired; connected, and not so long ago that it
// can have expired since, its owner (or somebody else) deleted the znode, or closed the session: closed it where the
// servers do not list it any more, and else one of the two, since they were asked before. In between, all that is
// known is that the session ended; where nobody was asked since, not even that, unless it fits an expiry, which it is
// likely then. Of one younger than the last answers nothing is known. With a session all its znodes go at once: while
// others of it stand it is not told to have expired.
func (d *differ) fate(c *model.Claim) fate {
	if f, ok := d.recorded(c); ok {
		return f
	}
	if d.snap.Sessions == nil || c.Session == 0 {
		return unknown
	}
	s, present := d.snap.Sessions[c.Session]
	was, known := d.before.Sessions[c.Session]
	switch {
	case !present && (!d.answered || !c.AskedSince && !known):
		return unknown
	case !present && known && connectedOrUnsaid(was):
		switch may := d.mayHaveExpired(was, true); {
		case may && d.fitsExpiry(d.before, was):
			return expiring
		case may:
			return fate{EventLost, "lost with its session", ": its session ended"}
		}
		return closed
	case !present && d.now.Sub(d.snap.AskedAt) < oneBurst:
		return expired // those of its znodes that are there are about to go
	case (!present || !connectedOrUnsaid(s) && !d.lives(s)) && d.othersStand(c.Session):
		return fate{EventGone, gone, stillThere}
	case !present:
		return expired
	case connectedOrUnsaid(s) && d.fitsExpiry(d.snap, s):
		return expiring
	case connectedOrUnsaid(s) && d.mayHaveExpired(s, false):
		return unknown
	case connectedOrUnsaid(s) && d.snap.Servers == nil: // a history knows of each moment which sessions there are
		return released
	case connectedOrUnsaid(s):
		return letGo
	case d.lives(s):
		return fate{EventGone, deleted, ": its session has no connection, but had not expired"}
	}
	return expired
}

// fitsExpiry reports whether a session that was connected when the servers were asked for a picture had missed a ping
// by then, and what went now went when it would expire. A client that lives would have to have let go in just that
// moment.
func (d *differ) fitsExpiry(asked *znode.Snapshot, s znode.Session) bool {
	return asked.MissedPing(s) && !d.unseen && d.now.After(s.ExpiresAt.Add(-s.Within)) &&
		d.now.Before(s.ExpiresAt.Add(s.Within+oneBurst)) && !d.othersStand(s.ID)
}

// oneBurst is within what time a picture shows that all znodes of a session went.
const oneBurst = 2 * time.Second

// stillThere is said of a claim whose session would have expired, had it not others.
const stillThere = ", while other znodes of its session are there: it was deleted, or the session is just ending"

// lives reports whether a session without a connection cannot have expired yet.
func (d *differ) lives(s znode.Session) bool {
	return s.ExpiresAt.After(d.now.Add(s.Within + oneBurst))
}

// othersStand reports whether a session has ephemeral znodes in the picture. The tree is walked once, and only when
// that matters.
func (d *differ) othersStand(id znode.SessionID) bool {
	if d.owners == nil {
		d.owners = map[znode.SessionID]bool{}
		znode.EachEphemeral(d.snap, func(_ string, n *znode.Node) { d.owners[n.Owner] = true })
	}
	return d.owners[id]
}

// connectedOrUnsaid reports whether no server said that a session has no connection.
func connectedOrUnsaid(s znode.Session) bool { return s.Connected == nil || *s.Connected }

// mayHaveExpired reports whether a session that was seen connected can have expired since; otherwise where nobody said
// how long it lives. A short one does so between two rounds of asking the servers.
func (d *differ) mayHaveExpired(s znode.Session, otherwise bool) bool {
	switch asked := d.before.AskedAt; {
	case !s.ExpiresAt.IsZero():
		return d.now.After(s.ExpiresAt.Add(-s.Within))
	case s.Timeout > 0 && !asked.IsZero():
		return d.now.Sub(asked) > s.Timeout/2 // clients are heard every third of it
	}
	return otherwise
}
