package ensemble

import (
	"testing"
	"time"
)

// Where no tracker tells, a connected session lasts its timeout from the last response on: seen from the newest response
// to anybody, so that a silence is never said to be longer than it is.
func TestLastsUntilFromResponses(t *testing.T) {
	at := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	ep := &endpoint{}
	ep.conns = []connection{{session: 1, heard: 100_000, timeout: 30 * time.Second}, {session: 2, heard: 75_000, timeout: 30 * time.Second}, {session: 3}}
	for i, want := range []time.Time{at.Add(30 * time.Second), at.Add(5 * time.Second), {}} {
		if got, _ := ep.lastsUntil(ep.conns[i], at); !got.Equal(want) {
			t.Errorf("session %d: %v, want %v", ep.conns[i].session, got, want)
		}
	}
}
