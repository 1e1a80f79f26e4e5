package model

import (
	"time"
)

// WatchNotes is what there is to say of what the servers' lists tell of a waiter's watch on its present blocker, and
// whether it waits still: a set.
type WatchNotes uint8

const (
	NoteJustBack      WatchNotes = 1 << iota // the last list lacked it, and its session had only just come back: one made shortly after does not count
	NoteEarlierWatch                         // its session watched the blocker before the claim waited for it
	NoteLively                               // its client did something since it came to wait there
	NoteOwnWatch                             // its own watch was seen
	NoteDoubted                              // it was refuted, and no watch of its own was seen since
	NoteMayStandStill                        // it does not watch, and its client may only stand still, or have another way to learn of its turn
	NoteHasLease                             // it was seen to get its lease by another znode, which is a claim too: this one is about to go
)

// HasNote reports whether one thing is to be said.
func (c *Claim) HasNote(w WatchNotes) bool { return c.WatchNotes&w != 0 }

// SetNote says one thing, or takes it back.
func (c *Claim) SetNote(w WatchNotes, on bool) {
	if c.WatchNotes &^= w; on {
		c.WatchNotes |= w
	}
}

// MayWake reports whether a claim whose wait is refuted may go on all the same when its turn comes: its client may only
// stand still, or learn of its turn in a way that no server shows.
func (c *Claim) MayWake() bool { return c.HasNote(NoteMayStandStill) && c.Proof() == Refuted }

// RewatchWithin is how long a client may take from waking to its next watch.
const RewatchWithin = time.Second

// SightingsApart is how far two sightings must be apart for their order to be believed: a picture is read bit by bit.
const SightingsApart = Moment(RewatchWithin / 1000)
