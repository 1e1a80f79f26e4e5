package survey

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Calmness is what is known of whether a session goes on working.
type Calmness uint8

const (
	CalmUnknown Calmness = iota // too little was seen
	calmQuiet                   // it made and released nothing for a while
	CalmWorking                 // it made or released something just now
)

// calmWords are the words for each.
var calmWords = [...]string{
	CalmUnknown: "whether it goes on working is not known",
	calmQuiet:   "none of its claims came or went for " + say.Age(model.QuietFor),
	CalmWorking: "it is active: one of its claims came or went within " + say.Age(model.QuietFor),
}

// String returns how findings say it.
func (c Calmness) String() string { return calmWords[c] }

// Grade is a session whose calmness decided how much a finding weighs: it is looked at again when that changes.
type Grade struct {
	Session znode.SessionID // which
	How     Calmness        // what it was when that was decided
}

// carried is the pulse that the picture goes on with; nil where something may have been missed since.
func (d *Decoder) carried() *model.Pulse {
	whole := d.Snap.LostSince.IsZero() && !d.Snap.Loading()
	if d.Prev == nil || !d.rooted || !d.streaming || !whole || d.Snap.TakenAt.Before(d.Prev.Snapshot.TakenAt) {
		return nil
	}
	return d.Prev.Pulse
}

// Calm returns what is known of a session from the pictures before.
func (d *Decoder) Calm(id znode.SessionID) Calmness {
	now := d.Snap.AsOf()
	switch p := d.Before; {
	case p == nil:
		return CalmUnknown
	case p.Busy(id, now):
		return CalmWorking
	case p.Covers(now):
		return calmQuiet
	}
	return CalmUnknown
}

// Moves returns when a session was last seen to make or release a claim, where that is remembered.
func (d *Decoder) Moves(id znode.SessionID) (at model.Moment, moved bool) {
	if d.Before == nil {
		return 0, false
	}
	return d.Before.Last(id)
}

// regraded reports whether what decided how findings weigh has changed, unless nobody will look at them.
func (d *Decoder) regraded(of []Grade) bool {
	return !d.passing && slices.ContainsFunc(of, func(g Grade) bool { return d.Calm(g.Session) != g.How })
}

// beat carries the pulse on: it costs nothing where no recipe was decoded again, and else in proportion to those that
// were. Whatever happened in a gap was not seen, so that counting begins anew after it.
func (d *Decoder) beat() *model.Pulse {
	now := d.Snap.TakenAt
	if d.Before == nil {
		return &model.Pulse{Began: d.Snap.AsOf()}
	}
	moved := map[znode.SessionID]bool{}
	for i, j := 0, 0; i < len(d.removed) || j < len(d.added); {
		switch {
		case j == len(d.added) || i < len(d.removed) && znode.ComparePaths(d.removed[i].Path, d.added[j].Path) < 0:
			model.AddMovers(moved, d.removed[i].Claims, nil)
			i++
		case i == len(d.removed) || znode.ComparePaths(d.removed[i].Path, d.added[j].Path) > 0:
			model.AddMovers(moved, nil, d.added[j].Claims)
			j++
		default:
			model.AddMovers(moved, d.removed[i].Claims, d.added[j].Claims)
			i, j = i+1, j+1
		}
	}
	delete(moved, 0)
	if len(moved) == 0 {
		return d.Before
	}
	return d.Before.With(moved, now)
}
