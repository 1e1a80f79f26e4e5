package inspect_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// Leases are given to whoever finds one free: that one was served before others that had waited longer is told of a lock, and
// is nothing to tell of a semaphore.
func TestLeasesOvertakeNobody(t *testing.T) {
	line := kazooSem(1, "A", "BCD")
	s := run(t, line).then("@now +5s\n- /sem/00000000000000000000000000000001\n/sem/00000000000000000000000000000002 owner=D\n")
	m := s.w.Result.ByPath("/sem")
	if m.Kind != layout.Semaphore || model.Holding(m.Claims[0].Role()) != true || m.Claims[0].Session != sessionNamed(t, "D") {
		t.Fatalf("%+v", m)
	}
	for _, o := range s.w.Overtakes {
		t.Error(o.String())
	}
	// Waiting in a line that has such a winner is no work of another thread either.
	if s.w.Threaded[sessionNamed(t, "B")] != 0 || s.w.Threaded[sessionNamed(t, "C")] != 0 {
		t.Error(s.w.Threaded)
	}

	s = run(t, "/locks/l/00000000000000000000000000000001__lock__0000000001 owner=A\n/locks/l/00000000000000000000000000000002__lock__0000000002 owner=B\n"+
		"/locks/l/00000000000000000000000000000003__lock__0000000003 owner=C")
	s.then("@now +5s\n- /locks/l/00000000000000000000000000000001__lock__0000000001\n/locks/l/00000000000000000000000000000000__lock__0000000000 owner=D")
	if len(s.w.Overtakes) != 1 {
		t.Errorf("of a lock: %+v", s.w.Overtakes)
	}
}
