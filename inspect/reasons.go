package inspect

import "strconv"

// reason is why a claim has its role or what it waits for, in the words of the output.
type reason uint8

const (
	unsaid reason = iota
	lowest
	firstToArrive
	noWriterAhead
	unlessOld
	downgraded
	mayRead
	amongFirst
	behind
	behindWriter
	behindLater
	created
	itemsAhead
	dataSays
	dataHidden
	nextItem
	nextOfShard
	hasLeaseNow
	limitUnknown
	firstForLease
	firstBehindHolders
	behindInLine
	asSession
	hasCome
	thereAtOpening
	cameLater
	registered
	registeredForGood
	leadingInstance
	electing
	everyReplica
	activeReplica
	untilTouch
	barrierStands
	isConfiguration
	isUnconfigured
	isCount
	isNoNumber
	isFraction
	isNoCount
	saysWhere
	isUnfilled
	isPrepared
	isFinished
	votesUnread
	votesNotYet
	votesCommit
	votesAbort

	lastReason = votesAbort
)

// reasons are the words of those that need no other claim, and what Turn says of those that do.
var reasons = [...]string{
	lowest:            "lowest sequence",
	firstToArrive:     "first to arrive",
	noWriterAhead:     "no writer ahead",
	unlessOld:         "no writer ahead, but kazoo before 2.9 may wait for a later one",
	downgraded:        "its session holds the write lock too (downgrade)",
	mayRead:           "waits for its own session's writer",
	amongFirst:        "among the first that may hold together",
	behind:            "waits for the one ahead",
	behindWriter:      "waits for a writer ahead",
	behindLater:       "waits for a writer behind it",
	created:           "created the znode; whoever else wants it leaves none",
	dataSays:          "its data says so",
	dataHidden:        "its data could not be read",
	nextItem:          "next to be taken",
	nextOfShard:       "next to be taken from its shard",
	hasLeaseNow:       "has a lease",
	limitUnknown:      "the limit is not stored: holds unless it is lower",
	firstForLease:     "first in line for a lease",
	asSession:         "there as long as its session is",
	hasCome:           "has come",
	thereAtOpening:    "was there when the barrier opened",
	cameLater:         "came when the barrier was open",
	registered:        "registered by its session",
	registeredForGood: "registered for good: it stays when its process dies",
	leadingInstance:   "registered as the leading instance",
	electing:          "is electing",
	everyReplica:      "a marker, and no claim: every active replica leads",
	activeReplica:     "the replica is active",
	untilTouch:        "there until its time to live is over: it makes touch anew",
	barrierStands:     "the barrier's znode stands: closed",
	isConfiguration:   "its data is the configuration",
	isUnconfigured:    "nothing is configured yet",
	isCount:           "its data is the count",
	isNoNumber:        "its data is not a number",
	isFraction:        "its data is a number with a fraction",
	isNoCount:         "it has no data: 0 to kazoo's Counter, unset to others",
	saysWhere:         "its data says where to meet",
	isUnfilled:        "nobody has filled it yet",
	isPrepared:        "is prepared",
	isFinished:        "is prepared and has finished",
	votesUnread:       "its vote could not be read",
	votesNotYet:       "has not voted yet",
	votesCommit:       "votes commit",
	votesAbort:        "votes abort: that decides",
}

// text says a reason of a claim.
func (r reason) text(c *Claim) string {
	n := int(c.to - c.from)
	switch {
	case r == itemsAhead:
		return plural(c.Position(), "item is", "items are") + " ahead"
	case !r.waits() || n == 0:
		return reasons[r]
	case r == firstBehindHolders && n > 1:
		return "first in line: waits for one of " + strconv.Itoa(n) + " holders to let go"
	}
	ahead := c.Ahead()
	who := Printable(ahead.Owner())
	switch r {
	case firstBehindHolders:
		return "first in line behind " + who
	case behindInLine:
		return "waits in line behind " + who
	}
	who += " (" + ahead.seqText() + ")"
	switch {
	case r == mayRead:
		return "behind a writer of its own session, " + who + ": it reads already if the same thread wrote (downgrade)"
	case r == behindLater:
		return "waits for a writer behind it, " + who + ": kazoo before 2.9 waits for the last writer in line"
	case r == behindWriter:
		return "a writer is ahead: " + who
	case n > 1:
		return "waits for " + strconv.Itoa(n) + " readers, the last is " + who
	}
	return "waits for " + who
}

// waits reports whether the reason is that others must go first.
func (r reason) waits() bool {
	return r == behind || r == behindWriter || r == behindLater || r == mayRead || r == firstBehindHolders || r == behindInLine
}
