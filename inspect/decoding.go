package inspect

import (
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Decode recognises the recipes in a snapshot. It is total: every tree has a result, none an error.
//
// prev is the result of an earlier snapshot of the same tree, or nil. What has not changed since is not
// looked at again: a recipe whose znodes are the same pointers, and whose sessions and watches are as
// they were, keeps its *Model. A change costs its own directory and a walk over its ancestors. prev also
// is the memory of the run: since when a claim has its role, which empty directories were recipes.
// Decode does not modify prev and reads no clock; now is snap.TakenAt.
func Decode(snap *znode.Snapshot, prev *model.Result, h model.Hints) *model.Result {
	return survey.Run(snap, prev, h, &table)
}

// DecodeStep is Decode, but for how much some findings weigh: regrade tells that this follows from what moved
// elsewhere, and is right once the same snapshot is decoded again. With passing that is left open also where it would
// cost nothing but time.
func DecodeStep(snap *znode.Snapshot, prev *model.Result, h model.Hints, passing bool) (r *model.Result, regrade bool) {
	return survey.Step(snap, prev, h, &table, passing)
}

// table is the table of recipe kinds: one row per file. Where evidence is equal, the earlier row wins.
var table = survey.Kinds{
	Rows: []survey.KindRow{lines.LockKind, lines.SharedLockKind, lines.SemaphoreKind, lines.ElectionKind, barrierKind,
		doubleBarrierKind, queueKind, priorityQueueKind, delayQueueKind, twoPhaseKind, membershipKind, serviceKind,
		configKind, rendezvousKind, counterKind, leaseKind},
	Single: lines.BuildSingle,
}
