package layout

import (
	"strings"
)

// Kind is what a recipe is for. The words are those of the JSON output.
type Kind string

// The kinds.
const (
	Lock          Kind = "lock"          // one holds, the others stand in line
	SharedLock    Kind = "sharedlock"    // many read or one writes
	Semaphore     Kind = "semaphore"     // up to a limit hold a lease
	Election      Kind = "election"      // one leads, the others stand by
	Barrier       Kind = "barrier"       // its znode stands: wait
	DoubleBarrier Kind = "doublebarrier" // all enter together and leave together
	Queue         Kind = "queue"         // items, first in first out
	PriorityQueue Kind = "priorityqueue" // items by priority
	DelayQueue    Kind = "delayqueue"    // items that fall due
	TwoPhase      Kind = "twophase"      // sites vote on a transaction
	Membership    Kind = "membership"    // who is there, in words a group
	Service       Kind = "service"       // instances that can be called
	Config        Kind = "config"        // one znode with a value
	Rendezvous    Kind = "rendezvous"    // one znode that is filled once
	Counter       Kind = "counter"       // one znode with a number
	Lease         Kind = "lease"         // held until a moment that is in its data
)

// Mode is how a claim on a lock excludes others.
type Mode string

// The modes.
const (
	Exclusive Mode = "exclusive" // nobody else may hold
	Read      Mode = "read"      // other readers may
	Write     Mode = "write"     // as Exclusive, where there are readers
)

// kindWords are the kinds whose code is no word that people use.
var kindWords = map[Kind]string{
	SharedLock:    "shared lock",
	DoubleBarrier: "double barrier",
	PriorityQueue: "priority queue",
	DelayQueue:    "delay queue",
	TwoPhase:      "two-phase commit",
	Membership:    "group",
	Config:        "configuration",
}

// Words returns what people call a kind, as in "the double barrier": texts use it, and JSON keeps the code.
func (k Kind) Words() string {
	if w := kindWords[k]; w != "" {
		return w
	}
	return string(k)
}

// OneOf returns the same with its article, as in "an election".
func (k Kind) OneOf() string {
	word := k.Words()
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
