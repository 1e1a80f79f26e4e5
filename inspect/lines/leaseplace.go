package lines

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// placeKept is how long a client may take to give up its place in line once it has its lease. One that stays for
// longer is in the way of the others, and told.
const placeKept = 30 * time.Second

// hasLease reports whether who heads the line has the lease for which it came, and is about to leave its place: kazoo
// makes the lease while it is first, and deletes its place thereafter. Other threads of the session may have leases of
// their own, whose places went before. So the lease counts that was made while this place was first: nothing in the
// line changed since. Where something did, only the picture before may tell, and the claim stays, with a note.
func hasLease(b *survey.Builder, line *znode.Node, head *model.Claim) bool {
	if head.Session == 0 || head.Czxid() == 0 {
		return false
	}
	held := b.Model.Claims[:len(b.Model.Claims)-1]
	for i := range held {
		c := &held[i]
		if c.Session != head.Session || c.Owner() != head.Owner() || c.Czxid() < head.Czxid() {
			continue
		}
		if end := c.Created().Add(placeKept); !c.Created().IsZero() {
			if !b.Snap.TakenAt.Before(end) {
				continue
			}
			b.Dir.Due = survey.Sooner(b.Dir.Due, end)
		}
		if line.Pzxid != 0 && line.Pzxid < c.Czxid() {
			return true
		}
		if seenToPass(b, head, c) {
			head.SetNote(model.NoteHasLease, true)
		}
	}
	return false
}

// seenToPass reports whether the head of the line was its head in the picture before, and either the lease was not
// there then, or the head was known to be about to leave.
func seenToPass(b *survey.Builder, head, lease *model.Claim) bool {
	if b.Memo.Old == nil || !b.Memo.Old.Kind.Pool() || b.Decoder.Prev == nil {
		return false
	}
	line := b.Decoder.Prev.Snapshot.At(b.Path + layout.LineSuffix)
	if line == nil {
		return false
	}
	queue := ChildrenWith(line, "__lock__")
	if len(queue) == 0 || queue[0].Czxid != head.Czxid() || queue[0].Text != head.Node() {
		return false
	}
	was := b.Memo.Find(head)
	return was == nil || was.HasNote(model.NoteHasLease) || b.Memo.Find(lease) == nil
}
