package lines

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A reader of kazoo before 2.9 takes the last writer of the line for the one ahead of it, and waits for that, also when
// it came later and waits for the reader in turn. Later releases look ahead only, and their znodes are alike: that a
// reader waits for a writer behind it shows in nothing but the watch of its session on that writer's znode.

// stands is where a session's claims are in a line.
type stands struct {
	reader int  // the reader that may wait out of order
	many   bool // there is another such reader
	last   int  // the last of all
}

// outOfOrder finds the readers that are seen to wait for a writer behind them. A session that stands in line behind
// that writer as well, or with two such readers, may watch it for another claim's sake: then nothing is told by its
// watch, nor later, since who gives up leaves its watch behind.
func (v *lineView) outOfOrder() {
	by := v.lateReaders()
	if len(by) == 0 {
		return
	}
	v.stillLate()
	if len(v.Snap.Watches) == 0 {
		return
	}
	done := make(map[znode.SessionID]bool)
	for j := len(v.Line.Queue) - 1; j > 0; j-- {
		if v.Line.Queue[j].Reads() {
			continue
		}
		for _, id := range v.WatchesOn(v.at(j)) {
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
	was := v.Memo.Find(c)
	switch {
	case t.Why == model.BehindLater: // known from before
	case s.many || s.last > j || was != nil && was.Veiled():
		v.veil(v.Line.Queue[s.reader].Owner, j)
	case t.Watch >= 0 && slices.Contains(v.WatchesOn(v.at(t.Watch)), v.Line.Queue[s.reader].Owner):
	default:
		*t = order.Decision{Watch: j, From: j, To: j + 1, Why: model.BehindLater}
	}
}

// veil notes of every reader of a session ahead of the writer at j that it may be the one for whose sake that is watched.
func (v *lineView) veil(id znode.SessionID, j int) {
	for i := range j {
		if p := &v.Line.Queue[i]; p.Owner == id && p.Reads() && p.Layout.Watch == layout.WatchesLast {
			v.at(i).MakeRare().Veiled = true
		}
	}
}

// stillLate keeps readers waiting that were known to wait so, as long as a writer is left that was there then: their
// client is an old one, and turns to the last writer when the one that it watched goes.
func (v *lineView) stillLate() {
	if v.Memo.Old == nil {
		return
	}
	last, stayed := -1, -1
	for j := len(v.Line.Queue) - 1; j > 0 && stayed < 0; j-- {
		if v.Line.Queue[j].Reads() {
			continue
		}
		last = max(last, j)
		if v.Memo.Find(v.at(j)) != nil {
			stayed = j
		}
	}
	for i := range max(stayed, 0) {
		if p := &v.Line.Queue[i]; !p.Reads() || p.Layout.Watch != layout.WatchesLast {
			continue
		}
		if was := v.Memo.Find(v.at(i)); was != nil && was.Reason == model.BehindLater {
			v.turns[i] = order.Decision{Watch: last, From: last, To: last + 1, Why: model.BehindLater}
		}
	}
}

// proveLate says how sure it is that a reader waits for the writer behind it: in all likelihood where it was known to
// wait for another one before.
func (v *lineView) proveLate(c *model.Claim) {
	proof := model.Likely
	if slices.Contains(v.WatchesOn(c.Ahead()), c.Session) && v.only(c) {
		proof = model.Proven
	}
	c.SetProof(proof)
}

// only reports whether a reader that waits for a writer behind it is the only claim of its session that may watch that
// writer: then the session's watch on it is for its sake.
func (v *lineView) only(c *model.Claim) bool {
	j := c.Ahead().Position()
	for i := range v.Line.Queue {
		p := &v.Line.Queue[i]
		if p.Owner == c.Session && i != c.Position() && (i > j || p.Reads() && p.Layout.Watch == layout.WatchesLast) {
			return false
		}
	}
	return true
}

// watchesLater reports whether a reader's session watches a writer behind it: its client may be an old one, which waits for
// that, whatever is ahead of it, and is not lost.
func (v *lineView) watchesLater(i int) bool {
	p := &v.Line.Queue[i]
	if !p.Reads() || p.Layout.Watch != layout.WatchesLast || len(v.Snap.Watches) == 0 {
		return false
	}
	for j := i + 1; j < len(v.Line.Queue); j++ {
		if !v.Line.Queue[j].Reads() && slices.Contains(v.WatchesOn(v.at(j)), p.Owner) {
			return true
		}
	}
	return false
}

// lateReaders finds the readers that may wait for a writer behind them, by session.
func (v *lineView) lateReaders() map[znode.SessionID]stands {
	by := make(map[znode.SessionID]stands)
	for i := range v.Line.Queue {
		p := &v.Line.Queue[i]
		s, known := by[p.Owner]
		switch {
		case p.Owner == 0:
			continue
		case p.Reads() && p.Layout.Watch == layout.WatchesLast && !known:
			s.reader = i
		case p.Reads() && p.Layout.Watch == layout.WatchesLast:
			s.many = true
		case !known:
			continue
		}
		s.last = i
		by[p.Owner] = s
	}
	return by
}

// at is the claim at a place of the line, which may not be filled yet.
func (v *lineView) at(i int) *model.Claim {
	c := &v.Model.Claims[i]
	c.SetZnode(v.Line.Queue[i].Node, v.Home)
	return c
}

// waitsSince takes back what an earlier picture said of a reader that waits out of order: it never held, and waits
// since it came.
func (v *lineView) waitsSince(i int) {
	if c := &v.Model.Claims[i]; v.turns[i].Why == model.BehindLater {
		c.HeldBefore, c.RoleSince, c.RoleChangeSeen = false, 0, false
	}
}

// doubt says of a reader with no writer ahead that it may wait for one behind it all the same, for all that is known.
func (v *lineView) doubt(c *model.Claim) {
	if c.Reason != model.NoWriterAhead || !c.LaterWriters(nobody) {
		return
	}
	if c.Veiled() || v.Snap.Watches == nil || !v.Listed || !c.AskedSince || !v.AskedAfter(c.RoleSince.Time()) {
		c.Reason = model.UnlessOld
	}
}

func nobody(*model.Claim) bool { return false }
