package mirror

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

type dialFunc = func(context.Context, string, string) (net.Conn, error)

// between puts a function on every frame of a connection: client says which direction, and false drops it.
func between(next dialFunc, pass func(client bool, frame []byte) bool) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		server, err := next(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		ours, theirs := net.Pipe()
		relay := func(from, to net.Conn, client bool) {
			defer from.Close()
			defer to.Close()
			for {
				frame, err := wire.ReadFrame(from, 64<<20)
				if err != nil {
					return
				}
				if pass(client, frame) {
					if _, err := io.Copy(to, bytes.NewReader(wire.AppendFrame(nil, frame))); err != nil {
						return
					}
				}
			}
		}
		go relay(theirs, server, true)
		go relay(server, theirs, false)
		return ours, nil
	}
}

func isEvent(frame []byte) bool {
	return len(frame) >= 16 && int32(binary.BigEndian.Uint32(frame)) == wire.XidEvent
}

// TestLostWatchIsNoticed makes a mere read of the recursive watch after the first reconnection, as a broken server or
// proxy would that forgets it. Nothing but the background comparison can notice.
func TestLostWatchIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		create(t, c, "/a", "", 0)
		var swallow atomic.Bool
		cfg := pipeTo(s)
		cfg.Dial = between(cfg.Dial, func(client bool, frame []byte) bool {
			if client && swallow.Load() && len(frame) > 8 && wire.Op(binary.BigEndian.Uint32(frame[4:])) == wire.OpAddWatch {
				binary.BigEndian.PutUint32(frame[4:], uint32(wire.OpExists))
			}
			return true
		})
		m := start(t, cfg, Options{})
		await(t, m, time.Second, "the load", complete)
		swallow.Store(true)
		s.DropConnections()
		await(t, m, time.Second, "a second load", func(s *znode.Snapshot) bool { return m.Status().Loads == 2 && complete(s) })
		swallow.Store(false)
		start := time.Now()
		if _, err := c.Set(t.Context(), "/a", []byte("silent"), -1); err != nil {
			t.Fatal(err)
		}
		await(t, m, time.Minute, "the change is found", func(s *znode.Snapshot) bool { return string(s.At("/a").Data) == "silent" })
		if took := time.Since(start); took > 11*time.Second || m.Status().Missed != 1 {
			t.Fatalf("found after %v, %+v", took, m.Status())
		}
		snap := await(t, m, time.Second, "a third load", func(s *znode.Snapshot) bool { return m.Status().Loads == 3 && complete(s) })
		if snap.Gap.From.After(start) || snap.Gap.To.Before(start) {
			t.Errorf("a change at %v, which no event told, is not in the gap %v", start, snap.Gap)
		}
		create(t, c, "/b", "", 0)
		agree(t, m, c, 100*time.Millisecond) // the watch is there again
	})
}

// TestSwallowedEventsAreNoticed drops single events, which no question to the server reveals.
func TestSwallowedEventsAreNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		fill(t, c, 5, 50)
		r := rand.New(rand.NewPCG(1, 1))
		var lossy atomic.Bool
		var events atomic.Int64
		cfg := pipeTo(s)
		cfg.Dial = between(cfg.Dial, func(client bool, frame []byte) bool {
			return client || !lossy.Load() || !isEvent(frame) || events.Add(1)%4 > 0
		})
		m := start(t, cfg, Options{})
		await(t, m, time.Second, "the load", complete)
		lossy.Store(true)
		for range 3 {
			churn(c, r, 5, 200, func() { time.Sleep(time.Millisecond) })
			agree(t, m, c, time.Minute)
		}
	})
}

func TestChangesWithoutAnEventAreFound(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		create(t, c, "/a", "x", 0)
		agree(t, m, c, time.Second)
		if _, err := c.SetACL(t.Context(), "/a", wire.OpenACL(), -1); err != nil {
			t.Fatal(err)
		}
		agree(t, m, c, 11*time.Second)
		if st := m.Status(); st.Missed != 0 || st.Loads != 1 {
			t.Errorf("an ACL is no lost watch: %+v", st)
		}
	})
}

// TestIdleCostsLittle lets a mirror stand for ten minutes.
func TestIdleCostsLittle(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 20, 100)
		agree(t, m, c, time.Second)
		before := m.Status()
		time.Sleep(10 * time.Minute)
		after := m.Status()
		if n := after.Counters.Requests - before.Counters.Requests; n > 600*2 {
			t.Errorf("%d requests in ten minutes", n)
		}
		if after.Snapshots != before.Snapshots || after.Loads != 1 || after.Missed != 0 {
			t.Errorf("%+v", after)
		}
	})
}

func TestComparisonComesByEveryZnode(t *testing.T) {
	root := &znode.Node{}
	for _, name := range []string{"a", "a-b", "b", "c"} {
		n := &znode.Node{Name: name}
		for _, kid := range []string{"x", "y", "z"} {
			n.Children = append(n.Children, &znode.Node{Name: kid, Cversion: 1})
		}
		root.Children = append(root.Children, n)
	}
	for _, step := range []int{1, 2, 5, 100} {
		var got []string
		from := ""
		for range 40 {
			asks, next := after(nil, root, "/", from, step, func(*znode.Node) bool { return true })
			for _, a := range asks {
				got = append(got, a.path())
			}
			if from = next; next == "" {
				break
			}
		}
		if len(got) != 17 || got[0] != "/" || got[5] != "/a-b" || got[16] != "/c/z" {
			t.Errorf("in steps of %d: %q", step, got)
		}
	}
	asks, _ := after(nil, root, "/", "/a/yy", 2, func(n *znode.Node) bool { return n.Cversion > 0 })
	if len(asks) != 2 || asks[0].path() != "/a/z" || asks[1].path() != "/a-b/x" {
		t.Errorf("%+v", asks)
	}
}

// TestOldServer has neither recursive watches nor batch reads.
func TestOldServer(t *testing.T) {
	virtual(t, zkserver.Options{NoAddWatch: true, NoMultiRead: true}, Options{Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		r := rand.New(rand.NewPCG(3, 1))
		for range 4 {
			churn(c, r, 6, 300, func() { time.Sleep(time.Duration(r.IntN(3)) * time.Millisecond) })
			agree(t, m, c, 5*time.Second)
			if r.IntN(2) == 0 {
				s.DropConnections()
			}
		}
		st := m.Status()
		if st.State.Connects > 6 || !st.State.Plain || st.Polling || st.Counters.Watches < 100 {
			t.Errorf("%+v", st)
		}
		t.Logf("%d events, %d requests", st.Events, st.Counters.Requests)
	})
}
