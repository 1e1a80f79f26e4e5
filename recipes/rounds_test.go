package recipes

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

var barrierDialects = []Dialect{ZooKeeper, Curator, Kazoo}

// meetAgain lets members meet at a barrier round after round, at once. Nobody may be a round ahead of the others.
func meetAgain(t *testing.T, sessions []*Session, path string, d Dialect, rounds int) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	inside := make([]atomic.Int32, rounds)
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(func() {
			b := s.DoubleBarrier(path, len(sessions), Options{Dialect: d})
			for r := range rounds {
				c, err := b.Enter(ctx)
				if err != nil {
					t.Errorf("%s, round %d: %v", d, r, err)
					cancel()
					return
				}
				inside[r].Add(1)
				if err := b.Leave(ctx, c); err != nil {
					t.Errorf("%s, round %d: %v", d, r, err)
					cancel()
					return
				}
				if n := inside[r].Load(); int(n) != len(sessions) {
					t.Errorf("%s, round %d: one left when %d had entered", d, r, n)
				}
			}
		})
	}
	wg.Wait()
}

// TestADoubleBarrierServesRoundAfterRound on a real server, in all dialects.
func TestADoubleBarrierServesRoundAfterRound(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{})
	for _, d := range barrierDialects {
		for _, n := range []int{2, 5} {
			var sessions []*Session
			for range n {
				s, err := Dial(t.Context(), Config{Servers: []string{server.Addr}, Timeout: 20 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				sessions = append(sessions, s)
			}
			begun := time.Now()
			meetAgain(t, sessions, "/rounds/"+string(d), d, 300)
			t.Logf("%s: 300 rounds of %d in %v", d, n, time.Since(begun).Round(time.Millisecond))
		}
	}
}

// TestASlowMemberWaitsForNobodyOfTheNextRound: the others are back before it has seen that its round is over.
func TestASlowMemberWaitsForNobodyOfTheNextRound(t *testing.T) {
	for _, d := range barrierDialects {
		bubble(t, func(s *stage) {
			sessions := []*Session{s.session(), s.session(), s.session()}
			slow := int64(sessions[1].ID())
			s.server.SetFault(func(r zkserver.Request) zkserver.Action {
				if r.Session == slow && (r.Op == wire.OpGetChildren2 || r.Op == wire.OpGetData || r.Op == wire.OpExists) {
					late := make(chan struct{})
					time.AfterFunc(20*time.Millisecond, func() { close(late) })
					return zkserver.Action{Hold: late}
				}
				return zkserver.Action{}
			})
			meetAgain(t, sessions, "/b", d, 200)
			if left := s.ours("/b"); len(left) > 0 {
				t.Errorf("%s: left behind: %v", d, left)
			}
		})
	}
}

// TestAStaleReadyLetsNobodyInAlone: the round it stands for is dead.
func TestAStaleReadyLetsNobodyInAlone(t *testing.T) {
	for _, d := range barrierDialects {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			dead := s.session()
			if _, err := dead.DoubleBarrier("/b", 1, Options{Dialect: d}).Enter(ctx); err != nil {
				t.Fatal(err)
			}
			s.server.ExpireSession(int64(dead.ID()))
			if _, there := s.server.Node("/b/ready"); !there {
				t.Fatal("no ready is left behind")
			}
			entered := make(chan error, 2)
			for range 2 {
				ses := s.session()
				time.Sleep(time.Second)
				synctest.Wait()
				if len(entered) > 0 {
					t.Errorf("%s: one is let in alone (%v)", d, <-entered)
				}
				go func() {
					_, err := ses.DoubleBarrier("/b", 2, Options{Dialect: d}).Enter(ctx)
					entered <- err
				}()
			}
			for range 2 {
				if err := <-entered; err != nil {
					t.Errorf("%s: %v", d, err)
				}
			}
		})
	}
}

// TestWhoComesLateIsWaitedFor: a round has as many members as come while it is on.
func TestWhoComesLateIsWaitedFor(t *testing.T) {
	for _, d := range barrierDialects {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			b := func() DoubleBarrier { return s.session().DoubleBarrier("/b", 1, Options{Dialect: d}) }
			early, late := b(), b()
			first, err := early.Enter(ctx)
			granted(t, first, err)
			second, err := late.Enter(ctx)
			granted(t, second, err)
			left := make(chan error, 2)
			go func() { left <- early.Leave(ctx, first) }()
			time.Sleep(time.Minute)
			if len(left) > 0 {
				t.Errorf("%s: the first has left before the one that came late (%v)", d, <-left)
			}
			go func() { left <- late.Leave(ctx, second) }()
			for range 2 {
				if err := <-left; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestARoundThatIsGivenUpSaysHowFarItGot, and why that may be so with other libraries' clients.
func TestARoundThatIsGivenUpSaysHowFarItGot(t *testing.T) {
	for _, d := range barrierDialects {
		bubble(t, func(s *stage) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			_, err := s.session().DoubleBarrier("/b", 3, Options{Dialect: d}).Enter(ctx)
			if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 of 3 have come") ||
				strings.Contains(err.Error(), "another library") != (d != ZooKeeper) {
				t.Errorf("%s: %v", d, err)
			}
		})
	}
}
