package waits_test

import (
	"fmt"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/waits"
)

func curatorSem(leases, locks string) (out string) {
	for i, who := range leases {
		out += fmt.Sprintf("/sem/leases/_c_%08d-1111-4222-8333-000000000001-lease-%010[1]d owner=%c data=\"%[2]c\"\n",
			i, who)
	}
	for i, who := range locks {
		out += fmt.Sprintf("/sem/locks/_c_%08d-1111-4222-8333-000000000002-lock-%010[1]d owner=%c data=\"%[2]c\"\n", i,
			who)
	}
	return "/sem/leases\n/sem/locks\n" + out
}

func kazooSem(limit int, leases, line string) (out string) {
	for i, who := range leases {
		out += fmt.Sprintf("/sem/%032x owner=%c data=\"%[2]c\"\n", i+1, who)
	}
	for i, who := range line {
		out += fmt.Sprintf("/sem-__lock__/%032x__lock__%010d owner=%c data=\"%[3]c\"\n", i+100, i, who)
	}
	return fmt.Sprintf("/sem data=\"%d\"\n/sem-__lock__\n", limit) + out
}

// Where a lease goes the first in line takes it: whose turn comes is said, that its client wakes is not promised.
func TestFatesOfLeases(t *testing.T) {
	const unknown = "; whether it wakes by itself is not known: no server reports who watches a list of leases"
	for name, c := range map[string]struct {
		tree string
		goes int
		then string
		left int
	}{
		"kazoo's line":                      {kazooSem(2, "AB", "CD"), 0, "next to hold is C" + unknown, 1},
		"kazoo's, nobody waits":             {kazooSem(2, "AB", ""), 0, "B still holds", 0},
		"kazoo's, over its limit":           {kazooSem(1, "AB", "C"), 0, "B still holds", 1},
		"kazoo's waiter":                    {kazooSem(2, "AB", "CD"), 2, "A, B still hold", 1},
		"Curator's, one lease":              {curatorSem("AB", "BC"), 0, "next to hold is B" + unknown, 1},
		"Curator's, the newest lease waits": {curatorSem("ABC", "CD"), 0, "next to hold is C" + unknown, 1},
		"Curator's, the limit is not known": {curatorSem("AB", "C"), 0, "next to hold is C" + unknown, 0},
		"Curator's, who waits for it goes":  {curatorSem("ABC", "CD"), 2, "A, B still hold", 1},
		"Curator's, whoever waits longer":   {curatorSem("ABC", "CDA"), 1, "next to hold is C" + unknown, 2},
		"madelson's, whose data says who has": {"/sem/semaphore-0000000001 owner=A data=\"ACQUIRED\"\n/sem/semaphore-0000000002 owner=B", 0,
			"next to hold is 0x10000a1b2c30002" + unknown, 0},
	} {
		s := script.New(t)
		s.Apply(c.tree + "\n@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@session C connected=yes\n@session D connected=yes\n@nowatches")
		res := inspect.Decode(s.Snapshot(), nil, s.Hints)
		m := res.ByPath("/sem")
		f := waits.FateOf(res, m, &m.Claims[c.goes])
		if got := f.Then(m.Kind); m.Kind != layout.Semaphore || got != c.then || f.Left != c.left {
			t.Errorf("%s: %q, %d left; want %q, %d", name, got, f.Left, c.then, c.left)
		}
	}
}
