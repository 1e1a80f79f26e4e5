package actions

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
)

// kindRow is what can be done in and to recipes of a kind.
type kindRow struct {
	parts   []part         // the ways to take part; the first is the default
	dialect layout.Dialect // to take part in where nothing stands yet; empty: the kind is spelled in one alone
	ids     bool           // members are spelled as ids alone

	claim  []*way // what can be done to a claim, besides asking and breaking
	recipe []*way // what can be done to the recipe as a whole
	tells  []Verb // verbs that say that it is one: nothing else may tell
}

// kinds is the table of kinds.
var kinds map[layout.Kind]kindRow

func init() {
	name := Inputs{Name: true}
	item, anything := Inputs{Data: "the item"}, "may be empty"
	kinds = map[layout.Kind]kindRow{
		layout.Lock: {dialect: layout.ZooKeeper, parts: []part{{about: "hold it alone", enter: enterLock, uses: name}}},
		layout.SharedLock: {dialect: layout.ZooKeeper, parts: []part{{PartWrite, "hold it alone", nil, enterShared, name},
			{PartRead, "hold it with other readers", nil, enterShared, name}}},
		layout.Semaphore: {dialect: layout.Curator, parts: []part{{about: "hold one lease", lacks: negative,
			enter: enterSemaphore, uses: Inputs{Name: true, Count: "how many may hold it, where that is not stored"}}}},
		layout.Election: {dialect: layout.ZooKeeper, parts: []part{{about: "stand for election, and lead",
			enter: enterElection, uses: name}}},
		layout.Barrier: {recipe: []*way{&openBarrier, &closeBarrier}, tells: []Verb{VerbOpen, VerbClose}, parts: []part{
			{part: PartWait, about: "wait until it is open", enter: enterBarrier},
			{part: PartSet, about: "close it, and open it when leaving", enter: setBarrier}}},
		layout.DoubleBarrier: {dialect: layout.ZooKeeper, ids: true, recipe: []*way{&clean}, parts: []part{{
			about: "enter with the others, leave with the others", lacks: countless, enter: enterDouble,
			uses: Inputs{Name: true, Count: "how many it takes"}}}},
		layout.Queue: {dialect: layout.ZooKeeper, claim: []*way{&skip, &requeue}, recipe: []*way{&clean}, parts: []part{
			{part: PartConsumer, about: "take an item and work on it", enter: consume(first)},
			{PartProducer, "put an item", dataless, produce(putLast), item}}},
		layout.PriorityQueue: {dialect: layout.ZooKeeper, claim: []*way{&skip, &requeue}, recipe: []*way{&clean}, parts: []part{
			{part: PartConsumer, about: "take the most urgent item", enter: consume(mostUrgent)},
			{PartProducer, "put an item", dataless, produce(putUrgent), item}}},
		layout.DelayQueue: {dialect: layout.Curator, claim: []*way{&skip, &requeue}, parts: []part{
			{part: PartConsumer, about: "take an item that is due", enter: consume(firstDue)},
			{PartProducer, "put an item", dataless, produce(putDue), item}}},
		layout.TwoPhase: {claim: []*way{&vote, &abort}, tells: []Verb{VerbAbort}, parts: []part{
			{PartSite, "vote, and learn the verdict", nameless, enterSite,
				Inputs{Name: true, Data: "commit or abort; empty: you vote later"}},
			{PartCoordinator, "begin it, and decide", siteless, coordinate,
				Inputs{Count: "how many sites", Data: "what it is about; " + anything}}}},
		layout.Membership: {dialect: layout.ZooKeeper, ids: true, parts: []part{{about: "be a member", enter: enterGroup,
			uses: Inputs{Name: true, Data: "what your znode holds; " + anything}}}},
		layout.Service: {parts: []part{{about: "be an instance", lacks: addressless, enter: enterService,
			uses: Inputs{Name: true, Data: "where it listens, as host:port"}}}},
		layout.Config: {claim: []*way{&setValue}, parts: []part{
			{part: PartWait, about: "wait for the next value", enter: awaitValue},
			{PartSet, "set the value", dataless, setConfig, Inputs{Data: "the value"}}}},
		layout.Rendezvous: {claim: []*way{&setValue}, parts: []part{
			{part: PartWait, about: "wait until it is filled", enter: awaitRendezvous},
			{PartFill, "fill it", dataless, fillRendezvous, Inputs{Data: "what it is filled with"}},
			{part: PartSet, about: "arrange it, and hold it", enter: arrange}}},
		layout.Counter: {claim: []*way{&setValue}, parts: []part{
			{PartWrite, "add to it", numberless, addCounter, Inputs{Data: "how much is added, as 1 or -1"}},
			{part: PartRead, about: "read it", enter: readCounter}}},
	}
}

// Expected returns the kind of recipe that a verb says stands at its path: such kinds may be known by nothing else. ok is
// false for a verb that says nothing.
func Expected(v Verb) (k layout.Kind, ok bool) {
	for k, row := range kinds {
		if slices.Contains(row.tells, v) {
			return k, true
		}
	}
	return "", false
}
