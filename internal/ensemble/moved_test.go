package ensemble

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
)

// A client that went from one member to another is still listed by the first for a while: its newest connection counts,
// in whatever order the members are asked.
func TestTheNewestConnectionOfASessionCounts(t *testing.T) {
	at := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	old := &door{addr: "zk1:2181", answers: answers{hasConns: true, conns: []connection{{session: 1, addr: "10.0.0.7:1", since: at.Add(-time.Hour)}}}}
	now := &door{addr: "zk2:2181", answers: answers{hasConns: true, conns: []connection{{session: 1, addr: "10.0.0.7:2", since: at.Add(-time.Second)}}}}
	for _, doors := range [][]*door{{old, now}, {now, old}} {
		e, p := &Ensemble{doors: doors}, &Picture{At: at}
		e.mergeConnections(p)
		if s := p.Sessions[1]; s.Server != "zk2:2181" || s.Addr != "10.0.0.7:2" {
			t.Errorf("%+v", s)
		}
	}
}

// The members are asked at different moments of a round: a claim that lives for a third of a second on a hot lock is there
// for one member and not for another, also in two rounds. Only what stands over a round between two others is told.
func TestAClaimThatComesAndGoesIsNoDisagreement(t *testing.T) {
	for path, enough := range map[string]int{"/l/0123456789abcdef0123456789abcdef__lock__0000000007": 3, "/leader": 5} {
		seen := func(off string) *Picture {
			return &Picture{unsure: []Disagreement{{Path: path, Owner: 7, On: []string{"zk1:2181"}, Off: []string{off}, rounds: 1}}}
		}
		before := seen("zk2:2181")
		for round := 2; round <= enough; round++ {
			p := seen("zk2:2181")
			p.confirm(before)
			if told := len(p.Disagree) == 1; told != (round == enough) || p.doubtful(round) == told {
				t.Errorf("%s in round %d: %+v", path, round, p)
			}
			before = p
		}
		agreed, anew := &Picture{}, seen("zk2:2181")
		agreed.confirm(before)
		anew.confirm(agreed)
		other := seen("zk3:2181")
		other.confirm(before)
		if len(anew.Disagree)+len(other.Disagree) != 0 {
			t.Errorf("%s: told after rounds that differ: %+v, %+v", path, anew, other)
		}
	}
}

// Every member lists every ephemeral: a session with very many is told of once each, in time that grows with their number.
func TestASessionWithVeryManyEphemerals(t *testing.T) {
	var paths []string
	for i := range 100_000 {
		paths = append(paths, fmt.Sprintf("/m/%06d", i))
	}
	told := func() *door {
		return &door{answers: answers{dump: &dump{owners: map[inspect.SessionID][]string{1: slices.Clone(paths)}}}}
	}
	e, p := &Ensemble{}, &Picture{}
	for range 3 {
		e.mergeOwners(p, told())
	}
	if !slices.Equal(p.Ephemerals[1], paths) {
		t.Errorf("%d ephemerals, want %d", len(p.Ephemerals[1]), len(paths))
	}
}
