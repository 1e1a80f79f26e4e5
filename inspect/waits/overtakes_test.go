package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// Leases are given to whoever finds one free: that one was served before others that had waited longer is told of a
// lock, and is nothing to tell of a semaphore.
func TestLeasesOvertakeNobody(t *testing.T) {
	line := kazooSem(1, "A", "BCD")
	s := script.Run(t, line).Then("@now +5s\n- /sem/00000000000000000000000000000001\n/sem/00000000000000000000000000000002 owner=D\n")
	m := s.Waits.Result.ByPath("/sem")
	if m.Kind != layout.Semaphore || model.Holding(m.Claims[0].Role()) != true ||
		m.Claims[0].Session != script.SessionNamed(t, "D") {
		t.Fatalf("%+v", m)
	}
	for _, o := range s.Waits.Overtakes {
		t.Error(o.String())
	}
	// Waiting in a line that has such a winner is no work of another thread either.
	if s.Waits.Threaded[script.SessionNamed(t, "B")] != 0 || s.Waits.Threaded[script.SessionNamed(t, "C")] != 0 {
		t.Error(s.Waits.Threaded)
	}

	s = script.Run(t, "/locks/l/00000000000000000000000000000001__lock__0000000001 owner=A\n/locks/l/00000000000000000000000000000002__lock__0000000002 owner=B\n"+
		"/locks/l/00000000000000000000000000000003__lock__0000000003 owner=C")
	s.Then("@now +5s\n- /locks/l/00000000000000000000000000000001__lock__0000000001\n/locks/l/00000000000000000000000000000000__lock__0000000000 owner=D")
	if len(s.Waits.Overtakes) != 1 {
		t.Errorf("of a lock: %+v", s.Waits.Overtakes)
	}
}
