package history

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// A standby that waits all night comes after a lock that somebody waited for, and before one for which nobody did.
func TestElectionsAreRankedAfterLocks(t *testing.T) {
	begin := time.Date(2026, 11, 29, 3, 0, 0, 0, time.UTC)
	follow := func(path string, kind layout.Kind, waited time.Duration) *chronicle.Chronicle {
		c := &chronicle.Chronicle{Path: path, Kind: kind, Begin: begin, End: begin.Add(time.Hour)}
		if waited > 0 {
			s := &chronicle.Stay{}
			s.Came.At, s.Held.At = begin, begin.Add(waited)
			c.Stays = append(c.Stays, s)
		}
		return c
	}
	all := []*chronicle.Chronicle{follow("/calm", layout.Lock, 0), follow("/leader", layout.Election, time.Hour),
		follow("/short", layout.Lock, time.Second), follow("/long", layout.Lock, time.Minute)}
	var got []string
	for _, c := range mostWaited(all, 4) {
		got = append(got, c.Path)
	}
	want := [4]string{"/long", "/short", "/leader", "/calm"}
	if [4]string(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
}
