package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/recipes"
)

// Scenario is a part of the programme that can be played on its own.
type Scenario struct {
	Name    string
	Caption string // what to look at, and which key to try
	troupes func() []troupe
	acts    func(s *Stage) []act
	ready   []string // directories that have at least two children, or are there, when the stage stands
}

// act is a role that is no turn-taking at a claim: it has a session of its own for as long as run goes on, and
// is played again when run returns.
type act struct {
	name    string
	timeout time.Duration // of the session; zero: the usual
	run     func(ctx context.Context, s *Stage, ses *recipes.Session) error
}

// Scenarios lists them; the last plays all of them at once.
func Scenarios() []Scenario {
	list := []Scenario{
		{Name: "locks", Caption: "web-1 forgets a claim of its own now and then, select it: press w, then b",
			troupes: lockTroupes, ready: []string{"/locks/orders", "/locks/nightly"}},
		{Name: "readers", Caption: "a reader that is in no hurry keeps a writer out, ask it to let go: press r",
			troupes: readerTroupes, ready: []string{"/rw/report"}},
		{Name: "deadlock", Caption: "two sessions wait for each other; for the ring and whom to break: press 3",
			acts: deadlockActs, ready: []string{"/pair/debit", "/pair/credit"}},
		{Name: "herd", Caption: "one znode, a dozen waiters; all wake when it goes: press 3",
			acts: herdActs, ready: []string{"/locks"}},
		{Name: "stale-holder", Caption: "report-1 loses its connection while it holds, again and again: press w, then b",
			acts: staleActs, ready: []string{"/locks/report"}},
		{Name: "barrier", Caption: "the double barrier fills up, opens, and empties; the gate closes and opens: press a",
			acts: barrierActs, ready: []string{"/barriers"}},
		{Name: "votes", Caption: "sites vote one by one; a late one holds the verdict up, abort for it: press a",
			acts: voteActs, ready: []string{"/tx"}},
		{Name: "queue", Caption: "depth goes up and down; items in progress show their consumer, and for how long: press e",
			acts: queueActs, ready: []string{"/queues"}},
		{Name: "election", Caption: "leaders come and go; to hear when the next one takes over: press n",
			troupes: electionTroupes, ready: []string{"/election/scheduler", "/election/indexer"}},
		{Name: "others", Caption: "groups, services, values, counters and leases of every kind: press w", acts: otherActs, ready: []string{"/members/web"}},
	}
	all := Scenario{Name: "all", Caption: "what needs attention stands on top, select it: press w"}
	for _, s := range list {
		all.ready = append(all.ready, s.ready...)
	}
	all.troupes = func() (out []troupe) {
		for _, s := range list {
			if s.troupes != nil {
				out = append(out, s.troupes()...)
			}
		}
		return out
	}
	all.acts = func(st *Stage) (out []act) {
		for _, s := range list {
			if s.acts != nil {
				out = append(out, s.acts(st)...)
			}
		}
		return out
	}
	return append(list, all)
}

// Names lists the scenarios.
func Names() []string {
	var out []string
	for _, s := range Scenarios() {
		out = append(out, s.Name)
	}
	return out
}

// Find returns the scenario of a name.
func Find(name string) (Scenario, error) {
	for _, s := range Scenarios() {
		if s.Name == name {
			return s, nil
		}
	}
	return Scenario{}, fmt.Errorf("no scenario %s; there are %s", say.Printable(name), strings.Join(Names(), ", "))
}

// perform plays an act until the curtain falls.
func (s *Stage) perform(ctx context.Context, a act) {
	defer s.wg.Done()
	for ctx.Err() == nil {
		timeout := a.timeout
		if timeout == 0 {
			timeout = sessionTimeout
		}
		ses, err := recipes.Dial(ctx, recipes.Config{Servers: []string{"demo:2181"}, Timeout: timeout, Dial: s.Dial})
		if err == nil {
			err = a.run(ctx, s, ses)
			ses.Close()
		}
		if err != nil && !wait.For(ctx, s.between(0.5, 1)) {
			return
		}
	}
}

// named is the options of a claim by name.
func named(name string) recipes.Options { return recipes.Options{Name: name} }

// linger waits until the claim is lost, the time is over, or the play is; false when it cannot go on.
func linger(ctx context.Context, c *recipes.Claim, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.Lost():
	case <-ctx.Done():
	}
	return false
}

// deadlockActs are two who take two locks in opposite order, and one who waits behind them.
func deadlockActs(*Stage) []act {
	both := func(name, first, second string) act {
		return act{name: name, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			a, err := ses.Lock(first, named(name)).Acquire(ctx)
			if err != nil {
				return err
			}
			defer a.Release(context.WithoutCancel(ctx))
			if !linger(ctx, a, s.between(1, 2)) {
				return nil
			}
			bound, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(lostContext(bound, a), cancel)()
			b, err := ses.Lock(second, named(name)).Acquire(bound)
			if err != nil {
				return err
			}
			defer b.Release(context.WithoutCancel(ctx))
			linger(ctx, b, s.between(2, 3))
			return nil
		}}
	}
	return []act{both("pay-1", "/pair/debit", "/pair/credit"), both("pay-2", "/pair/credit", "/pair/debit"), both("audit", "/pair/debit", "/pair/credit")}
}

// lostContext ends when a claim is lost.
func lostContext(ctx context.Context, c *recipes.Claim) context.Context {
	out, cancel := context.WithCancel(ctx)
	guard.Go(func() {
		defer cancel()
		select {
		case <-c.Lost():
		case <-ctx.Done():
		}
	})
	return out
}

// herdActs are many who watch one and the same znode.
func herdActs(*Stage) []act {
	var out []act
	for i := range 12 {
		name := fmt.Sprintf("herd-%02d", i+1)
		out = append(out, act{name: name, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			c, err := ses.SingleLock("/locks/lock-1", named(name)).Acquire(ctx)
			if err != nil {
				return err
			}
			linger(ctx, c, s.between(4, 8))
			return c.Release(context.WithoutCancel(ctx))
		}})
	}
	return out
}

// staleActs are a holder that loses its connection for good, and two who wait for it.
func staleActs(*Stage) []act {
	lost := act{name: "report-1", timeout: 40 * time.Second, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
		c, err := ses.Lock("/locks/report", named("report-1")).Acquire(ctx)
		if err != nil {
			return err
		}
		if !linger(ctx, c, s.between(2, 4)) {
			return nil
		}
		s.cut(int64(ses.ID()))
		defer s.mend(int64(ses.ID()))
		linger(ctx, c, 90*time.Second)
		return nil
	}}
	out := []act{lost}
	for _, name := range []string{"report-2", "report-3"} {
		out = append(out, act{name: name, run: func(ctx context.Context, s *Stage, ses *recipes.Session) error {
			c, err := ses.Lock("/locks/report", named(name)).Acquire(ctx)
			if err != nil {
				return err
			}
			linger(ctx, c, s.between(2, 4))
			if err := c.Release(context.WithoutCancel(ctx)); err != nil {
				return err
			}
			wait.For(ctx, s.between(1, 2))
			return nil
		}})
	}
	return out
}

// cut keeps a session's client from its server until mend, as a broken network does.
func (s *Stage) cut(id int64) {
	s.mu.Lock()
	s.away = append(s.away, id)
	s.mu.Unlock()
	s.server.Drop(id)
}

func (s *Stage) mend(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = slices.DeleteFunc(s.away, func(x int64) bool { return x == id })
}
