package story

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
)

// verdict says in one sentence how a recipe stands and the worst that is wrong with it.
func verdict(m *model.Model, cycle *waits.Cycle, now time.Time) string {
	text := say.Printable(m.Path) + " is " + m.Kind.OneOf() + ", " + m.Phase()
	if says := strings.TrimPrefix(m.Summary(now), m.Phase()+": "); says != m.Phase() {
		text += ": " + says
	}
	if worst := trouble(m, cycle); worst != "" {
		text += "; " + worst
	}
	return text + "."
}

// trouble is the worst that is wrong; empty where nothing of weight was found.
func trouble(m *model.Model, cycle *waits.Cycle) string {
	if cycle != nil && cycle.Severity > model.Low {
		return "this looks like a deadlock"
	}
	head := model.FirstHolder(m)
	for i := range m.Findings { // what hurts most first
		f := &m.Findings[i]
		if f.Severity < model.Medium {
			continue
		}
		if short := inShort[f.Code]; short != "" {
			return short
		}
		if short := ofHolder[f.Code]; short != "" && head != nil && slices.Contains(f.Paths, head.Path()) {
			return short
		}
	}
	return ""
}

// ofHolder says what findings come to that are about who holds.
var ofHolder = map[string]string{
	model.CodeLeakedClaim:       "who holds has probably forgotten it",
	model.CodePersistentClaim:   "no session owns the claim",
	model.CodeOwnerDisconnected: "its owner has no connection",
	model.CodeOwnerSilent:       "its owner is silent",
	model.CodeOwnerRestarted:    "its owner was probably restarted",
	model.CodeOrphanEphemeral:   "no server has its owner's session",
	model.CodeRevokePending:     "its holder was asked to let go and has not",
}

// inShort says what some findings come to, for a sentence that is about the recipe. What is not here says it better in
// full.
var inShort = map[string]string{
	model.CodeLostWaiter:     "somebody in line does not watch for its turn",
	model.CodePhantomClaim:   "one session is in line twice",
	model.CodeSelfWait:       "one session waits for itself",
	model.CodeDowngraded:     "whoever held it waits again and may not know",
	model.CodeOverLimit:      "more clients hold it than its limit allows",
	model.CodeOverThreshold:  "a threshold is exceeded",
	model.CodeHeldLong:       "it is held far longer than usual",
	model.CodeLeaderMismatch: "the leader that is announced is another",
	model.CodeMixedDialects:  "its clients may not see each other",
	model.CodeSeqStuck:       "nobody can join",
	model.CodeSeqWrapped:     "its clients may disagree on who is first",
	model.CodePoisonHead:     "its head was taken several times and is not done",
	model.CodeStaleReady:     "a ready from an earlier round is left over",
}
