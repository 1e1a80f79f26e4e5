package recipes

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// hidden lets nobody read: servers then tell nobody of anything.
var hidden = []wire.ACL{{Perms: wire.PermAll &^ wire.PermRead, Scheme: "world", ID: "anyone"}}

// hide takes the right to read a znode from everybody.
func hide(t *testing.T, by *Session, path string) {
	t.Helper()
	if _, err := by.conn.(zkcConn).SetACL(context.Background(), path, hidden, -1); err != nil {
		t.Fatal(err)
	}
}

// grants are the ways to something that is held.
func grants() map[string]func(*Session) func(context.Context) (*Claim, error) {
	out := lines()
	out["single"] = func(s *Session) func(context.Context) (*Claim, error) {
		return s.SingleLock("/single", Options{}).Acquire
	}
	out["group"] = func(s *Session) func(context.Context) (*Claim, error) { return s.Membership("/g", Options{}).Join }
	out["item"] = func(s *Session) func(context.Context) (*Claim, error) {
		return func(ctx context.Context) (*Claim, error) {
			q := s.Queue("/q", QueueOptions{})
			if err := q.Put(ctx, nil); err != nil {
				return nil, err
			}
			item, err := q.Take(ctx)
			if err != nil {
				return nil, err
			}
			return item.mark, nil
		}
	}
	return out
}

// TestAnEndThatNobodyTellsIsNoticed: somebody takes the right to read from a claim's owner, and deletes it. The owner learns
// of it within half a session timeout.
func TestAnEndThatNobodyTellsIsNoticed(t *testing.T) {
	for kind, session := range map[string]func(*stage) *Session{"own": (*stage).session, "borrowed": (*stage).borrowed} {
		for name, acquire := range grants() {
			bubble(t, func(s *stage) {
				ses, other := session(s), s.session()
				c, err := acquire(ses)(context.Background())
				granted(t, c, err)
				time.Sleep(time.Second)
				hide(t, other, c.Path())
				gone := time.Now()
				if err := other.remove(context.Background(), c.Path()); err != nil {
					t.Fatal(err)
				}
				select {
				case <-c.Lost():
				case <-time.After(10 * ses.Timeout()):
					t.Fatalf("%s %s: it is not told", kind, name)
				}
				if took := time.Since(gone); took > ses.Timeout()/2 {
					t.Errorf("%s %s: told after %v", kind, name, took)
				}
			})
		}
	}
}

// waits are the ways to wait for what somebody else holds, and then has given up.
func waits() map[string]func(*Session) func(context.Context) (*Claim, error) {
	out := grants()
	delete(out, "group")
	delete(out, "item")
	out["barrier"] = func(s *Session) func(context.Context) (*Claim, error) {
		return func(ctx context.Context) (*Claim, error) { return nil, s.Barrier("/barrier", Options{}).Wait(ctx) }
	}
	return out
}

// TestWaitersAreWokenByWhatNobodyTells: the right to read what they wait for is taken from them while they wait.
func TestWaitersAreWokenByWhatNobodyTells(t *testing.T) {
	ctx := context.Background()
	for kind, session := range map[string]func(*stage) *Session{"own": (*stage).session, "borrowed": (*stage).borrowed} {
		for name, wait := range waits() {
			bubble(t, func(s *stage) {
				first, waiter, other := s.session(), session(s), s.session()
				path, free := "/barrier", func() error { return other.remove(ctx, "/barrier") }
				if name == "barrier" {
					if err := first.Barrier(path, Options{}).Close(ctx); err != nil {
						t.Fatal(err)
					}
				} else {
					held, err := wait(first)(ctx)
					granted(t, held, err)
					path, free = held.Path(), func() error { return held.Release(ctx) }
				}
				in := make(chan error, 1)
				go func() {
					c, err := wait(waiter)(ctx)
					if c != nil {
						defer c.Release(ctx)
					}
					in <- err
				}()
				time.Sleep(time.Second)
				hide(t, other, path)
				if err := free(); err != nil {
					t.Fatal(err)
				}
				gone := time.Now()
				select {
				case err := <-in:
					if took := time.Since(gone); err != nil || took > waiter.Timeout() {
						t.Errorf("%s %s: %v after %v", kind, name, err, took)
					}
				case <-time.After(10 * waiter.Timeout()):
					t.Errorf("%s %s: it waits on", kind, name)
					waiter.Close()
					<-in
				}
			})
		}
	}
}

