package lines

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
)

// A Curator thread that holds the write lock may read without waiting; another thread of its session that reads waits
// like everybody. Their znodes are alike. But who waits watches the writer, and who reads already does not: so a reader
// behind its own session's writer is a waiter until the servers' watches tell that it waits for nothing.

// reads reports whether a reader behind its own session's writer is known to read: it took the writer's number, as
// later releases have it, or was known to in the picture before, and nothing speaks against it since.
func (v *lineView) reads(c *model.Claim) bool {
	if v.Line.Queue[c.Position()].Seq == v.Line.Queue[0].Seq {
		return true
	}
	was := v.Memo.Find(c)
	return was != nil && was.Reason == model.Downgraded &&
		!slices.Contains(v.WatchesOn(&v.Model.Claims[0]), v.Line.Queue[c.Position()].Owner)
}

// settleReader decides on such a reader by what is known of its watch on the writer.
func (v *lineView) settleReader(i int) {
	c := &v.Model.Claims[i]
	c.HeldBefore = false // it never held, or its client still does
	switch c.Proof() {
	case model.Proven:
		c.Reason = model.BehindWriter
	case model.Refuted:
		first, _ := lineRoles(v.Model.Kind)
		v.turns[i] = order.Decision{Holds: true, Watch: -1, Why: model.Downgraded}
		c.Reason = model.Downgraded
		c.SetRole(first)
		c.SetProof(model.Unproven)
		c.SetNote(model.NoteDoubted, false)
		c.SetBlockers(0, 0)
	}
}
