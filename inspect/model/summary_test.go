package model

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
)

func TestSummary(t *testing.T) {
	now := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	claim := func(r Role, mode layout.Mode, owner string, age time.Duration) Claim {
		c := claimOf(r, owner)
		c.mode = placeIn(modeWords, mode)
		c.SetRoleSince(now.Add(-age))
		return c
	}
	waiter, candidate := claimOf(Waiter, ""), claimOf(Candidate, "")
	for want, m := range map[string]*Model{
		"free": {Kind: layout.Lock, State: Free},
		"web-1 holds for 12s": {Kind: layout.Lock, State: Held,
			Claims: []Claim{claim(Holder, layout.Exclusive, "web-1", 12e9)}},
		"web-1 holds, 1 waiting": {Kind: layout.Lock, State: Held,
			Claims: []Claim{claim(Holder, layout.Exclusive, "web-1", -5e9), waiter}},
		"web-1 holds, 2 waiting": {Kind: layout.Lock, State: Held,
			Claims: []Claim{claimOf(Holder, "web-1"), waiter, waiter}},
		`\x1b[2J holds`: {Kind: layout.Lock, State: Held, Claims: []Claim{claimOf(Holder, "\x1b[2J")}},
		"a reads for 1m": {Kind: layout.SharedLock, State: Reading,
			Claims: []Claim{claim(Holder, layout.Read, "a", 6e10)}},
		"a and 2 others read, the first for 1m, 1 waiting": {Kind: layout.SharedLock, State: Reading, Claims: []Claim{
			claim(Holder, layout.Read, "a", 6e10), claim(Holder, layout.Read, "b", 0),
			claim(Holder, layout.Read, "c", 0), waiter}},
		"a writes for 1m": {Kind: layout.SharedLock, State: Writing, Claims: []Claim{
			claim(Holder, layout.Write, "a", 6e10), claim(Holder, layout.Read, "a", 0)}},
		"nobody leads": {Kind: layout.Election, State: Vacant},
		"a leads for 1m, no standby": {Kind: layout.Election, State: Elected,
			Claims: []Claim{claim(Leader, "", "a", 6e10)}},
		"a leads, 2 standbys": {Kind: layout.Election, State: Elected,
			Claims: []Claim{claimOf(Leader, "a"), candidate, candidate}},
	} {
		if got := m.Summary(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// claimOf makes a claim of which only the role and the owner are known.
func claimOf(r Role, owner string) Claim {
	c := Claim{role: placeIn(roleWords, r)}
	c.SetOwner(owner, FromData)
	return c
}
