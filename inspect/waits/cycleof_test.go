package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/script"
)

// ring is a deadlock of two sessions within one recipe.
func ring(m *model.Model) waits.Cycle {
	a, b := &m.Claims[0], &m.Claims[1]
	return waits.Cycle{Severity: model.High, Waits: []waits.Wait{
		{From: a.Session, To: b.Session, Waiter: a, Blocker: b, Model: m}, {From: b.Session, To: a.Session, Waiter: b, Blocker: a, Model: m}},
		Breaks: []waits.Break{{Session: a.Session, Claim: a, Path: m.Path}, {Session: b.Session, Claim: b, Path: m.Path}}}
}

// The same two sessions wait for each other in several recipes: each finding is of its own, and what is advised for it is a
// claim there.
func TestDeadlocksOfTheSameSessionsAreToldApart(t *testing.T) {
	r := script.Run(t, `/locks/a1/00000000000000000000000000000001__lock__0000000001 owner=A data="one" age=3h
/locks/a1/00000000000000000000000000000002__lock__0000000002 owner=B data="two" age=2h
/locks/a2/00000000000000000000000000000005__lock__0000000001 owner=A data="one" age=3h
/locks/a2/00000000000000000000000000000006__lock__0000000002 owner=B data="two" age=2h
`).Waits.Result
	one, two := ring(r.ByPath("/locks/a1")), ring(r.ByPath("/locks/a2"))
	w := &waits.Waits{Result: r, Cycles: []waits.Cycle{one, two}}
	for i, c := range []waits.Cycle{one, two} {
		f := c.Finding(map[znode.SessionID]string{})
		if got := w.CycleOf(&f); got != &w.Cycles[i] {
			t.Errorf("that of %v is %v", f.Paths, got)
		}
	}
	f := one.Finding(map[znode.SessionID]string{})
	f.Paths = []string{"/locks/c"}
	if w.CycleOf(&f) != nil {
		t.Error("a finding of another recipe has a cycle")
	}
	f = one.Finding(map[znode.SessionID]string{})
	again := ring(r.ByPath("/locks/a1"))
	w.Cycles = append(w.Cycles, again)
	if w.CycleOf(&f) != &w.Cycles[2] {
		t.Error("two that are best ended alike are told apart")
	}
	w.Cycles[2].Victim = 1
	if w.CycleOf(&f) != nil {
		t.Error("which claim is to be broken is not known, and one is named")
	}
	if f.Code = string(layout.Lock); w.CycleOf(&f) != nil {
		t.Error("a finding of another kind has a cycle")
	}
}
