package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The delay queue: an item is taken once its moment has come.
//
// Layout:
//
//	queue-|<milliseconds since the epoch, capital hex digits>|<seq>     Curator DistributedDelayQueue
//
// DistributedIdQueue spells its items the same with an id of the user's; an id that reads as a moment of
// the years 1990 to 2200 makes a delay queue. Items are served by their moment; whether one is due follows
// from the snapshot's clock, which need not be the consumers'.
var delayQueueKind = survey.KindRow{Kind: layout.DelayQueue, Weigh: weighDelayQueue, Build: buildDelayQueue}

func weighDelayQueue(x *survey.Dir) []survey.Evidence { return weighItems(x, layout.DelayQueue) }

func buildDelayQueue(x *survey.Dir, why []survey.Evidence) *model.Model {
	return queueOf(x, layout.DelayQueue, why).build()
}
