package zkc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestExpiryIsToldAndANewSessionFollows(t *testing.T) {
	j := &journal{}
	virtual(t, zkserver.Options{}, func(cfg *Config) { j.on(cfg); cfg.Watches = []string{"/"} }, func(t *testing.T, s *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/mine", "", wire.FlagEphemeral)
		mustCreate(t, c, "/x", "", 0)
		w := must[*Watch](t)(c.WatchOnce(t.Context(), WatchData, "/mine"))
		old := c.State().Session
		s.ExpireSession(old)
		mustWait(t, func() bool { return c.State().Session != old && c.State().Phase == Connected })
		st := c.State()
		if st.Phase != Connected || st.Session == old || st.Expirations != 1 || st.Connects != 2 {
			t.Fatalf("%+v after session %x", st, old)
		}
		if got := fmt.Sprint(j.phases()); got != "[connected disconnected expired expired connected]" {
			t.Fatal(got)
		}
		if ev := <-w.C; ev.Type != wire.EventNone && ev.Type != wire.EventDeleted {
			t.Fatalf("%+v", ev)
		}
		if ok, err := c.Watching(t.Context(), "/"); !ok || err != nil {
			t.Fatal("the recursive watch is not armed again", ok, err)
		}
		if n := c.Counters().Watches; n != 1 {
			t.Fatalf("%d watches", n)
		}
	})
}

func TestEndOnExpiry(t *testing.T) {
	virtual(t, zkserver.Options{}, func(cfg *Config) { cfg.EndOnExpiry = true }, func(t *testing.T, s *zkserver.Server, c *Conn) {
		s.ExpireSession(c.State().Session)
		time.Sleep(time.Minute)
		if st := c.State(); st.Phase != Failed || !errors.Is(st.Err, ErrSessionExpired) {
			t.Fatalf("%+v", st)
		}
		if _, _, err := c.Get(t.Context(), "/"); !errors.Is(err, ErrSessionExpired) {
			t.Fatal(err)
		}
		if n := len(s.Sessions()); n != 0 {
			t.Fatalf("%d sessions", n)
		}
	})
}

func TestWriteThatWaitedThroughAnExpiryIsNotSent(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		s.RefuseConnections(true)
		id := c.State().Session
		s.DropConnections()
		synctest.Wait()
		got := make(chan error)
		go func() {
			_, err := c.Create(t.Context(), "/late", nil, wire.FlagEphemeral, nil)
			got <- err
		}()
		time.Sleep(time.Second)
		s.ExpireSession(id)
		s.RefuseConnections(false)
		if err := <-got; !errors.Is(err, ErrSessionExpired) || errors.Is(err, ErrUnknownOutcome) {
			t.Fatal(err)
		}
		if _, there := s.Node("/late"); there {
			t.Fatal("it was sent on the new session")
		}
	})
}

func TestHungServerIsMissedInTime(t *testing.T) {
	j := &journal{}
	virtual(t, zkserver.Options{}, j.on, func(t *testing.T, s *zkserver.Server, c *Conn) {
		time.Sleep(time.Minute)
		heard := c.Heard()
		if silent := time.Since(heard); silent > 4*time.Second {
			t.Fatalf("an idle server that answers pings was heard %v ago", silent)
		}
		s.Pause()
		time.Sleep(10 * time.Minute)
		states, _ := j.seen()
		down := states[1]
		if down.Phase != Disconnected || !strings.Contains(down.Err.Error(), "no answer in time") {
			t.Fatalf("%+v", down)
		}
		if late := down.Since.Sub(down.LostSince); late < 6*time.Second || late > 7*time.Second || down.LostSince.Before(heard) {
			t.Fatalf("missed %v after the last sign of life", late)
		}
		if !c.Heard().IsZero() {
			t.Fatal("not connected, but heard")
		}
		if n := c.State().Attempts; n < 100 || n > 600 {
			t.Fatalf("%d attempts in ten minutes", n)
		}
		s.Resume()
		if _, _, err := c.Get(soon(t, 10*time.Second), "/"); err != nil {
			t.Fatal(err)
		}
		if st := c.State(); st.Expirations != 1 || !st.LostSince.IsZero() || st.Err != nil {
			t.Fatalf("%+v", st)
		}
	})
}

func TestHungServerCostsAThirdOfTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung, good := zkserver.New(zkserver.Options{}), zkserver.New(zkserver.Options{})
		defer hung.Close()
		defer good.Close()
		hung.Pause()
		cfg := Config{Servers: []string{"hung", "hung2", "good"}, Session: 6 * time.Second}
		cfg.Dial = func(ctx context.Context, _, addr string) (net.Conn, error) {
			if strings.HasPrefix(addr, "good") {
				return good.Dial(ctx)
			}
			return hung.Dial(ctx)
		}
		for range 5 {
			start := time.Now()
			c := must[*Conn](t)(Dial(t.Context(), cfg))
			if took := time.Since(start); took > 4*time.Second+100*time.Millisecond || took%(2*time.Second) > 100*time.Millisecond {
				t.Errorf("connected after %v", took)
			}
			c.Close()
		}
	})
}

