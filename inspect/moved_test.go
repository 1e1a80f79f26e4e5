package inspect

import (
	"strings"
	"testing"
	"time"
)

// waitingRun is a run in which b waits behind a, and every round of the servers lists all watches.
func waitingRun(t *testing.T) (round func(text string) *Claim) {
	const dir = "/locks/l/"
	s := newStage(t)
	s.apply("@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=yes\n@session B addr=10.0.0.2:1 connected=yes\n@nowatches\n" +
		dir + "00000000000000000000000000000001__lock__0000000000 owner=A\n" + dir + "00000000000000000000000000000002__lock__0000000001 owner=B")
	var res *Result
	return func(text string) *Claim {
		t.Helper()
		s.apply("@now +5s\n@nowatches\n" + text)
		s.snap.AskedAt = s.snap.TakenAt.Add(-time.Second)
		res = Decode(s.snapshot(), res, s.hints)
		m := res.ByPath("/locks/l")
		if lost := m.finding(CodeLostWaiter) != nil; lost != (m.Claims[len(m.Claims)-1].Proof() == Refuted) {
			t.Fatalf("%+v", m.Findings)
		}
		return &m.Claims[len(m.Claims)-1]
	}
}

// A client that changes servers is missed by both for a moment: lists that were made before, while and when it had only
// just come back are no two lists that lack its watch.
func TestAListIsWorthNothingAroundAMove(t *testing.T) {
	for name, rounds := range map[string]string{
		"gone and back":           "here|gone|there",
		"gone, and back":          "here|gone|gone|there",
		"moved":                   "here|there",
		"moved twice":             "here|there|here",
		"only just moved, missed": "here|here2",
		"told by nobody":          "here|unknown|here",
	} {
		round := waitingRun(t)
		steps := map[string]string{
			"here": "@session B addr=10.0.0.2:1 connected=yes", "there": "@session B addr=10.0.0.2:2 connected=yes",
			"gone": "@session B addr=10.0.0.2:1 connected=no", "here2": "@session B addr=10.0.0.2:3 connected=yes", "unknown": "@session B",
		}
		for step := range strings.SplitSeq(rounds, "|") {
			if c := round(steps[step]); c.Proof() != Likely {
				t.Errorf("%s: %s after %s", name, c.Proof(), step)
			}
		}
	}
}

// Two lists by the same connection refute its wait; that stays so when it moves, until its watch is seen.
func TestAWaitIsRefutedByTwoListsOfOneConnection(t *testing.T) {
	round := waitingRun(t)
	for _, step := range []struct {
		text string
		want Proof
	}{
		{"@session B addr=10.0.0.2:2 connected=yes", Likely},
		{"@session B addr=10.0.0.2:3 connected=yes", Likely},
		{"", Likely},
		{"", Refuted},
		{"@session B addr=10.0.0.2:4 connected=yes", Refuted},
		{"@watch /locks/l/00000000000000000000000000000001__lock__0000000000 B", Proven},
		{"", Likely},
	} {
		if c := round(step.text); c.Proof() != step.want {
			t.Fatalf("%s after %q, want %s", c.Proof(), step.text, step.want)
		}
	}
}
