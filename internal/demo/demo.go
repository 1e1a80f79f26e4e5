// Package demo is a stage: the embedded server, and troupes of ordinary clients that act out recipes on it,
// in several dialects, with something going wrong now and then.
//
// # Concurrency
//
// A Stage may be used from any goroutine. Each player has one goroutine; all end with Close.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Options of a stage.
type Options struct {
	Seed     uint64        // Optional; 0 plays differently every time
	Scenario string        // Optional; default all
	Beat     time.Duration // Optional; what every duration of the play is counted in. Default 1 s
}

// Stage is a running demo.
type Stage struct {
	server *zkserver.Server
	beat   time.Duration
	scene  Scenario
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu   sync.Mutex // guards what follows
	dice *rand.Rand
	away []int64 // sessions whose clients do not get through
}

// sessionTimeout of the players: short, so that a lost one is seen to expire.
const sessionTimeout = 6 * time.Second

// Start raises the curtain. It returns when every troupe stands: from then on a lock, a shared lock and an
// election have claims at any moment, unless somebody from outside breaks them.
func Start(ctx context.Context, o Options) (*Stage, error) {
	if o.Beat == 0 {
		o.Beat = time.Second
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	if o.Scenario == "" {
		o.Scenario = "all"
	}
	scene, err := Find(o.Scenario)
	if err != nil {
		return nil, err
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s := &Stage{beat: o.Beat, cancel: cancel, dice: rand.New(rand.NewPCG(o.Seed, 1)), scene: scene}
	s.server = zkserver.New(zkserver.Options{Fault: s.keepAway})
	s.raise(run)
	if err := s.stands(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// raise starts everybody who plays in the scene.
func (s *Stage) raise(ctx context.Context) {
	if s.scene.troupes != nil {
		for _, t := range s.scene.troupes() {
			s.play(ctx, t)
		}
	}
	if s.scene.acts != nil {
		for _, a := range s.scene.acts(s) {
			s.wg.Add(1)
			guard.Go(func() { s.perform(ctx, a) })
		}
	}
}

// keepAway loses what clients send whose network is broken.
func (s *Stage) keepAway(r zkserver.Request) zkserver.Action {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Session != 0 && slices.Contains(s.away, r.Session) {
		return zkserver.Action{Drop: zkserver.DropBefore}
	}
	return zkserver.Action{}
}

// Caption says what to look at, and which key to try.
func (s *Stage) Caption() string { return s.scene.Caption }

// Dial connects to the server in memory; it has the shape of a dialer.
func (s *Stage) Dial(ctx context.Context, _, _ string) (net.Conn, error) { return s.server.Dial(ctx) }

// Listen serves the stage to other clients at an address.
func (s *Stage) Listen(addr string) (net.Addr, error) { return s.server.Listen(addr) }

// Close ends the play and the server, and waits for both.
func (s *Stage) Close() {
	s.cancel()
	s.wg.Wait()
	s.server.Close()
}

// stands waits until everything that the scene promises is there: directories with at least two claims where
// troupes take turns, so that one stays when one goes.
func (s *Stage) stands(ctx context.Context) error {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		missing := ""
		for _, path := range s.scene.ready {
			if n, ok := s.server.Node(path); !ok || n.Stat.NumChildren < 1 {
				missing = path
			}
		}
		if s.scene.troupes != nil {
			for _, t := range s.scene.troupes() {
				if n, ok := s.server.Node(t.path); !ok || n.Stat.NumChildren < 2 {
					missing = t.path
				}
			}
		}
		if missing == "" {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("demo: the troupe at %s did not get ready: %w", missing, ctx.Err())
		}
	}
}

// between returns a duration from a to b beats.
func (s *Stage) between(a, b float64) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration((a + s.dice.Float64()*(b-a)) * float64(s.beat))
}

// chance is true once in n times.
func (s *Stage) chance(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dice.IntN(n) == 0
}