func TestReconnectsAreQuickAndLeakNothing(t *testing.T) {
	j := &journal{}
	virtual(t, zkserver.Options{}, func(cfg *Config) { j.on(cfg); cfg.Watches = []string{"/"} }, func(t *testing.T, s *zkserver.Server, c *Conn) {
		var before int
		for i := range 21 {
			time.Sleep(2 * time.Second) // a connection that lasted
			s.DropConnections()
			start := time.Now()
			if _, _, err := c.Get(t.Context(), "/"); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 0 {
				t.Fatalf("reconnected after %v", took)
			}
			time.Sleep(time.Second)
			if n := goroutinesHere(); i == 0 {
				before = n
			} else if n != before {
				t.Fatalf("%d goroutines after %d reconnections, %d before", n, i, before)
			}
		}
		mustCreate(t, c, "/x", "", 0)
		synctest.Wait()
		if _, events := j.seen(); len(events) != 1 {
			t.Fatalf("%d events for one change", len(events))
		}
		if st := c.State(); st.Connects != 22 || st.Expirations != 0 {
			t.Fatalf("%+v", st)
		}
	})
}

func TestWriteOutcomes(t *testing.T) {
	for _, x := range []struct {
		drop    zkserver.Drop
		applied bool
	}{{zkserver.DropBefore, false}, {zkserver.DropAfter, true}} {
		virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
			s.SetFault(func(r zkserver.Request) zkserver.Action {
				if r.Op == wire.OpCreate2 {
					return zkserver.Action{Drop: x.drop}
				}
				return zkserver.Action{}
			})
			_, err := c.Create(t.Context(), "/a", nil, 0, nil)
			if !errors.Is(err, ErrUnknownOutcome) || !strings.HasPrefix(err.Error(), "create /a: outcome unknown") {
				t.Fatal(err)
			}
			if _, there, err := c.Exists(t.Context(), "/a"); there != x.applied || err != nil {
				t.Fatal(there, err)
			}
		})
	}
}

func TestReadsSurviveALostConnection(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/a", "x", 0)
		left := 3
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			if (r.Op == wire.OpGetData || r.Op == wire.OpMultiRead) && left > 0 {
				left--
				return zkserver.Action{Drop: zkserver.DropBefore}
			}
			return zkserver.Action{}
		})
		if data, _, err := c.Get(t.Context(), "/a"); string(data) != "x" || err != nil || left != 0 {
			t.Fatal(data, err, left)
		}
		left = 1
		if res, err := c.MultiRead(t.Context(), []Read{{Path: "/a"}}); err != nil || string(res[0].Data) != "x" || left != 0 {
			t.Fatal(res, err, left)
		}
		left = 1
		if w, err := c.WatchOnce(t.Context(), WatchData, "/a"); err != nil || string(w.Data) != "x" || left != 0 {
			t.Fatal(err, left)
		}
	})
}

func TestServerStatesInPlainWords(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		for code, want := range map[wire.Code]string{
			wire.ErrSessionMoved:  "set /: session has moved to another server: not applied",
			wire.ErrThrottled:     "set /: server is overloaded and dropped the request: not applied",
			wire.ErrNotReadOnly:   "set /: read-only: nothing was written",
			wire.ErrQuotaExceeded: "set /: quota exceeded: not applied",
			-999:                  "set /: server answered with error -999",
		} {
			s.SetFault(func(r zkserver.Request) zkserver.Action {
				if r.Op == wire.OpSetData {
					return zkserver.Action{Err: code}
				}
				return zkserver.Action{}
			})
			if _, err := c.Set(t.Context(), "/", nil, -1); err == nil || err.Error() != want || errors.Is(err, ErrUnknownOutcome) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	})
}

