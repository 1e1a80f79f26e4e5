package zkserver_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// quiet drops the client's log.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// one is a host provider with one address that does not exist.
type one struct{}

func (one) Init([]string) error  { return nil }
func (one) Len() int             { return 1 }
func (one) Next() (string, bool) { return "server:2181", true }
func (one) Connected()           {}

// dialZK connects go-zookeeper to an in-process server; states gets the client's states.
func dialZK(t *testing.T, s *zkserver.Server, timeout time.Duration) (c *zk.Conn, states <-chan zk.State) {
	t.Helper()
	all := make(chan zk.State, 100)
	c, _, err := zk.Connect([]string{"server:2181"}, timeout, zk.WithLogger(quiet{}), zk.WithLogInfo(false), zk.WithHostProvider(one{}),
		zk.WithEventCallback(func(e zk.Event) {
			if e.Type == zk.EventSession {
				all <- e.State
			}
		}),
		zk.WithDialer(func(string, string, time.Duration) (net.Conn, error) { return s.Dial(context.Background()) }))
	if err != nil {
		t.Fatal(err)
	}
	reach(all, zk.StateHasSession)
	return c, all
}

func reach(states <-chan zk.State, want zk.State) {
	for s := range states {
		if s == want {
			return
		}
	}
}

func zkBubble(t *testing.T, f func(s *zkserver.Server)) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		f(s)
	})
}

var open = zk.WorldACL(zk.PermAll)

func TestGoZookeeperSession(t *testing.T) {
	zkBubble(t, func(s *zkserver.Server) {
		c, states := dialZK(t, s, 10*time.Second)
		defer c.Close()
		if _, err := c.Create("/e", nil, zk.FlagEphemeral, open); err != nil {
			t.Fatal(err)
		}
		id := c.SessionID()
		time.Sleep(10 * time.Minute) // pings keep the session
		s.DropConnections()
		reach(states, zk.StateHasSession)
		if ok, st, err := c.Exists("/e"); !ok || st.EphemeralOwner != id || err != nil {
			t.Fatal(ok, st, err)
		}
		s.Pause()
		time.Sleep(time.Minute)
		s.Resume()
		reach(states, zk.StateExpired)
		reach(states, zk.StateHasSession)
		if ok, _, err := c.Exists("/e"); ok || err != nil || c.SessionID() == id {
			t.Fatal("the ephemeral outlives its session", ok, err)
		}
	})
}

func TestGoZookeeperOperations(t *testing.T) {
	zkBubble(t, func(s *zkserver.Server) {
		c, _ := dialZK(t, s, 10*time.Second)
		defer c.Close()
		must := func(_ any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(c.Create("/a", []byte("x"), 0, open))
		must(c.CreateContainer("/c", nil, zk.FlagContainer, open))
		must(c.CreateTTL("/ttl", nil, zk.FlagTTL, open, time.Hour))
		must(c.CreateProtectedEphemeralSequential("/a/lock-", nil, open))
		must(nil, c.AddAuth("digest", []byte("u:p")))
		must(c.Create("/mine", nil, 0, zk.AuthACL(zk.PermRead|zk.PermAdmin)))
		if _, err := c.Set("/mine", nil, -1); err != zk.ErrNoAuth {
			t.Fatal(err)
		}
		acl, _, err := c.GetACL("/mine")
		if len(acl) != 1 || acl[0].ID != zkserver.DigestID("u:p") || err != nil {
			t.Fatal(acl, err)
		}
		must(c.Sync("/a"))
		if err := c.Delete("/a", -1); err != zk.ErrNotEmpty {
			t.Fatal(err)
		}
		res, err := c.Multi(&zk.CreateRequest{Path: "/m-", Acl: open, Flags: zk.FlagSequence}, &zk.SetDataRequest{Path: "/a", Version: 0},
			&zk.CheckVersionRequest{Path: "/a", Version: 1}, &zk.DeleteRequest{Path: "/c", Version: -1})
		if err != nil || res[0].String != "/m-0000000004" || res[1].Stat.Version != 1 {
			t.Fatalf("%+v %v", res, err)
		}
		res, err = c.Multi(&zk.DeleteRequest{Path: "/ttl", Version: -1}, &zk.CheckVersionRequest{Path: "/a", Version: 7})
		if !errors.Is(err, zk.ErrBadVersion) || len(res) != 2 {
			t.Fatalf("%+v %v", res, err)
		}
		if ok, _, _ := c.Exists("/ttl"); !ok {
			t.Fatal("a failed multi changes nothing")
		}
	})
}

func TestGoZookeeperWatchesAfterALostConnection(t *testing.T) {
	zkBubble(t, func(s *zkserver.Server) {
		c, states := dialZK(t, s, 10*time.Second)
		defer c.Close()
		other, _ := dialZK(t, s, 10*time.Second)
		defer other.Close()
		for _, p := range []string{"/data", "/kids", "/late"} {
			if _, err := other.Create(p, nil, 0, open); err != nil {
				t.Fatal(err)
			}
		}
		_, _, data, _ := c.GetW("/data")
		_, _, kids, _ := c.ChildrenW("/kids")
		_, _, exist, _ := c.ExistsW("/new")
		_, _, late, _ := c.GetW("/late")
		s.SetFault(func(r zkserver.Request) zkserver.Action { // the watching client stays away until the others are done
			if r.Op == wire.OpCreateSession {
				time.Sleep(time.Second)
			}
			return zkserver.Action{}
		})
		s.Drop(c.SessionID())
		if _, err := other.Set("/data", []byte("x"), 0); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{"/kids/a", "/new"} {
			if _, err := other.Create(p, nil, 0, open); err != nil {
				t.Fatal(err)
			}
		}
		reach(states, zk.StateHasSession)
		for want, ch := range map[zk.EventType]<-chan zk.Event{zk.EventNodeDataChanged: data, zk.EventNodeChildrenChanged: kids, zk.EventNodeCreated: exist} {
			if e := <-ch; e.Type != want {
				t.Errorf("%v, want %v", e, want)
			}
		}
		if err := other.Delete("/late", -1); err != nil {
			t.Fatal(err)
		}
		if e := <-late; e.Type != zk.EventNodeDeleted {
			t.Errorf("%v: the watch was to be set again", e)
		}
	})
}

func TestGoZookeeperLockTurns(t *testing.T) {
	zkBubble(t, func(s *zkserver.Server) {
		const workers, each = 8, 20
		var inside, overlaps, turns atomic.Int32
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				c, _ := dialZK(t, s, 10*time.Second)
				defer c.Close()
				for range each {
					l := zk.NewLock(c, "/lock", open)
					if err := l.Lock(); err != nil {
						t.Error(err)
						return
					}
					if inside.Add(1) > 1 {
						overlaps.Add(1)
					}
					time.Sleep(time.Second)
					turns.Add(1)
					inside.Add(-1)
					if err := l.Unlock(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		n, _ := s.Node("/lock")
		if got := fmt.Sprint(turns.Load(), overlaps.Load(), n.Stat.NumChildren, n.Stat.Cversion); got != "160 0 0 320" {
			t.Errorf("turns, overlaps, left, cversion: %s", got)
		}
	})
}
