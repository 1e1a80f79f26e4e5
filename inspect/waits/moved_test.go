package waits_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

// waitingRun is a run in which b waits behind a, and every round of the servers lists all watches.
func waitingRun(t *testing.T) (round func(text string) *model.Claim) {
	const dir = "/locks/l/"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=yes\n@session B addr=10.0.0.2:1 connected=yes\n@nowatches\n" +
		dir + "00000000000000000000000000000001__lock__0000000000 owner=A\n" + dir +
		"00000000000000000000000000000002__lock__0000000001 owner=B")
	var res *model.Result
	return func(text string) *model.Claim {
		t.Helper()
		s.Apply("@now +5s\n@nowatches\n" + text)
		s.Snap.AskedAt = s.Snap.TakenAt.Add(-time.Second)
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		m := res.ByPath("/locks/l")
		if lost := m.Finding(model.CodeLostWaiter) != nil; lost != (m.Claims[len(m.Claims)-1].Proof() == model.Refuted) {
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
			"gone": "@session B addr=10.0.0.2:1 connected=no", "here2": "@session B addr=10.0.0.2:3 connected=yes",
			"unknown": "@session B",
		}
		for step := range strings.SplitSeq(rounds, "|") {
			if c := round(steps[step]); c.Proof() != model.Likely {
				t.Errorf("%s: %s after %s", name, c.Proof(), step)
			}
		}
	}
}

// Two lists by the same connection refute its wait, the first of which may be the one that shows the connection first;
// that stays so when it moves, until its watch is seen.
func TestAWaitIsRefutedByTwoListsOfOneConnection(t *testing.T) {
	round := waitingRun(t)
	for _, step := range []struct {
		text string
		want model.Proof
	}{
		{"@session B addr=10.0.0.2:2 connected=yes", model.Likely},
		{"@session B addr=10.0.0.2:3 connected=yes", model.Likely},
		{"", model.Refuted},
		{"@session B addr=10.0.0.2:4 connected=yes", model.Refuted},
		{"@watch /locks/l/00000000000000000000000000000001__lock__0000000000 B", model.Proven},
		{"", model.Likely},
	} {
		if c := round(step.text); c.Proof() != step.want {
			t.Fatalf("%s after %q, want %s", c.Proof(), step.text, step.want)
		}
	}
}

// A session that takes an item after the servers were asked is younger than their answer: it is not said to be gone.
func TestASessionYoungerThanTheAnswerIsNotGone(t *testing.T) {
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=yes\n/q/entries/entry-100-0000000000 data=\"x\"\n/q/taken\n")
	s.Snap.AskedAt = s.Snap.TakenAt.Add(-time.Second)
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	for _, step := range []struct {
		text string
		gone bool
	}{
		{"@now +3s\n/q/taken/entry-100-0000000000 owner=B", false},
		{"@now +1s\n@session C addr=10.0.0.3:1 connected=yes", true},
	} {
		s.Apply(step.text)
		if step.gone {
			s.Snap.AskedAt = s.Snap.TakenAt.Add(-500 * time.Millisecond)
		}
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		if f := res.ByPath("/q").Finding(model.CodeOrphanEphemeral); (f != nil) != step.gone {
			t.Errorf("after %q: %+v, want it told: %v", step.text, f, step.gone)
		}
	}
}

// The members' lists are of different moments: who is in only one of two rounds is not part of a herd.
func TestAHerdIsThereInTwoLists(t *testing.T) {
	const head = "/locks/l/00000000000000000000000000000001__lock__0000000000"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n" + head + " owner=A\n@watch " + head + " B")
	for i, who := range "BCD" {
		s.Apply(fmt.Sprintf("/locks/l/%032x__lock__%010d owner=%c", i+2, i+1, who))
	}
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	for _, step := range []struct {
		watches string
		herd    bool
	}{{"B C", false}, {"C D", false}, {"C D", true}, {"", true}, {"C", false}} {
		s.Apply("@now +5s")
		if step.watches != "" {
			s.Apply("@nowatches\n@watch " + head + " " + step.watches)
		} else {
			s.Apply("/locks/l/00000000000000000000000000000009__lock__0000000009 owner=E")
		}
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		if f := res.ByPath("/locks/l").Finding(model.CodeHerd); (f != nil) != step.herd {
			t.Errorf("%q: %+v, want a herd: %v", step.watches, f, step.herd)
		}
	}
}

// A list of watches is older than what its sessions did since: how many wake is not known then.
func TestWhoMovedSinceTheListIsNotCountedAsWoken(t *testing.T) {
	const head, next = "/locks/l/00000000000000000000000000000001__lock__0000000000",
		"/locks/l/00000000000000000000000000000002__lock__0000000001"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n" + head + " owner=A\n" + next +
		" owner=B\n@watch " + head + " B")
	s.Snap.AskedAt = s.Snap.TakenAt.Add(time.Second)
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	wakes := func() *int { m := res.ByPath("/locks/l"); f := waits.FateOf(res, m, &m.Claims[0]); return f.Wakes }
	if n := wakes(); n == nil || *n != 1 {
		t.Fatalf("%v", n)
	}
	s.Apply("@now +2s\n- " + next)
	res = inspect.Decode(s.Snapshot(), res, s.Hints)
	if n := wakes(); n != nil {
		t.Errorf("%d wake; the only one that was seen to watch has gone since", *n)
	}
}

