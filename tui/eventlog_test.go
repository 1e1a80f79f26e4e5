package tui

import (
	"testing"
	"time"
)

// A grave finding is told as it comes and as it goes, and stands out.
func TestTheLogTellsOfGraveFindings(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 140, 40)
	again := "/locks/nested/00000000000000000000000000000002__lock__0000000003"
	s.add("/locks/nested/00000000000000000000000000000001__lock__0000000001", sA, 0, "a").add("/locks/nested/00000000000000000000000000000002__lock__0000000002", sB, 0, "b")
	d.Sync().Press("5").SeeNot("phantom-claim")
	s.add(again, sB, 0, "b")
	d.Wait(time.Second).Sync().See("▲ phantom-claim: b is in line more than once")
	s.del(again)
	d.Wait(time.Second).Sync().See("phantom-claim cleared")
}

// A hand-over says who let go and who took it; that a holder was lost is told by itself.
func TestALostHolderIsNoHandOver(t *testing.T) {
	s := asked(town())
	s.servers = s.servers[:2]
	d := drive(t, s, 120, 32)
	for p, n := range s.nodes {
		if n.Owner == sB {
			s.del(p)
		}
	}
	d.Wait(20*time.Second).Sync().Press("5").See("batch-1 lost by expiry", "it is the turn of batch-2").SeeNot("batch-1 → batch-2")
}
