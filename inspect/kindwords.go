package inspect

import "strings"

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
