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
// reader waits for a writer behind it shows in nothing but the watch of its session on that writer's znode. It waits
// for the one that was the last when it looked until that is gone, whoever comes after it, and looks again then.

// stands is where a session's claims are in a line.
type stands struct {
	reader int  // the reader that may wait out of order
	many   bool // there is another such reader
}

// outOfOrder finds the readers that are seen to wait for a writer behind them. A session with another claim that may
// watch that writer may do so for that one's sake: then nothing is told by its watch, nor later, since who gives up
// leaves its watch behind.
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
	c, t, id := v.at(s.reader), &v.turns[s.reader], v.Line.Queue[s.reader].Owner
	was, known := v.Memo.Find(c), t.Why == model.BehindLater
	seen := t.Watch >= 0 && slices.Contains(v.WatchesOn(v.at(t.Watch)), id)
	switch {
	case known && seen:
	case s.many || v.othersMayWatch(s.reader, j) || was != nil && was.Veiled():
		if !known {
			v.veil(id, j)
		}
	case seen:
	default:
		*t = order.Decision{Watch: j, From: j, To: j + 1, Why: model.BehindLater}
	}
}

// veil notes of every reader of a session ahead of the writer at j that it may be the one for whose sake that is
// watched.
func (v *lineView) veil(id znode.SessionID, j int) {
	for i := range j {
		if p := &v.Line.Queue[i]; p.Owner == id && p.Reads() && p.Layout.Watch == layout.WatchesLast {
			v.at(i).MakeRare().Veiled = true
		}
	}
}

// stillLate keeps readers waiting that were known to wait so, as long as a writer is left that was there then: for the
// same one while it stands; else for the last, to which their client, which is an old one, turns when the one that it
// watched goes.
func (v *lineView) stillLate() {
	if v.Memo.Old == nil {
		return
	}
	last, stayed := -1, -1 // of the writers, and of those that were there
	places := make(map[model.ClaimKey]int)
	for j := len(v.Line.Queue) - 1; j > 0; j-- {
		if v.Line.Queue[j].Reads() {
			continue
		}
		last = max(last, j)
		if v.Memo.Find(v.at(j)) != nil {
			stayed = max(stayed, j)
			places[v.at(j).Key()] = j
		}
	}
	for i := range max(stayed, 0) {
		if p := &v.Line.Queue[i]; !p.Reads() || p.Layout.Watch != layout.WatchesLast {
			continue
		}
		was := v.Memo.Find(v.at(i))
		if was == nil || was.Reason != model.BehindLater {
			continue
		}
		to := last
		if ahead := was.Ahead(); ahead != nil {
			if j, stands := places[ahead.Key()]; stands && j > i {
				to = j
			}
		}
		v.turns[i] = order.Decision{Watch: to, From: to, To: to + 1, Why: model.BehindLater}
	}
}

// proveLate says how sure it is that a reader waits for the writer behind it: in all likelihood where it was known to
// wait for another one before.
func (v *lineView) proveLate(c *model.Claim) {
	proof := model.Likely
	if slices.Contains(v.WatchesOn(c.Ahead()), c.Session) && !v.othersMayWatch(c.Position(), c.Ahead().Position()) {
		proof = model.Proven
	}
	c.SetProof(proof)
}

// othersMayWatch reports whether a session has a claim besides a reader for whose sake it may watch the writer at j: a
// reader that takes the last one for the one ahead too, or one that has no other writer between itself and that.
func (v *lineView) othersMayWatch(reader, j int) bool {
	nearest := -1 // the nearest writer ahead
	for i := range v.Line.Queue {
		p := &v.Line.Queue[i]
		if i != reader && p.Owner == v.Line.Queue[reader].Owner &&
			(nearest == j || p.Reads() && p.Layout.Watch == layout.WatchesLast) {
			return true
		}
		if !p.Reads() {
			nearest = i
		}
	}
	return false
}

// watchesLater reports whether a reader's session watches a writer behind it: its client may be an old one, which
// waits for that, whatever is ahead of it, and is not lost.
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
		default:
			continue
		}
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
