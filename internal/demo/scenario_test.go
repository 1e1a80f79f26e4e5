package demo

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

// TestEveryScenarioShowsWhatItPromises plays each on its own until what its caption promises has been seen.
func TestEveryScenarioShowsWhatItPromises(t *testing.T) {
	state := func(path string, want ...model.State) func(*waits.Waits) []bool {
		return func(w *waits.Waits) []bool {
			out := make([]bool, len(want))
			if m := w.Result.ByPath(path); m != nil {
				for i, s := range want {
					out[i] = m.State == s
				}
			}
			return out
		}
	}
	for name, see := range map[string]func(*waits.Waits) []bool{
		"deadlock": func(w *waits.Waits) []bool { return []bool{len(w.Cycles) == 1 && !w.Cycles[0].Stands} },
		"herd":     func(w *waits.Waits) []bool { return []bool{w.Result.ByPath("/locks/lock-1") != nil} },
		"stale-holder": func(w *waits.Waits) []bool {
			m := w.Result.ByPath("/locks/report")
			return []bool{m != nil && len(m.Claims) == 3 && w.Result.Snapshot.TakenAt.Sub(m.Claims[0].Created()) > 30*time.Second}
		},
		"barrier":  state("/barriers/loaded", model.Gathering, model.Inside, model.Leaving),
		"votes":    state("/tx/transfer", model.Undecided, model.Committed, model.Aborted),
		"queue":    state("/queues/mail", model.Waiting, model.Working, model.Empty),
		"election": state("/election/scheduler", model.Elected),
		"others":   state("/semaphores/uploads", model.Held, model.Full),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := Start(context.Background(), Options{Seed: 11, Scenario: name})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				watch(t, s, see)
			})
		})
	}
}

// watch looks at a stage until everything has been seen, for at most a virtual quarter of an hour.
func watch(t *testing.T, s *Stage, see func(*waits.Waits) []bool) {
	var res *model.Result
	var seen []bool
	for range 3000 {
		res = inspect.Decode(tree(s.server), res, model.Hints{})
		now := see(waits.Of(res, nil))
		if seen == nil {
			seen = make([]bool, len(now))
		}
		all := true
		for i := range now {
			seen[i] = seen[i] || now[i]
			all = all && seen[i]
		}
		if all {
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
	for m := range res.Models.All() {
		t.Logf("%s %s %s %d", m.Path, m.Kind, m.State, len(m.Claims))
	}
	t.Errorf("seen of what was promised: %v", seen)
}

func TestAnUnknownScenarioIsNamed(t *testing.T) {
	if _, err := Start(context.Background(), Options{Scenario: "nonsense"}); err == nil {
		t.Fatal("started")
	}
}
