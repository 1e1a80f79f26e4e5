package model

import (
	"strconv"

	"github.com/zkscope/zkscope/inspect/say"
)

// Reason is why a claim has its role or what it waits for, in the words of the output.
type Reason uint8

// The reasons. Words has those of each, but for what it takes to name the claims ahead.
const (
	Unsaid Reason = iota
	Lowest
	FirstToArrive
	NoWriterAhead
	UnlessOld
	Downgraded
	MayRead
	AmongFirst
	Behind
	BehindWriter
	BehindLater
	Created
	ItemsAhead
	DataSays
	DataHidden
	NextItem
	NextOfShard
	HasLeaseNow
	LimitUnknown
	FirstForLease
	FirstBehindHolders
	BehindInLine
	AsSession
	HasCome
	ThereAtOpening
	CameLater
	MayBeOutside
	Registered
	RegisteredForGood
	LeadingInstance
	Electing
	EveryReplica
	ActiveReplica
	UntilTouch
	BarrierStands
	IsConfiguration
	IsUnconfigured
	IsCount
	IsNoNumber
	IsFraction
	IsNoCount
	SaysWhere
	IsUnfilled
	IsPrepared
	IsFinished
	VotesUnread
	VotesNotYet
	VotesCommit
	VotesAbort

	lastReason = VotesAbort
)

// reasonWords are the words of those that need no other claim, and what a Turn says of those that do.
var reasonWords = [...]string{
	Lowest:            "lowest sequence",
	FirstToArrive:     "first to arrive",
	NoWriterAhead:     "no writer ahead",
	UnlessOld:         "no writer ahead, but kazoo before 2.9 may wait for a later one",
	Downgraded:        "its session holds the write lock too (downgrade)",
	MayRead:           "waits for its own session's writer",
	AmongFirst:        "among the first that may hold together",
	Behind:            "waits for the one ahead",
	BehindWriter:      "waits for a writer ahead",
	BehindLater:       "waits for a writer behind it",
	Created:           "created the znode; whoever else wants it leaves none",
	DataSays:          "its data says so",
	DataHidden:        "its data could not be read",
	NextItem:          "next to be taken",
	NextOfShard:       "next to be taken from its shard",
	HasLeaseNow:       "has a lease",
	LimitUnknown:      "the limit is not stored: holds unless it is lower",
	FirstForLease:     "first in line for a lease",
	AsSession:         "there as long as its session is",
	HasCome:           "has come",
	ThereAtOpening:    "was there when the barrier opened",
	CameLater:         "came when the barrier was open",
	MayBeOutside:      "not known to be inside: kazoo does not look at a ready that was there before",
	Registered:        "registered by its session",
	RegisteredForGood: "registered for good: it stays when its process dies",
	LeadingInstance:   "registered as the leading instance",
	Electing:          "is electing",
	EveryReplica:      "a marker, and no claim: every active replica leads",
	ActiveReplica:     "the replica is active",
	UntilTouch:        "there until its time to live is over: it makes touch again",
	BarrierStands:     "the barrier's znode is there: closed",
	IsConfiguration:   "its data is the configuration",
	IsUnconfigured:    "nothing is configured yet",
	IsCount:           "its data is the count",
	IsNoNumber:        "its data is not a number",
	IsFraction:        "its data is a number with a fraction",
	IsNoCount:         "it has no data: 0 to kazoo's Counter, unset to others",
	SaysWhere:         "its data says where to meet",
	IsUnfilled:        "nobody has filled it yet",
	IsPrepared:        "is prepared",
	IsFinished:        "is prepared and has finished",
	VotesUnread:       "its vote could not be read",
	VotesNotYet:       "has not voted yet",
	VotesCommit:       "votes commit",
	VotesAbort:        "votes abort: that decides",
}

// Words returns the reason in words that name no other claim.
func (r Reason) Words() string { return reasonWords[r] }

// text says a reason of a claim.
func (r Reason) text(c *Claim) string {
	n := int(c.to - c.from)
	switch {
	case r == ItemsAhead:
		return say.Plural(c.Position(), "item is", "items are") + " ahead"
	case !r.waits() || n == 0:
		return reasonWords[r]
	case r == FirstBehindHolders && n > 1:
		return "first in line: waits for one of " + strconv.Itoa(n) + " holders to let go"
	}
	ahead := c.Ahead()
	who := say.Printable(ahead.Owner())
	switch r {
	case FirstBehindHolders:
		return "first in line behind " + who
	case BehindInLine:
		return "waits in line behind " + who
	}
	who += " (" + ahead.seqText() + ")"
	switch {
	case r == MayRead:
		return "behind a writer of its own session, " + who + ": it reads already if the same thread wrote (downgrade)"
	case r == BehindLater && ahead.writersBehind():
		return "waits for a writer behind it, " + who + ": kazoo before 2.9 waits for the writer that was last in line when it looked"
	case r == BehindLater:
		return "waits for a writer behind it, " + who + ": kazoo before 2.9 waits for the last writer in line"
	case r == BehindWriter:
		return "a writer is ahead: " + who
	case n > 1:
		return "waits for " + strconv.Itoa(n) + " readers, the last is " + who
	}
	return "waits for " + who
}

// waits reports whether the reason is that others must go first.
func (r Reason) waits() bool {
	return r == Behind || r == BehindWriter || r == BehindLater || r == MayRead || r == FirstBehindHolders ||
		r == BehindInLine
}
