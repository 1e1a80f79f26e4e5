package model

import (
	"time"
)

// worth is what there is to say of what the servers' lists tell of a waiter's watch on its present blocker: a set.
type worth uint8

const (
	Strayed  worth = 1 << iota // the last list lacked it, and its session had only just come back: one made shortly after does not count
	Lent                       // its session watched the blocker before the claim waited for it
	Lively                     // its client did something since it came to wait there
	Watching                   // its own watch was seen
	Doubted                    // it was refuted, and no watch of its own was seen since
	Still                      // it does not watch, and its client may only stand still, or have another way to learn of its turn
)

// Marked reports whether one thing is to be said.
func (c *Claim) Marked(w worth) bool { return c.Worth&w != 0 }

// Mark says one thing, or takes it back.
func (c *Claim) Mark(w worth, on bool) {
	if c.Worth &^= w; on {
		c.Worth |= w
	}
}

// MayWake reports whether a claim whose wait is refuted may go on all the same when its turn comes: its client may only stand
// still, or learn of its turn in a way that no server shows.
func (c *Claim) MayWake() bool { return c.Marked(Still) && c.Proof() == Refuted }

// Rewatch is how long a client may take from waking to its next watch.
const Rewatch = time.Second

// Apart is how far two sightings must be apart for their order to be believed: a picture is read bit by bit.
const Apart = Moment(Rewatch / 1000)
