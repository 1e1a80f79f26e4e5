package ensemble

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// A client that went from one member to another is still listed by the first for a while: its newest connection counts,
// in whatever order the members are asked.
func TestTheNewestConnectionOfASessionCounts(t *testing.T) {
	at := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	old := &endpoint{addr: "zk1:2181", answers: answers{hasConns: true, conns: []connection{{session: 1, addr: "10.0.0.7:1", since: at.Add(-time.Hour)}}}}
	now := &endpoint{addr: "zk2:2181", answers: answers{hasConns: true, conns: []connection{{session: 1, addr: "10.0.0.7:2", since: at.Add(-time.Second)}}}}
	for _, endpoints := range [][]*endpoint{{old, now}, {now, old}} {
		e, st := &Ensemble{endpoints: endpoints}, &Status{At: at}
		e.mergeConnections(st)
		if s := st.Sessions[1]; s.Server != "zk2:2181" || s.Addr != "10.0.0.7:2" {
			t.Errorf("%+v", s)
		}
	}
}

// The members are asked at different moments of a round: a claim that lives for a third of a second on a hot lock is there
// for one member and not for another, also in two rounds. Only what stands over a round between two others is told.
func TestAClaimThatComesAndGoesIsNoDisagreement(t *testing.T) {
	for path, enough := range map[string]int{"/l/0123456789abcdef0123456789abcdef__lock__0000000007": 3, "/leader": 5} {
		seen := func(off string) *Status {
			return &Status{unsure: []Disagreement{{Path: path, Owner: 7, On: []string{"zk1:2181"}, Off: []string{off}, rounds: 1}}}
		}
		before := seen("zk2:2181")
		for round := 2; round <= enough; round++ {
			st := seen("zk2:2181")
			st.confirm(before)
			if told := len(st.Disagree) == 1; told != (round == enough) || st.doubtful(round) == told {
				t.Errorf("%s in round %d: %+v", path, round, st)
			}
			before = st
		}
		agreed, anew := &Status{}, seen("zk2:2181")
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
	told := func() *endpoint {
		return &endpoint{answers: answers{dump: &dump{owners: map[znode.SessionID][]string{1: slices.Clone(paths)}}}}
	}
	e, st := &Ensemble{}, &Status{}
	for range 3 {
		e.mergeOwners(st, told())
	}
	if !slices.Equal(st.Ephemerals[1], paths) {
		t.Errorf("%d ephemerals, want %d", len(st.Ephemerals[1]), len(paths))
	}
}

// A round in which only expiries moved shares what the one before told of ephemeral znodes: there may be a hundred thousand.
func TestWhatDidNotChangeIsSharedByRounds(t *testing.T) {
	now := time.Date(2026, 11, 27, 22, 10, 0, 0, time.UTC)
	dumpAt := func(expiry, path string) string {
		return "SessionTracker dump:\nSession Sets (1)/(1):\n1 expire at Fri Nov 27 22:10:" + expiry + " UTC 2026:\n\t0x15\nephemeral nodes dump:\n" +
			"Sessions with Ephemerals (1):\n0x15:\n\t" + path + "\nConnections dump:\nConnections Sets (1)/(1):\n1 expire at Fri Nov 27 22:10:" + expiry +
			" UTC 2026:\n\tip: /10.0.0.7:4711 sessionId: 0x15\n"
	}
	ep := &endpoint{addr: "zk1:2181"}
	e := &Ensemble{endpoints: []*endpoint{ep}, cfg: Config{}.withDefaults()}
	round := func(text string) *Status {
		one := parseDump(text, now, ep.last)
		if !one.whole || !one.hasConns || len(one.sessions) != 1 {
			t.Fatalf("%+v", one)
		}
		ep.answers, ep.last = answers{up: true, dump: &one}, &one
		return e.merge()
	}
	address := func(st *Status) uintptr { return reflect.ValueOf(st.Ephemerals).Pointer() }
	first, second, third := round(dumpAt("02", "/e")), round(dumpAt("04", "/e")), round(dumpAt("06", "/f"))
	if address(first) != address(second) || second.Sessions[0x15].ExpiresAt.Equal(first.Sessions[0x15].ExpiresAt) {
		t.Errorf("the first round's %v and %v, the second's %v and %v", first.Ephemerals, first.Sessions, second.Ephemerals, second.Sessions)
	}
	if got := third.Ephemerals[0x15]; !slices.Equal(got, []string{"/f"}) || !slices.Equal(first.Ephemerals[0x15], []string{"/e"}) {
		t.Errorf("then %v; the first round's is %v now", got, first.Ephemerals)
	}
}

// The AdminServer's account is shared in the same way.
func TestWhatAdminServersTellIsSharedByRounds(t *testing.T) {
	read := func(expiry, path string, was *dump) dump {
		var reply dumpReply
		body := `{"command":"dump","error":null,"expiry_time_to_session_ids":{"` + expiry + `":[21]},"session_id_to_ephemeral_paths":{"21":["` + path + `"]}}`
		if err := decodeCommand([]byte(body), "dump", &reply); err != nil {
			t.Fatal(err)
		}
		return reply.dump(true, was)
	}
	first := read("1000", "/e", nil)
	second := read("2000", "/e", &first)
	third := read("2000", "/f", &second)
	if reflect.ValueOf(first.owners).Pointer() != reflect.ValueOf(second.owners).Pointer() || second.sessions[21].ms != 2000 || !second.whole {
		t.Errorf("%+v, then %+v", first, second)
	}
	if !slices.Equal(third.owners[21], []string{"/f"}) {
		t.Error(third.owners)
	}
}

// All clients may watch one znode: who watches is merged in time that grows with their number, and told in one order whatever
// the order in which members tell it.
func TestAZnodeThatAllClientsWatch(t *testing.T) {
	var ids []znode.SessionID
	for i := range 100_000 {
		ids = append(ids, znode.SessionID(i+1))
	}
	backwards := slices.Clone(ids)
	slices.Reverse(backwards)
	e := &Ensemble{cfg: Config{}.withDefaults()}
	for _, told := range [][]znode.SessionID{ids, backwards} {
		e.endpoints = append(e.endpoints, &endpoint{answers: answers{listed: true, watches: map[string][]znode.SessionID{"/config": told}}})
	}
	if st := e.merge(); !slices.Equal(st.Watches["/config"], ids) || !slices.Equal(e.endpoints[1].watches["/config"], backwards) {
		t.Errorf("%d watchers, want %d", len(st.Watches["/config"]), len(ids))
	}
}

// A member's clock is estimated anew in every round. A connection that goes on is not told to be another one for that; one
// that is made anew is.
func TestAConnectionKeepsTheMomentItWasMade(t *testing.T) {
	at := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	ep, e := &endpoint{addr: "zk1:2181"}, &Ensemble{}
	e.endpoints = []*endpoint{ep}
	since := func(made time.Time, ahead time.Duration) time.Time {
		ep.answers = answers{hasConns: true, clock: Clock{Known: true, Ahead: ahead}, conns: []connection{{session: 1, addr: "10.0.0.7:1", since: made}}}
		st := &Status{At: at, WholeConns: true}
		e.mergeConnections(st)
		return st.Sessions[1].Since
	}
	first := since(at.Add(-time.Hour), 3*time.Millisecond)
	if want := at.Add(-time.Hour - 3*time.Millisecond); !first.Equal(want) {
		t.Errorf("made at %v by our clock, want %v", first, want)
	}
	if again := since(at.Add(-time.Hour), -400*time.Millisecond); !again.Equal(first) {
		t.Errorf("the same connection was made at %v, and then at %v", first, again)
	}
	if anew := since(at.Add(-time.Second), 0); !anew.Equal(at.Add(-time.Second)) {
		t.Errorf("one made anew keeps the moment of the one before: %v", anew)
	}
}
