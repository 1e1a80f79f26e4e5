package recipes

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestADirectoryMadeAnewGrantsNothing: its numbers begin at 0 again. Somebody else takes as many as there were, so that
// ours is the next one of our last, and holds. Servers tell us nothing of it when we may not read the directory any more.
func TestADirectoryMadeAnewGrantsNothing(t *testing.T) {
	stands := []string{"-Dznode.container.checkIntervalMs=3600000"} // nobody but us takes the directory away while it is empty
	for name, acl := range map[string][]wire.ACL{"told": nil, "not told": hidden} {
		t.Run(name+", embedded", func(t *testing.T) {
			s := zkserver.New(zkserver.Options{})
			defer s.Close()
			addr, err := s.Listen("127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			madeAnew(t, addr.String(), addr.String(), acl, 20)
		})
		t.Run(name+", real", func(t *testing.T) {
			t.Parallel()
			addr := peers.ZooKeeper(t, peers.Options{JVMFlags: stands}).Addr
			madeAnew(t, addr, addr, acl, 20)
		})
		t.Run(name+", real, by another member", func(t *testing.T) {
			members := peers.Ensemble(t, 3, peers.Options{JVMFlags: stands})
			madeAnew(t, members[0].Addr, members[1].Addr, acl, 10)
		})
	}
}

// madeAnew makes a lock's directory anew between two of our turns, so many times. acl is set before that; nil: none is.
func madeAnew(t *testing.T, addr, theirs string, acl []wire.ACL, rounds int) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dial := func(addr string, auth ...Credential) *Session {
		s, err := Dial(ctx, Config{Servers: []string{addr}, Auth: auth})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	ours, other := dial(addr), dial(theirs, Credential{Scheme: "digest", Token: []byte("other:secret")})
	proven := 0
	for i := range rounds {
		var last int32
		for range 5 {
			c, err := ours.Lock("/l", Options{}).Acquire(ctx)
			granted(t, c, err)
			last = layout.ParseName(c.t.name).Seq
			if err := c.Release(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if ours.maybeAlone("/l") {
			proven++
		}
		if acl != nil {
			if _, err := other.conn.(zkcConn).SetACL(ctx, "/l", acl, -1); err != nil {
				t.Fatal(err)
			}
		}
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
	if proven < rounds/2 { // somebody else may have written something now and then
		t.Errorf("the next turn was to be granted without a look in %d of %d rounds: nothing is tried here", proven, rounds)
	}
}

// TestAloneIsProvenOnlyWhenItIsSo lets others do whatever they can do with a lock's directory while ours is taken again
// and again, and between its turns. Whenever it is granted nobody else may be there before it.
func TestAloneIsProvenOnlyWhenItIsSo(t *testing.T) {
	unlooked := 0
	rapid.Check(t, func(t *rapid.T) {
		server := zkserver.New(zkserver.Options{})
		defer server.Close()
		ctx := context.Background()
		dial := func() *Session {
			s, err := Dial(ctx, Config{Servers: []string{"zk"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return server.Dial(ctx) }})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		ours, other := dial(), dial()
		defer ours.Close()
		defer other.Close()
		var mine *Claim
		var theirs []string // their claims' znodes
		act := map[string]func(){
			"write elsewhere": func() { _, _ = other.conn.Create(ctx, "/x", nil, wire.FlagSequence, nil) },
			"stand": func() {
				if c, err := other.conn.Create(ctx, "/l/g-lock-", nil, wire.FlagEphemeralSequence, nil); err == nil {
					theirs = append(theirs, c.Path)
				}
			},
			"go": func() {
				if len(theirs) > 0 {
					_ = other.conn.Delete(ctx, theirs[0], -1)
					theirs = theirs[1:]
				}
			},
			"delete ours": func() {
				if mine != nil {
					_ = other.conn.Delete(ctx, mine.Path(), -1)
				}
			},
			"delete the directory": func() { _ = other.conn.Delete(ctx, "/l", -1) },
			"make the directory":   func() { _, _ = other.conn.Create(ctx, "/l", nil, wire.FlagPersistent, nil) },
		}
		take := func() {
			if mine != nil {
				if err := mine.Release(ctx); err != nil {
					t.Fatal(err)
				}
				mine = nil
				return
			}
			server.ForgetRequests()
			c, err := ours.Lock("/l", Options{}).TryAcquire(ctx)
			if errors.Is(err, ErrBusy) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(theirs) > 0 {
				t.Fatalf("granted %s behind %q", c.Path(), theirs)
			}
			if !slices.ContainsFunc(server.Requests(), func(r zkserver.Request) bool { return r.Op == wire.OpGetChildren || r.Op == wire.OpGetChildren2 }) {
				unlooked++
			}
			mine = c
		}
		for range rapid.IntRange(5, 60).Draw(t, "steps") {
			what := rapid.SampledFrom(append(slices.Repeat([]string{"take"}, 12), slices.Sorted(maps.Keys(act))...)).Draw(t, "what")
			if what == "take" {
				take()
			} else {
				act[what]()
			}
		}
	})
	if unlooked < 100 {
		t.Errorf("only %d turns were granted without a look", unlooked)
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
	for _, d := range []Dialect{ZooKeeper, Curator, Kazoo} {
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

// What was proven by zxids holds for one connection: behind another there may be servers that were played back.
func TestAnotherConnectionProvesNothingOfTheOneBefore(t *testing.T) {
	server := zkserver.New(zkserver.Options{Record: true})
	defer server.Close()
	ctx := context.Background()
	s, err := Dial(ctx, Config{Servers: []string{"zk"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return server.Dial(ctx) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := s.Lock("/l", Options{})
	lists := func() (n int) {
		server.ForgetRequests()
		c, err := l.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range server.Requests() {
			if r.Op == wire.OpGetChildren || r.Op == wire.OpGetChildren2 {
				n++
			}
		}
		if err := c.Release(ctx); err != nil {
			t.Fatal(err)
		}
		return n
	}
	lists()
	lists()
	if n := lists(); n != 0 {
		t.Fatalf("%d lists where nothing was written in between", n)
	}
	server.DropConnections()
	if n := lists(); n == 0 {
		t.Error("the turn was taken without a list behind another connection")
	}
}
