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
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
)

// Options of a stage.
type Options struct {
	Seed uint64        // Optional; 0 plays differently every time
	Beat time.Duration // Optional; what every duration of the play is counted in. Default 1 s
}

// Stage is a running demo.
type Stage struct {
	server *zkserver.Server
	beat   time.Duration
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu   sync.Mutex // guards dice
	dice *rand.Rand
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
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s := &Stage{server: zkserver.New(zkserver.Options{}), beat: o.Beat, cancel: cancel, dice: rand.New(rand.NewPCG(o.Seed, 1))}
	for _, t := range troupes() {
		s.play(run, t)
	}
	if err := s.stands(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

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

// stands waits until every troupe's directory has at least two claims, so that one stays when one goes.
func (s *Stage) stands(ctx context.Context) error {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		missing := ""
		for _, t := range troupes() {
			if n, ok := s.server.Node(t.path); !ok || n.Stat.NumChildren < 2 {
				missing = t.path
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

// pause waits; false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
