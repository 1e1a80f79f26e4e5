package inspect

import "slices"

// A Curator thread that holds the write lock may read without waiting; another thread of its session that reads waits like
// everybody. Their znodes are alike. But who waits watches the writer, and who reads already does not: so a reader behind
// its own session's writer is a waiter until the servers' watches tell that it waits for nothing.

// reads reports whether a reader behind its own session's writer is known to read: it took the writer's number, as later
// releases have it, or was known to in the picture before, and nothing speaks against it since.
func (v *lineView) reads(c *Claim) bool {
	if v.line.queue[c.position].Seq == v.line.queue[0].Seq {
		return true
	}
	was := v.memo.find(c)
	return was != nil && was.reason == downgraded && !slices.Contains(v.watchesOn(&v.model.Claims[0]), v.line.queue[c.position].session)
}

// settleReader decides on such a reader by what is known of its watch on the writer.
func (v *lineView) settleReader(i int) {
	c := &v.model.Claims[i]
	c.held = false // it never held, or its client still does
	switch c.Proof() {
	case Proven:
		c.reason = behindWriter
	case Refuted:
		first, _ := lineRoles(v.model.Kind)
		v.turns[i] = turn{holds: true, watch: -1, why: downgraded}
		c.role, c.reason, c.proof = placeIn(roleWords, first), downgraded, placeIn(proofWords, Unproven)
		c.mark(doubted, false)
		c.blocked(0, 0)
	}
}
