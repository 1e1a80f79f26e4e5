package inspect

// The delay queue: an item is taken once its moment has come.
//
// Layout:
//
//	queue-|<milliseconds since the epoch, capital hex digits>|<seq>     Curator DistributedDelayQueue
//
// DistributedIdQueue spells its items the same with an id of the user's; an id that reads as a moment of
// the years 1990 to 2200 makes a delay queue. Items are served by their moment; whether one is due follows
// from the snapshot's clock, which need not be the consumers'.
var delayQueueKind = kindRow{kind: DelayQueue, weigh: weighDelayQueue, build: buildDelayQueue}

func weighDelayQueue(x *dir) []Evidence { return x.weighItems(DelayQueue) }

func buildDelayQueue(x *dir, why []Evidence) *Model { return x.queueOf(DelayQueue, why).build() }
