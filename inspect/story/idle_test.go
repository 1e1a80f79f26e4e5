package story_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A picture in which nothing but the expiries of sessions moved costs the same whether there are ten locks or ten
// thousand: an idle console decodes one every few seconds.
func TestNewsOfSessionsAloneCostNothing(t *testing.T) {
	cost := func(locks int) float64 {
		s, yes := script.New(t), true
		at := func(by time.Duration) *znode.Snapshot {
			c := s.Snapshot()
			c.TakenAt, c.AskedAt = c.TakenAt.Add(by), c.TakenAt.Add(by)
			c.Servers, c.Watches = []znode.Server{{Addr: "zk1:2181", Tier: "4lw", Answered: true}},
				map[string][]znode.SessionID{}
			c.Sessions = map[znode.SessionID]znode.Session{}
			for id := range znode.SessionID(8) {
				c.Sessions[id+1] = znode.Session{ID: id + 1, Connected: &yes, Timeout: 30 * time.Second,
					ExpiresAt: c.TakenAt.Add(30 * time.Second)}
			}
			return c
		}
		for i := range locks {
			s.Apply(fmt.Sprintf("/locks/d%d/l%d/lock-0000000001 owner=%d cv=1", i%10, i, i%8+1))
		}
		res := inspect.Decode(at(0), nil, model.Hints{})
		ws := waits.Of(inspect.Decode(at(5*time.Second), res, model.Hints{}), nil)
		later := at(10 * time.Second)
		n := testing.AllocsPerRun(10, func() {
			next := later
			next.Sessions = maps.Clone(later.Sessions)
			w := waits.Of(inspect.Decode(next, ws.Result, model.Hints{}), ws)
			if !w.Result.Models.Same(ws.Result.Models) || w.Result.Models.Len() != locks || w.Unsettled() ||
				len(story.Diff(ws.Result, w.Result)) > 0 {
				t.Fatalf("%d locks, then %d", ws.Result.Models.Len(), w.Result.Models.Len())
			}
		})
		return n
	}
	few, many := cost(10), cost(1000)
	if many > few+20 {
		t.Errorf("%v allocations with 10 locks and %v with 1000", few, many)
	}
}