func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		closing := func(name string, limit time.Duration, c *Conn) {
			t.Helper()
			start := time.Now()
			c.Close()
			c.Close()
			if took := time.Since(start); took > limit {
				t.Errorf("%s: closed after %v", name, took)
			}
			if _, _, err := c.Get(t.Context(), "/"); !errors.Is(err, ErrClosed) || c.State().Phase != Closed {
				t.Errorf("%s: %v, %v", name, err, c.State().Phase)
			}
		}
		healthy := must[*Conn](t)(Dial(t.Context(), pipeTo(s)))
		closing("healthy", 0, healthy)
		if n := len(s.Sessions()); n != 0 {
			t.Errorf("%d sessions after a healthy close", n)
		}
		hung := must[*Conn](t)(Dial(t.Context(), pipeTo(s)))
		s.Pause()
		waiting := make(chan error)
		go func() { _, _, err := hung.Get(context.Background(), "/"); waiting <- err }()
		synctest.Wait()
		closing("hung", 2*time.Second, hung)
		if err := <-waiting; !errors.Is(err, ErrClosed) {
			t.Errorf("a call in flight ends with %v", err)
		}
		cfg := pipeTo(s)
		cfg.NoWait = true
		shaking := must[*Conn](t)(Dial(t.Context(), cfg))
		synctest.Wait()
		closing("in the handshake", 2*time.Second, shaking)
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no route") }
		nowhere := must[*Conn](t)(Dial(t.Context(), cfg))
		time.Sleep(10 * time.Second)
		closing("without a server", 2*time.Second, nowhere)
		s.Resume()
	})
}

func TestOldServerTakesTwoConnections(t *testing.T) {
	j := &journal{}
	var dials int
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{NoAddWatch: true, NoMultiRead: true})
		defer s.Close()
		cfg := pipeTo(s)
		next := cfg.Dial
		cfg.Dial = func(ctx context.Context, n, a string) (net.Conn, error) { dials++; return next(ctx, n, a) }
		cfg.Watches = []string{"/"}
		j.on(&cfg)
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		defer c.Close()
		mustWait(t, func() bool { return c.State().Plain })
		mustCreate(t, c, "/a", "x", 0)
		if err := c.AddWatch(t.Context(), "/"); !errors.Is(err, ErrNotOffered) {
			t.Fatal(err)
		}
		res := must[[]Result](t)(c.MultiRead(t.Context(), []Read{{Path: "/a"}, {Path: "/", Kind: ReadChildren}, {Path: "/none"}}))
		if string(res[0].Data) != "x" || len(res[1].Children) != 2 || res[2].Code != wire.ErrNoNode {
			t.Fatalf("%+v", res)
		}
		time.Sleep(time.Minute)
		if dials != 2 || c.State().Expirations != 0 {
			t.Fatalf("%d connections, %+v", dials, c.State())
		}
	})
}

// mustWait polls in virtual time.
func mustWait(t *testing.T, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("not within 50 s")
}

func TestProbeThatIsIgnoredOrHungUpOn(t *testing.T) {
	for name, action := range map[string]zkserver.Action{
		"ignored": {Hold: nil}, "hung up": {Drop: zkserver.DropBefore},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := zkserver.New(zkserver.Options{})
				defer s.Close()
				cfg := pipeTo(s)
				if name == "ignored" {
					cfg.Dial = deafTo(cfg.Dial, wire.OpMultiRead)
				} else {
					s.SetFault(func(r zkserver.Request) zkserver.Action {
						if r.Op == wire.OpMultiRead {
							return action
						}
						return zkserver.Action{}
					})
				}
				c := must[*Conn](t)(Dial(t.Context(), cfg))
				defer c.Close()
				res, err := c.MultiRead(soon(t, 30*time.Second), []Read{{Path: "/", Kind: ReadChildren}})
				if err != nil || len(res[0].Children) != 1 {
					t.Fatal(res, err)
				}
				if n := c.State().Connects; n > 3 {
					t.Fatalf("%d connections", n)
				}
			})
		})
	}
}

func TestARefusedSessionIsRenewedWhereThatIsAskedFor(t *testing.T) {
	virtual(t, zkserver.Options{}, func(c *Config) { c.RenewRefused = true }, func(t *testing.T, s *zkserver.Server, c *Conn) {
		old := c.State().Session
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op == wire.OpCreateSession && r.Session == old {
				return zkserver.Action{Drop: zkserver.DropBefore}
			}
			return zkserver.Action{}
		})
		s.DropConnections()
		mustWait(t, func() bool { return c.State().Phase == Connected && c.State().Session != old })
	})
}

func TestFreshSessionForServersThatRefuseIt(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		old := c.State().Session
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op == wire.OpCreateSession && c.State().Session == old && c.State().Attempts < 8 {
				return zkserver.Action{Drop: zkserver.DropBefore}
			}
			return zkserver.Action{}
		})
		s.DropConnections()
		mustWait(t, func() bool { return c.State().Attempts > 4 })
		if err := c.State().Err; err == nil || !strings.Contains(err.Error(), "refuses our session, which may be older than data already seen") {
			t.Fatal(err)
		}
		s.SetFault(nil)
		c.FreshSession()
		mustWait(t, func() bool { return c.State().Phase == Connected })
		if st := c.State(); st.Session == old || st.Expirations != 1 {
			t.Fatalf("%+v", st)
		}
	})
}