// A claim that was given up leaves its watch behind: what the session watched before another of its claims came to wait
// there does not prove that this one does.
func TestAWatchThatWasThereBeforeProvesNothing(t *testing.T) {
	const dir = "/locks/l/"
	head, given, forgotten := dir+"00000000000000000000000000000001__lock__0000000000", dir+
		"00000000000000000000000000000002__lock__0000000001", dir+"00000000000000000000000000000003__lock__0000000002"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n" + head + " owner=A\n" + given +
		" owner=B\n@watch " + head + " B")
	lastIsProven(t, s, []proofStep{
		{"@now +5s\n@nowatches\n@watch " + head + " B", model.Proven},
		{"@now +1s\n- " + given, ""},
		{"@now +1s\n" + forgotten + " owner=B", model.Likely},
		{"@now +5s\n@nowatches\n@watch " + head + " B", model.Likely},
		{"@now +5s\n@nowatches", model.Likely},
		{"@now +5s\n@nowatches\n@watch " + head + " B", model.Proven},
	})
}

// Where two dialects share the line what a client watches is hidden, but the watch that its session had before is as
// much over once it is gone: the next one is the claim's own.
func TestAWatchThatWasThereBeforeIsOverOnceItIsGone(t *testing.T) {
	const head, given = "/locks/l/lock-0000000001", "/locks/l/lock-0000000003"
	const forgotten = "/locks/l/_c_0123abcd-1111-4222-8333-44445555aaaa-lock-0000000005"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n" + head + " owner=A\n" + given +
		" owner=B\n@watch " + head + " B")
	lastIsProven(t, s, []proofStep{
		{"@now +1s\n- " + given, ""},
		{"@now +1s\n" + forgotten + " owner=B", model.Likely},
		{"@now +5s\n@nowatches\n@watch " + head + " B", model.Likely},
		{"@now +5s\n@nowatches", model.Likely},
		{"@now +5s\n@nowatches\n@watch " + head + " B", model.Proven},
	})
}

// proofStep is what happens, and how sure the wait of the last in line is then.
type proofStep struct {
	text string
	want model.Proof
}

// lastIsProven goes step by step, with a round of questions before each.
func lastIsProven(t *testing.T, s *script.Tree, steps []proofStep) {
	t.Helper()
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	for _, step := range steps {
		s.Apply(step.text)
		s.Snap.AskedAt = s.Snap.TakenAt.Add(-time.Second)
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		m := res.ByPath("/locks/l")
		if c := &m.Claims[len(m.Claims)-1]; c.Proof() != step.want {
			t.Fatalf("%s after %q, want %s", c.Proof(), step.text, step.want)
		}
	}
}

// A client that stands still altogether does not hear that the claim ahead went: it is not said for sure that it lost
// its watch before its session is heard again and its client was seen to work, or that took too long.
func TestWhoWasNotHeardSinceMayOnlyStandStill(t *testing.T) {
	const dir = "/locks/l/"
	head, next, mine := dir+"00000000000000000000000000000001__lock__0000000000", dir+
		"00000000000000000000000000000002__lock__0000000001", dir+"00000000000000000000000000000003__lock__0000000002"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@session C connected=yes\n" +
		head + " owner=A\n" + next + " owner=B\n" + mine + " owner=C\n@watch " + next + " C\n@watch " + head + " B")
	var res *model.Result
	look := func(text string, heard time.Duration, code string, want model.Severity) {
		t.Helper()
		s.Apply(text)
		s.Snap.AskedAt = s.Snap.TakenAt.Add(-500 * time.Millisecond)
		c := s.Snap.Sessions[script.SessionNamed(t, "C")]
		c.Timeout, c.Within = 30*time.Second, 100*time.Millisecond
		c.ExpiresAt = s.Snap.AskedAt.Add(c.Timeout - heard)
		s.Snap.Sessions[c.ID] = c
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		got := model.Severity(0)
		if f := res.ByPath("/locks/l").Finding(code); f != nil {
			got = f.Severity
		}
		if got != want {
			t.Fatalf("after %q: %s, want %s: %+v", text, got, want, res.ByPath("/locks/l").Findings)
		}
	}
	lists := "\n@nosession C\n@session C connected=yes\n@nowatches\n@watch " + head + " B"
	look("@now +5s", 4*time.Second, model.CodeLostWaiter, 0)
	look("@now +1s\n- "+next, 5*time.Second, model.CodeLostWaiter, 0)
	look("@now +5s"+lists, 10*time.Second, model.CodeLostWaiter, 0)
	look("@now +5s"+lists, 15*time.Second, model.CodeLostWaiter, model.Medium)
	look("@now +5s"+lists, time.Second, model.CodeLostWaiter, model.Medium)
	look("@now +50s"+lists, time.Second, model.CodeLostWaiter, model.High)
	look("@now +1s\n- "+head, 2*time.Second, model.CodeLeakedClaim, model.Medium)
	look("@now +5s"+lists, 2*time.Second, model.CodeLeakedClaim, model.Medium)
}
