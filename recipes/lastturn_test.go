package recipes

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// warm takes and gives back a lock until its directory is watched, and the next turn needs no look.
func warm(t *testing.T, ctx context.Context, s *Session, path string) {
	t.Helper()
	peers.WaitFor(t, 20*time.Second, "a turn that needs no look", func() bool {
		c, err := s.Lock(path, Options{}).Acquire(ctx)
		granted(t, c, err)
		if err := c.Release(ctx); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.turns[path] != nil && s.turns[path].sure()
	})
}

// TestADirectoryMadeAnewGrantsNothing: its numbers begin at 0 again. Somebody else takes as many as there were, so that
// ours is the next one of our last, and holds.
func TestADirectoryMadeAnewGrantsNothing(t *testing.T) {
	run := func(t *testing.T, addr string, rounds int) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		dial := func() *Session {
			s, err := Dial(ctx, Config{Servers: []string{addr}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			return s
		}
		ours, other := dial(), dial()
		for i := range rounds {
			warm(t, ctx, ours, "/l")
			ours.mu.Lock()
			last := ours.turns["/l"].seq
			ours.mu.Unlock()
			if err := other.conn.Delete(ctx, "/l", -1); err != nil {
				t.Fatal(err)
			}
			if _, err := other.makeDir(ctx, "/l", true, nil); err != nil {
				t.Fatal(err)
			}
			for range last { // of numbers 0 to last-1
				c, err := other.conn.Create(ctx, "/l/x-lock-", nil, wire.FlagSequence, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := other.conn.Delete(ctx, c.Path, -1); err != nil {
					t.Fatal(err)
				}
			}
			held, err := other.Lock("/l", Options{}).Acquire(ctx)
			granted(t, held, err)
			if n := layout.ParseName(held.t.name).Seq; n != last {
				t.Fatalf("round %d: it holds number %d, and our last was %d", i, n, last)
			}
			if c, err := ours.Lock("/l", Options{}).TryAcquire(ctx); !errors.Is(err, ErrBusy) {
				t.Fatalf("round %d: granted %v beside %s (%v)", i, c.Path(), held.Path(), err)
			}
			if err := held.Release(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Run("embedded", func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		addr, err := s.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		run(t, addr.String(), 20)
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		run(t, peers.ZooKeeper(t, peers.Options{}).Addr, 20)
	})
}

// TestTheLastTurnIsForgotten: whatever makes it doubtful that nobody came in between has the next one look.
func TestTheLastTurnIsForgotten(t *testing.T) {
	ctx := context.Background()
	for name, meanwhile := range map[string]func(s *stage, ours, other *Session) error{
		"nothing":     nil,
		"a lost link": func(s *stage, ours, _ *Session) error { s.server.Drop(int64(ours.ID())); return nil },
		"a changed directory": func(_ *stage, _, other *Session) error {
			_, err := other.conn.Set(ctx, "/l", []byte("x"), -1)
			return err
		},
		"a claim that came and went": func(_ *stage, _, other *Session) error {
			c, err := other.Lock("/l", Options{}).Acquire(ctx)
			return errors.Join(err, c.Release(ctx))
		},
		"a foreign child": func(_ *stage, _, other *Session) error {
			_, err := other.conn.Create(ctx, "/l/config", nil, 0, nil)
			return err
		},
		"a pause": func(*stage, *Session, *Session) error { time.Sleep(2 * turnIdle); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(s *stage) {
				ours, other := s.session(), s.session()
				if _, err := ours.makeDir(ctx, "/l", true, nil); err != nil {
					t.Fatal(err)
				}
				lock := ours.Lock("/l", Options{})
				for range 3 {
					c, err := lock.Acquire(ctx)
					granted(t, c, err)
					synctest.Wait()
					c.Release(ctx)
				}
				if meanwhile != nil {
					if err := meanwhile(s, ours, other); err != nil {
						t.Fatal(err)
					}
				}
				s.server.ForgetRequests()
				c, err := lock.Acquire(ctx)
				granted(t, c, err)
				defer c.Release(ctx)
				looked := slices.ContainsFunc(s.server.Requests(), func(r zkserver.Request) bool { return r.Op == wire.OpGetChildren || r.Op == wire.OpGetChildren2 })
				if looked != (meanwhile != nil) {
					t.Errorf("it looked: %v", looked)
				}
			})
		})
	}
}

// TestNoTurnIsGrantedTwice lets sessions of several goroutines each take short turns while somebody deletes the directory
// whenever that is empty, and connections are lost.
func TestNoTurnIsGrantedTwice(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		inside, turns, done := make(chan bool, 99), 0, make(chan bool)
		workers := 0
		for range 3 {
			ses := s.session()
			for range 2 {
				workers++
				go func() {
					defer func() { done <- true }()
					for ctx.Err() == nil {
						c, err := ses.Lock("/l", Options{}).Acquire(ctx)
						if err != nil {
							continue
						}
						inside <- true
						if len(inside) > 1 {
							t.Error("two hold")
						}
						turns++
						n := turns
						time.Sleep(time.Duration(n%7) * time.Millisecond)
						<-inside
						_ = c.Release(ctx)
						time.Sleep(time.Duration(n%11) * 3 * time.Millisecond)
					}
				}()
			}
		}
		vandal := s.session()
		for n := 0; ctx.Err() == nil; n++ {
			time.Sleep(7 * time.Millisecond)
			_ = vandal.conn.Delete(ctx, "/l", zkc.AnyVersion) // only where nobody is in it
			if n%50 == 49 {
				s.server.DropConnections()
			}
		}
		for range workers {
			<-done
		}
		if turns < 1000 {
			t.Errorf("%d turns", turns)
		}
	})
}

// TestADowngradedLockIsNoEnd: whoever waits for a write lock alone sees it go, and a read lock in its place.
func TestADowngradedLockIsNoEnd(t *testing.T) {
	for _, d := range []layout.Dialect{layout.ZooKeeper, layout.Curator, layout.Kazoo} {
		waits := map[string]func(*Session) func(context.Context) (*Claim, error){
			"write": func(s *Session) func(context.Context) (*Claim, error) {
				return s.SharedLock("/rw", Options{Dialect: d}).Write
			},
			"lock": func(s *Session) func(context.Context) (*Claim, error) {
				return s.Lock("/rw", Options{Dialect: d}).Acquire
			},
		}
		for name, wait := range waits {
			bubble(t, func(s *stage) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				l := s.session().SharedLock("/rw", Options{Dialect: d})
				w, err := l.Write(ctx)
				granted(t, w, err)
				waiter, in := s.session(), make(chan error, 1)
				go func() { _, err := wait(waiter)(ctx); in <- err }()
				synctest.Wait()
				r, err := l.Downgrade(ctx, w)
				granted(t, r, err)
				time.Sleep(time.Second)
				if len(in) > 0 {
					t.Errorf("%s: a %s came in beside a reader", d, name)
				}
				r.Release(ctx)
				if err := <-in; err != nil {
					t.Error(err)
				}
			})
		}
	}
}
