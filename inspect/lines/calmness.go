package lines

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// calmness returns what is known of a session that has claims in the line, from the line itself too: where too little
// was seen, claims that are only just made tell.
func (v *lineView) calmness(id znode.SessionID, claims []*model.Claim) survey.Calmness {
	if v.Before != nil && v.movers == nil {
		var old []model.Claim
		if v.Memo.Old != nil {
			old = v.Memo.Old.Claims
		}
		v.movers = map[znode.SessionID]bool{}
		model.AddMovers(v.movers, old, v.Model.Claims)
	}
	if v.movers[id] {
		return survey.CalmWorking
	}
	how, now := v.Calm(id), v.Snap.AsOf()
	young := func(c *model.Claim) bool {
		age := now.Sub(c.Created())
		return !c.Created().IsZero() && age >= 0 && age < model.QuietFor
	}
	if how == survey.CalmUnknown && slices.ContainsFunc(claims, young) {
		return survey.CalmWorking
	}
	return how
}

// movedUp begins to look for a claim's watch anew, on the claim that is ahead of it now. What the lists lacked of its
// watch on the one before goes on to count: nothing woke it when that went.
func (v *lineView) movedUp(c, was, ahead *model.Claim) {
	c.BlockedSince = model.MomentOf(v.Snap.TakenAt)
	c.SetNote(model.NoteDoubted, was != nil && was.HasNote(model.NoteDoubted))
	switch {
	case slices.Contains(v.Decoder.Prev.Snapshot.Watches[ahead.Path()], c.Session):
		c.SetNote(model.NoteEarlierWatch, true)
	case was != nil && !model.Holding(was.Role()) && !was.HasNote(model.NoteEarlierWatch):
		c.ListsWithout = was.ListsWithout
		c.SetNote(model.NoteLively, was.Proof() == model.Refuted && was.HasNote(model.NoteLively))
	}
}
