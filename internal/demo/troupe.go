package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/recipes"
)

// temper is how a player takes being asked to let go, and what else it does wrong.
type temper uint8

const (
	obedient  temper = iota // lets go when asked
	stubborn                // hears and goes on
	forgetful               // now and then forgets that it has a claim and makes another: a phantom
	mortal                  // now and then its session expires in the middle
)

// routine is what one player does, over and over.
type routine struct {
	name    string
	temper  temper
	claim   func(s *recipes.Session, path string, o recipes.Options) func(context.Context) (*recipes.Claim, error)
	hold    [2]float64 // beats, from and to
	rest    [2]float64 // beats between two turns
	options recipes.Options
}

// troupe is a recipe and its players.
type troupe struct {
	path     string
	routines []routine
}

func lock(s *recipes.Session, path string, o recipes.Options) func(context.Context) (*recipes.Claim, error) {
	return s.Lock(path, o).Acquire
}

func read(s *recipes.Session, path string, o recipes.Options) func(context.Context) (*recipes.Claim, error) {
	return s.SharedLock(path, o).Read
}

func write(s *recipes.Session, path string, o recipes.Options) func(context.Context) (*recipes.Claim, error) {
	return s.SharedLock(path, o).Write
}

func elect(s *recipes.Session, path string, o recipes.Options) func(context.Context) (*recipes.Claim, error) {
	return s.Election(path, o).Campaign
}

// cast gives the same routine to several players.
func cast(p routine, names ...string) []routine {
	var out []routine
	for _, n := range names {
		p.name = n
		out = append(out, p)
	}
	return out
}

// in is the options of a dialect.
func in(d recipes.Dialect, revocable bool) recipes.Options {
	return recipes.Options{Dialect: d, Revocable: revocable}
}

// How long claims are held, and how long their players rest, in beats.
var short, long, moment = [2]float64{2, 5}, [2]float64{12, 25}, [2]float64{0.1, 0.8}

// lockTroupes contend for locks and shared locks in several dialects.
func lockTroupes() []troupe {
	return []troupe{
		{"/locks/orders", append(
			cast(routine{claim: lock, hold: short, rest: moment, options: in(recipes.Curator, false), temper: forgetful}, "web-1"),
			cast(routine{claim: lock, hold: short, rest: moment, options: in(recipes.Curator, false)}, "web-2", "web-3", "job-9")...)},
		{"/locks/billing", cast(routine{claim: lock, hold: short, rest: moment, options: in(recipes.Kazoo, false)}, "bill-a", "bill-b", "bill-c")},
		{"/locks/nightly", append(
			cast(routine{claim: lock, hold: long, rest: moment, options: in(recipes.ZooKeeper, true), temper: stubborn}, "batch-old"),
			cast(routine{claim: lock, hold: short, rest: moment, options: in(recipes.ZooKeeper, true)}, "batch-1", "batch-2")...)},
		{"/locks/reindex", cast(routine{claim: lock, hold: short, rest: moment, options: in(recipes.GoZooKeeper, false)}, "index-1", "index-2", "index-3")},
		{"/rw/catalog", append(
			cast(routine{claim: read, hold: [2]float64{6, 14}, rest: moment, options: in(recipes.ZooKeeper, true)}, "reader-1", "reader-2", "reader-3"),
			cast(routine{claim: write, hold: short, rest: [2]float64{4, 9}, options: in(recipes.ZooKeeper, true)}, "writer-1")...)},
		{"/rw/prices", append(
			cast(routine{claim: read, hold: short, rest: moment, options: in(recipes.Curator, true)}, "price-1", "price-2"),
			cast(routine{claim: write, hold: short, rest: moment, options: in(recipes.Curator, false)}, "price-feed")...)},
	}
}

// readerTroupes are a reader that stays until it is asked to let go, and a writer that waits for it.
func readerTroupes() []troupe {
	return []troupe{{"/rw/report", append(
		cast(routine{claim: read, hold: [2]float64{90, 120}, rest: [2]float64{4, 6}, options: in(recipes.ZooKeeper, true)}, "reader-old"),
		cast(routine{claim: write, hold: [2]float64{8, 12}, rest: moment, options: in(recipes.ZooKeeper, true)}, "writer-1")...)}}
}

// electionTroupes stand for election; a leader's session expires now and then.
func electionTroupes() []troupe {
	return []troupe{
		{"/election/scheduler", cast(routine{claim: elect, hold: long, rest: moment, options: in(recipes.Curator, false), temper: mortal}, "sched-1", "sched-2", "sched-3")},
		{"/election/indexer", cast(routine{claim: elect, hold: long, rest: moment, options: in(recipes.ZooKeeper, false)}, "indexer-a", "indexer-b", "indexer-c")},
	}
}

// play starts every player of a troupe.
func (s *Stage) play(ctx context.Context, t troupe) {
	for _, p := range t.routines {
		p.options.Name = p.name
		s.wg.Add(1)
		guard.Go(func() {
			defer s.wg.Done()
			for ctx.Err() == nil {
				if err := s.life(ctx, t.path, p); err != nil && !wait.For(ctx, s.between(0.2, 0.6)) {
					return
				}
			}
		})
	}
}

// life is one session of a player: it ends when the session is lost, or with the play.
func (s *Stage) life(ctx context.Context, path string, p routine) error {
	ses, err := recipes.Dial(ctx, recipes.Config{Servers: []string{"demo:2181"}, Timeout: sessionTimeout, Dial: s.Dial})
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	defer ses.Close()
	for ctx.Err() == nil {
		c, err := p.claim(ses, path, p.options)(ctx)
		if err != nil {
			return err
		}
		if !s.hold(ctx, ses, path, p, c) {
			return nil
		}
		if err := c.Release(ctx); err != nil {
			return err
		}
		wait.For(ctx, s.between(p.rest[0], p.rest[1]))
	}
	return nil
}

// hold keeps a claim for a while. False ends the session.
func (s *Stage) hold(ctx context.Context, ses *recipes.Session, path string, p routine, c *recipes.Claim) bool {
	if p.temper == forgetful && s.chance(4) {
		s.forget(ctx, ses, path, p)
		return false
	}
	revoked := c.Revoked()
	if p.temper == stubborn {
		revoked = nil
	}
	timer := time.NewTimer(s.between(p.hold[0], p.hold[1]))
	defer timer.Stop()
	select {
	case <-timer.C:
		if p.temper == mortal && s.chance(2) {
			s.server.ExpireSession(int64(ses.ID()))
			return false
		}
	case <-revoked:
		wait.For(ctx, s.between(0.5, 1.5)) // it finishes what it is at
	case <-c.Lost():
	case <-ctx.Done():
	}
	return true
}

// forget acts out the client that never got the reply to its create: it stands in line again, behind the
// claim that it does not know of, until somebody notices.
func (s *Stage) forget(ctx context.Context, ses *recipes.Session, path string, p routine) {
	ctx, cancel := context.WithTimeout(ctx, s.between(15, 30))
	defer cancel()
	if c, err := p.claim(ses, path, p.options)(ctx); err == nil {
		_ = c.Release(ctx) // somebody broke the forgotten claim: it got its turn after all
	}
}
