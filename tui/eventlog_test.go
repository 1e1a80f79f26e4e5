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
