package actions

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// skip offers to delete an item: nobody will work on it. Its data stays in the audit log.
var skip = way{verb: VerbSkip, key: "s", label: "skip the item", not: whyNotSkip, plan: planSkip}

func planSkip(s Scene) Plan {
	p := s.plan(VerbSkip)
	p.Op, p.Risk, p.Confirm = Remove, High, "skip"
	p.Name = s.Claim.Node()
	p.Title = "skip the item " + say.Printable(s.Claim.Node()) + " of " + say.Printable(s.Model.Path)
	p.predictWithout(s)
	p.Outcome = append(p.Outcome, wakes(s, s.Claim.Path())...)
	p.Warnings = append(p.Warnings, "nobody will work on it; its data is kept in the audit log and nowhere else")
	if s.Claim.Position() > 0 {
		p.Warnings = append(p.Warnings, plural(s.Claim.Position(), "item is", "items are")+" ahead of it")
	}
	return p
}

func whyNotSkip(s Scene) string {
	if s.Claim.Role() == model.Taken {
		return "a consumer has taken it: requeue takes it away from a dead one, skip comes after"
	}
	return s.blindOr(s.hasChildren)
}

// requeue offers to put an item at the end of its queue, or to take the mark away with which a consumer took it.
var requeue = way{verb: VerbRequeue, key: "e", label: "requeue the item", not: whyNotRequeue, plan: planRequeue}

func planRequeue(s Scene) Plan {
	p := s.plan(VerbRequeue)
	p.Name, p.Risk = s.Claim.Node(), Elevated
	shown := say.Printable(s.Claim.Node())
	if s.Claim.Role() == model.Taken {
		mark := takenMark(s)
		p.Op, p.Target, p.OldData = Remove, Target{znode.Join(takenDir(s), mark.Name), mark.Czxid, mark.Owner, mark.Version}, mark.Data
		p.Guards = guards(p.Target)
		p.Title = "let others take the item " + shown + " of " + say.Printable(s.Model.Path)
		p.predictWithout(s)
		p.Warnings = append(p.Warnings, "whoever took it is not told: its work may be done twice")
		if liveness(s) != gone {
			p.Risk, p.Confirm = High, "requeue"
		}
		return p
	}
	p.Op = Move
	name := layout.ParseName(s.Claim.Node())
	p.Prefix = strings.TrimSuffix(s.Claim.Path(), name.SeqText())
	p.Title = "put the item " + shown + " at the end of " + say.Printable(s.Model.Path)
	p.Outcome = []string{fmt.Sprintf("it is served after the %s", plural(len(s.Model.Claims)-1, "other", "others"))}
	return p
}

func whyNotRequeue(s Scene) string {
	if s.Claim.Role() == model.Taken {
		if m := takenMark(s); m == nil || m.Czxid == 0 {
			return "the mark with which it was taken is not beside it, so it cannot be pinned"
		}
		return s.blind()
	}
	n := s.Result.Snapshot.At(s.Claim.Path())
	switch {
	case !s.Claim.HasSeq:
		return "its name has no sequence number: its queue has no end to put it at"
	case n != nil && n.Ephemeral():
		return "it is ephemeral: a copy of ours would be bound to our session"
	case n != nil && (n.Has(znode.Unreadable) || n.Has(znode.DataOmitted)):
		return "its data was not read, so it cannot be copied"
	}
	return s.blindOr(s.hasChildren)
}

// takenDir is where kazoo's LockingQueue keeps its marks: beside the entries, under the same names.
func takenDir(s Scene) string { return znode.Join(s.Model.Path, "taken") }

// takenMark is the znode with which a consumer took the item, or nil.
func takenMark(s Scene) *znode.Node {
	if dir := s.Result.Snapshot.At(takenDir(s)); dir != nil {
		return dir.Child(s.Claim.Node())
	}
	return nil
}