// TestWhoMayNotReadTheDirectoryAnyMoreIsTold: it is granted, or told that it may not know, and does not wait on.
func TestWhoMayNotReadTheDirectoryAnyMoreIsTold(t *testing.T) {
	ctx := context.Background()
	for name, wait := range map[string]func(*Session) func(context.Context) (*Claim, error){
		"lock":      func(s *Session) func(context.Context) (*Claim, error) { return s.Lock("/d", Options{}).Acquire },
		"semaphore": func(s *Session) func(context.Context) (*Claim, error) { return s.Semaphore("/s", 1, Options{}).Acquire },
		"queue": func(s *Session) func(context.Context) (*Claim, error) {
			return func(ctx context.Context) (*Claim, error) {
				_, err := s.Queue("/q", QueueOptions{}).Take(ctx)
				return nil, err
			}
		},
	} {
		dir := map[string]string{"lock": "/d", "semaphore": "/s/leases", "queue": "/q"}[name]
		bubble(t, func(s *stage) {
			first, other := s.session(), s.session()
			if _, err := other.makeDir(ctx, dir, true, nil); err != nil {
				t.Fatal(err)
			}
			free := func() error { return nil }
			if name != "queue" {
				held, err := wait(first)(ctx)
				granted(t, held, err)
				free = func() error { return held.Release(ctx) }
			}
			in := make(chan error, 3)
			for range 3 {
				go func() {
					c, err := wait(s.session())(ctx)
					if c != nil {
						time.Sleep(time.Second)
						_ = c.Release(ctx)
					}
					in <- err
				}()
				synctest.Wait()
			}
			hide(t, other, dir)
			if err := free(); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				select {
				case err := <-in:
					if err != nil && !errors.Is(err, ErrDenied) {
						t.Errorf("%s: %v", name, err)
					}
				case <-time.After(time.Minute):
					t.Fatalf("%s: it waits on", name)
				}
			}
			for _, path := range s.standing() {
				t.Errorf("%s: %s stays", name, path)
			}
		})
	}
}

// TestTheCostOfWaitingAndHolding: at rest a holder asks twice in a session timeout whether its claim is still there, a waiter
// also once for the one ahead of it.
func TestTheCostOfWaitingAndHolding(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		const waiters, timeouts = 4, 10
		first := s.session()
		held, err := first.Lock("/l", Options{}).Acquire(ctx)
		granted(t, held, err)
		for range waiters {
			ses := s.session()
			go func() { _, _ = ses.Lock("/l", Options{}).Acquire(ctx) }()
			synctest.Wait()
		}
		time.Sleep(first.Timeout() + first.Timeout()/5) // off the beat
		s.server.ForgetRequests()
		time.Sleep(timeouts * first.Timeout())
		ops := map[wire.Op]int{}
		for _, r := range s.server.Requests() {
			ops[r.Op]++
		}
		delete(ops, wire.OpPing)
		if want := timeouts * (2 + 3*waiters); len(ops) != 1 || ops[wire.OpExists] != want {
			t.Errorf("%v, want %d exists", ops, want)
		}
	})
}

// TestARealServerTellsNobodyWhoMayNotRead: a holder and a waiter notice it all the same.
func TestARealServerTellsNobodyWhoMayNotRead(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	server := peers.ZooKeeper(t, peers.Options{})
	dial := func() *Session {
		s, err := Dial(ctx, Config{Servers: []string{server.Addr}, Timeout: 4 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	first, waiter, other := dial(), dial(), dial()
	lock := func(s *Session) Lock { return s.Lock("/l", Options{Dialect: Curator}) }
	held, err := lock(first).Acquire(ctx)
	granted(t, held, err)
	_ = held.Lost()
	in := make(chan error, 1)
	standing := make(chan bool, 9)
	go func() {
		o := Options{Dialect: Curator, Progress: Progress{Waiting: func(Wait) { standing <- true }}}
		_, err := waiter.Lock("/l", o).Acquire(ctx)
		in <- err
	}()
	<-standing
	peers.WaitFor(t, 10*time.Second, "three watches", func() bool { return strings.Contains(server.FourLetter("mntr"), "zk_watch_count\t3\n") })
	hide(t, other, held.Path())
	if err := other.remove(ctx, held.Path()); err != nil {
		t.Fatal(err)
	}
	for what, done := range map[string]func() bool{
		"the holder's loss": func() bool { return closed(held.Lost()) },
		"the waiter's turn": func() bool { return len(in) == 1 },
	} {
		peers.WaitFor(t, 15*time.Second, what, done)
	}
	if err := <-in; err != nil {
		t.Error(err)
	}
}
