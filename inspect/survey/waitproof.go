package survey

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Proof says how sure it is that a claim's session waits for the one ahead. A wait is refuted only when every server
// listed its watches twice without it, the second time after the claim was seen to wait there: a client that wakes
// takes a moment to set its next watch. In a file, where nothing can be asked again, one list counts. What a client
// watches where that is hidden is not known; and a watch that the session had before the claim waited there proves
// nothing, since a claim that was given up leaves its watch behind.
func (d *Decoder) Proof(c, ahead *model.Claim, hidden bool) model.Proof {
	switch {
	case d.Snap.Watches == nil || c.Session == 0:
		return model.Likely
	case slices.Contains(d.WatchesOn(ahead), c.Session):
		if c.ListsWithout = 0; c.HasNote(model.NoteEarlierWatch) {
			return model.Likely
		}
		c.WatchNotes = model.NoteLively | model.NoteOwnWatch
		return model.Proven
	}
	c.SetNote(model.NoteEarlierWatch, false) // the watch it had before is gone: the next one is its own
	if hidden {
		c.SetNote(model.NoteOwnWatch, false)
		return model.Likely
	}
	d.missed(c)
	if s := d.standing(c); d.Listed && c.AskedSince && c.ListsWithout == blankMost && s != model.Away &&
		s != model.Absent {
		c.SetNote(model.NoteDoubted, true)
		return model.Refuted
	}
	return model.Likely
}

// blankMost is how many lists of all watches refute a wait.
const blankMost = 2

// missed counts a new list of all watches that lacks the one of a waiter. Where its session was without a connection,
// or came by another one than when the list before was made, the list before says nothing: a client that moves is
// missed by both members, and sets its watches again a moment later. A list that is made shortly after that
// does not count either.
func (d *Decoder) missed(c *model.Claim) {
	switch {
	case !d.relisted:
	case c.ListsWithout < blankMost && d.moved(c.Session):
		c.ListsWithout = 0
		if c.SetNote(model.NoteJustBack, d.standing(c) == model.Connected); c.HasNote(model.NoteJustBack) {
			c.ListsWithout = 1
		}
	case d.Snap.AskedAt.IsZero() && (d.First || !d.Snap.TakenAt.Before(c.BlockedSince.Time().Add(model.RewatchWithin))):
		c.ListsWithout = blankMost
	case c.ListsWithout == 0:
		c.ListsWithout = 1
	case c.HasNote(model.NoteJustBack) && !d.First && !d.AskedAfter(d.Prev.Snapshot.AskedAt):
		c.SetNote(model.NoteJustBack, false)
	case d.AskedAfter(c.BlockedSince.Time()):
		c.ListsWithout = blankMost
		c.SetNote(model.NoteJustBack, false)
	}
}

// moved reports whether a session is not known to have had the same connection at the last two rounds of questions.
// Where no server tells of connections nothing speaks for that.
func (d *Decoder) moved(id znode.SessionID) bool {
	if d.Snap.Sessions == nil || d.Snap.AskedAt.IsZero() {
		return false
	}
	now, known := d.Snap.Sessions[id]
	if !known || now.Connected == nil || !*now.Connected {
		return true
	}
	if d.First || d.Prev.Snapshot.Sessions == nil {
		return false
	}
	was, known := d.Prev.Snapshot.Sessions[id]
	return !known || was.Connected == nil || !*was.Connected || was.Addr != now.Addr || was.Server != now.Server ||
		!was.Since.Equal(now.Since)
}

// HeardAfter reports whether a server heard a session after a moment, where the leader tells when it heard it last. A
// client that hangs does not hear that the claim ahead went, and sets its next watch when it goes on.
func (d *Decoder) HeardAfter(id znode.SessionID, t time.Time) bool {
	s := d.Snap.Sessions[id]
	ago, known := d.Snap.Unheard(s)
	if t.IsZero() || !known || d.Snap.AskedAt.IsZero() {
		return true
	}
	if s.Within == 0 { // the server's clock is not known: it is compared with itself
		ago = d.heard().Sub(s.ExpiresAt.Add(-s.Timeout))
	}
	return d.Snap.AskedAt.Add(-ago - s.Within).After(t)
}

// AskedAfter reports whether the servers began to be asked well after a moment; zero is before everything. Where it is
// not known when they were asked, any later answer counts.
func (d *Decoder) AskedAfter(t time.Time) bool {
	return t.IsZero() || d.Snap.AskedAt.IsZero() || d.Snap.AskedAt.After(t.Add(model.RewatchWithin))
}
