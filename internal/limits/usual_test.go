package limits_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/script"
)

// usually is a recipe that was held so many times for three seconds at most.
func usually(path string, times int) limits.Terms {
	return limits.Terms{Usual: map[string]limits.Usual{path: {P95: 3 * time.Second, Times: times, Over: 7 * 24 * time.Hour}}}
}

// A single znode that is a lock is held since it was made.
func TestAClaimThatHoldsFarLongerThanUsualIsFound(t *testing.T) {
	const tree = "/locks/one owner=A data=\"web-1\" age=2m\n/elect/leader/latch-0000000001 owner=B data=\"b\" age=5h\n"
	r := script.Run(t, tree).Waits.Result
	terms := usually("/locks/one", 214)
	got := found(terms.Apply(r), model.CodeHeldLong)
	if len(got) != 1 || got[0] != "medium /locks/one: web-1 holds for 2m: 40 × its usual time (p95 of 7 days: 3.0s, n 214)" {
		t.Errorf("%q", got)
	}
	today := limits.Terms{Usual: map[string]limits.Usual{"/locks/one": {P95: 362 * time.Millisecond, Times: 31, Over: 9 * time.Hour}}}
	if got := found(today.Apply(r), model.CodeHeldLong); len(got) != 1 || !strings.HasSuffix(got[0], "(p95 of today: 0.4s, n 31)") {
		t.Errorf("%q", got)
	}
	for name, terms := range map[string]limits.Terms{
		"too few times":    usually("/locks/one", limits.UsualLeast-1),
		"another recipe":   usually("/locks/two", 214),
		"an election":      usually("/elect/leader", 214),
		"left out by code": {Usual: terms.Usual, Rules: []limits.Rule{{Code: model.CodeHeldLong}}},
	} {
		if got := found(terms.Apply(r), model.CodeHeldLong); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	terms = limits.Terms{Usual: terms.Usual, Rules: []limits.Rule{{Code: model.CodeHeldLong, Severity: model.High}}}
	if got := found(terms.Apply(r), model.CodeHeldLong); len(got) != 1 || !strings.HasPrefix(got[0], "high ") {
		t.Errorf("weighed by code: %q", got)
	}
}

// Of who held before anybody looked it is not known since when: what was seen counts, and no more.
func TestOfAHolderThatWasThereFirstOnlyWhatWasSeenCounts(t *testing.T) {
	const tree = "/locks/a/00000000000000000000000000000001__lock__0000000001 owner=A data=\"web-1\" age=3h\n"
	first := script.Run(t, tree).Waits.Result
	terms := usually("/locks/a", 20)
	for after, want := range map[time.Duration]int{0: 0, 29 * time.Second: 0, 30 * time.Second: 1} {
		later := *first.Snapshot
		later.TakenAt = later.TakenAt.Add(after)
		got := found(terms.Apply(inspect.Decode(&later, first, model.Hints{})), model.CodeHeldLong)
		if len(got) != want || want == 1 && !strings.HasSuffix(got[0], "(since when exactly was not seen): at least 10 × its usual time (p95 of 7 days: 3.0s, n 20)") {
			t.Errorf("after %v: %q", after, got)
		}
	}
}

// While the tree stands still and servers are asked again and again, what lasts grows older.
func TestWhatLastsIsWeighedAsOfTheLastAnswer(t *testing.T) {
	r := script.Run(t, "/locks/one owner=A data=\"web-1\" age=20s\n").Waits.Result
	terms := usually("/locks/one", 214)
	if got := found(terms.Apply(r), model.CodeHeldLong); len(got) > 0 {
		t.Fatalf("%q", got)
	}
	asked := *r.Snapshot
	asked.AskedAt = asked.TakenAt.Add(time.Minute)
	terms.Rules = []limits.Rule{{Severity: model.High, From: "x:1", Most: map[limits.Measure]int64{limits.Held: int64(time.Minute)}}}
	after := terms.Apply(inspect.Decode(&asked, r, model.Hints{}))
	for _, code := range []string{model.CodeHeldLong, model.CodeOverThreshold} {
		if got := found(after, code); len(got) != 1 {
			t.Errorf("%s: %q", code, got)
		}
	}
}
