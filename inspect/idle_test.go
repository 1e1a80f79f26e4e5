package inspect

import (
	"fmt"
	"maps"
	"testing"
	"time"
)

// A picture in which nothing but the expiries of sessions moved costs the same whether there are ten locks or ten thousand:
// an idle console decodes one every few seconds.
func TestNewsOfSessionsAloneCostNothing(t *testing.T) {
	cost := func(locks int) float64 {
		s, yes := newStage(t), true
		at := func(by time.Duration) *Snapshot {
			c := s.snapshot()
			c.TakenAt, c.AskedAt = c.TakenAt.Add(by), c.TakenAt.Add(by)
			c.Servers, c.Watches = []Server{{Addr: "zk1:2181", Tier: "4lw", Answered: true}}, map[string][]SessionID{}
			c.Sessions = map[SessionID]Session{}
			for id := range SessionID(8) {
				c.Sessions[id+1] = Session{ID: id + 1, Connected: &yes, Timeout: 30 * time.Second, ExpiresAt: c.TakenAt.Add(30 * time.Second)}
			}
			return c
		}
		for i := range locks {
			s.apply(fmt.Sprintf("/locks/d%d/l%d/lock-0000000001 owner=%d cv=1", i%10, i, i%8+1))
		}
		res := Decode(at(0), nil, Hints{})
		waits := Weigh(Decode(at(5*time.Second), res, Hints{}), nil)
		later := at(10 * time.Second)
		n := testing.AllocsPerRun(10, func() {
			next := later
			next.Sessions = maps.Clone(later.Sessions)
			w := Weigh(Decode(next, waits.Result, Hints{}), waits)
			if !w.Result.Models.Same(waits.Result.Models) || w.Result.Models.Len() != locks || w.Unsettled() || len(Diff(waits.Result, w.Result)) > 0 {
				t.Fatalf("%d locks, then %d", waits.Result.Models.Len(), w.Result.Models.Len())
			}
		})
		return n
	}
	few, many := cost(10), cost(1000)
	if many > few+20 {
		t.Errorf("%v allocations with 10 locks and %v with 1000", few, many)
	}
}
