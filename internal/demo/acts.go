package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/recipes"
)

// barrierActs are a director who closes and opens a gate with three who wait at it, and five who enter and leave
// a double barrier together.
func barrierActs(*Stage) []act {
	gate, hall := "/barriers/release", "/barriers/loaded"
	out := []act{{name: "director", run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
		if err := ses.Barrier(gate, named("director")).Close(ctx); err != nil {
			return err
		}
		wait.For(ctx, s.between(12, 20))
		if err := ses.Barrier(gate, recipes.Options{}).Open(ctx); err != nil {
			return err
		}
		wait.For(ctx, s.between(4, 6))
		return nil
	}}}
	for i := range 3 {
		out = append(out, act{name: fmt.Sprintf("runner-%d", i+1), run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			err := ses.Barrier(gate, recipes.Options{}).Wait(ctx)
			wait.For(ctx, s.between(2, 4))
			return err
		}})
	}
	for i := range 5 {
		name := fmt.Sprintf("loader-%d", i+1)
		out = append(out, act{name: name, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			wait.For(ctx, s.between(1, 12))
			b := ses.DoubleBarrier(hall, 5, named(name))
			c, err := b.Enter(ctx)
			if err != nil {
				return err
			}
			wait.For(ctx, s.between(4, 12))
			return b.Leave(ctx, c)
		}})
	}
	return out
}

// voteActs are a coordinator and four sites, of which one is late, and one says no now and then.
func voteActs(*Stage) []act {
	sites := []string{"s_1", "s_2", "s_3", "s_4"}
	const path = "/tx/transfer"
	out := []act{{name: "coordinator", run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
		tx := ses.TwoPhase(path, recipes.TwoPhaseOptions{})
		_ = tx.End(ctx) // what an earlier coordinator left
		if err := tx.Begin(ctx, []byte("move 100 from a to b"), sites); err != nil {
			return err
		}
		if _, err := tx.Await(ctx); err != nil {
			return err
		}
		wait.For(ctx, s.between(4, 6))
		err := tx.End(ctx)
		wait.For(ctx, s.between(1, 2))
		return err
	}}}
	for i, site := range sites {
		out = append(out, act{name: site, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			muse, vote := s.between(1, 5), recipes.Commit
			if i == len(sites)-1 {
				muse = s.between(10, 18)
			}
			if i == 1 && s.chance(3) {
				vote = recipes.Abort
			}
			wait.For(ctx, muse)
			tx := ses.TwoPhase(path, recipes.TwoPhaseOptions{})
			if err := tx.Vote(ctx, site, vote); err != nil {
				return err
			}
			_, err := tx.Await(ctx)
			wait.For(ctx, s.between(8, 9))
			return err
		}})
	}
	return out
}

// queueActs fill and empty a plain queue, one with priorities and one with delays.
func queueActs(*Stage) []act {
	mail, print, later := "/queues/mail", "/queues/print", "/queues/later"
	return []act{
		{name: "producer", run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			for i := range int(2 + s.between(0, 4)/s.beat) {
				if err := ses.Queue(mail, recipes.QueueOptions{}).Put(ctx, fmt.Appendf(nil, `{"to":"user-%d"}`, i)); err != nil {
					return err
				}
				if i%2 == 1 {
					continue
				}
				if err := ses.PriorityQueue(print, recipes.QueueOptions{}).Put(ctx, int64(i%3), []byte("page")); err != nil {
					return err
				}
			}
			if err := ses.DelayQueue(later, recipes.QueueOptions{}).Put(ctx, time.Now().Add(s.between(10, 40)), []byte("remind")); err != nil {
				return err
			}
			wait.For(ctx, s.between(6, 12))
			return nil
		}},
		consumer("mailer-1", func(ctx context.Context, ses *recipes.Session) (*recipes.Item, error) {
			return ses.Queue(mail, recipes.QueueOptions{Name: "mailer-1"}).Take(ctx)
		}),
		consumer("mailer-2", func(ctx context.Context, ses *recipes.Session) (*recipes.Item, error) {
			return ses.Queue(mail, recipes.QueueOptions{Name: "mailer-2"}).Take(ctx)
		}),
		consumer("printer", func(ctx context.Context, ses *recipes.Session) (*recipes.Item, error) {
			return ses.PriorityQueue(print, recipes.QueueOptions{Name: "printer"}).Take(ctx)
		}),
		consumer("clock", func(ctx context.Context, ses *recipes.Session) (*recipes.Item, error) {
			return ses.DelayQueue(later, recipes.QueueOptions{Name: "clock"}).Take(ctx)
		}),
	}
}

func consumer(name string, take func(context.Context, *recipes.Session) (*recipes.Item, error)) act {
	return act{name: name, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
		for ctx.Err() == nil {
			it, err := take(ctx, ses)
			if err != nil {
				return err
			}
			wait.For(ctx, s.between(1, 3))
			if err := it.Done(context.WithoutCancel(ctx)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// otherActs keep the rest of the kinds alive.
func otherActs(*Stage) []act {
	out := []act{{name: "registry", run: registry}}
	for i := range 4 {
		name := fmt.Sprintf("web-%d", i+1)
		out = append(out, act{name: name, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			c, err := ses.Membership("/members/web", named(name)).Join(ctx)
			if err != nil {
				return err
			}
			defer c.Release(context.WithoutCancel(ctx))
			sem, err := ses.Semaphore("/semaphores/uploads", 3, named(name)).Acquire(ctx)
			if err != nil {
				return err
			}
			linger(ctx, sem, s.between(3, 9))
			if err := sem.Release(context.WithoutCancel(ctx)); err != nil {
				return err
			}
			linger(ctx, c, s.between(20, 60))
			return nil
		}})
	}
	return out
}

// registry keeps a service, a value, a counter and a rendezvous.
func registry(ctx context.Context, s *Stage, ses *recipes.Session) error {
	_, err := ses.Service("/services", "pay").Register(ctx, recipes.Instance{Address: "10.0.0.9", Port: 8080})
	if err != nil {
		return err
	}
	for i := 0; ctx.Err() == nil; i++ {
		value, _ := json.Marshal(map[string]int{"rate": 100 + i, "burst": 20})
		if err := ses.Configuration("/config/limits").Set(ctx, value, -1); err != nil {
			return err
		}
		if _, err := ses.Counter("/counters/orders", recipes.Options{}).Add(ctx, 1); err != nil {
			return err
		}
		wait.For(ctx, s.between(5, 15))
	}
	return nil
}
