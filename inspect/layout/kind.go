package layout

import (
	"strings"
)

// Kind is what a recipe is for. The words are those of the JSON output.
type Kind string

const (
	Lock          Kind = "lock"
	SharedLock    Kind = "sharedlock"
	Semaphore     Kind = "semaphore"
	Election      Kind = "election"
	Barrier       Kind = "barrier"
	DoubleBarrier Kind = "doublebarrier"
	Queue         Kind = "queue"
	PriorityQueue Kind = "priorityqueue"
	DelayQueue    Kind = "delayqueue"
	TwoPhase      Kind = "twophase"
	Membership    Kind = "membership"
	Service       Kind = "service"
	Config        Kind = "config"
	Rendezvous    Kind = "rendezvous"
	Counter       Kind = "counter"
	Lease         Kind = "lease"
)

// Mode is how a claim on a lock excludes others.
type Mode string

const (
	Exclusive Mode = "exclusive"
	Read      Mode = "read"
	Write     Mode = "write"
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
