package zkserver_test

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// quiet drops the client's log.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// one is a host provider for one address that never sleeps between tries more than once a second.
type one struct{}

func (one) Init([]string) error  { return nil }
func (one) Len() int             { return 1 }
func (one) Next() (string, bool) { return "server:2181", true }
func (one) Connected()           {}

// dial connects go-zookeeper to an in-process server.
func dial(t *testing.T, s *zkserver.Server, timeout time.Duration) *zk.Conn {
	t.Helper()
	c, events, err := zk.Connect([]string{"server:2181"}, timeout, zk.WithLogger(quiet{}), zk.WithLogInfo(false),
		zk.WithHostProvider(one{}), zk.WithDialer(func(string, string, time.Duration) (net.Conn, error) {
			return s.Dial(context.Background())
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for e := range events {
		if e.State == zk.StateHasSession {
			return c
		}
	}
	return c
}

func TestGoZookeeperInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		c := dial(t, s, 10*time.Second)
		defer c.Close()
		if _, err := c.Create("/a", []byte("x"), 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute) // pings keep the session
		b, st, err := c.Get("/a")
		if string(b) != "x" || st.Version != 0 || err != nil {
			t.Fatalf("%q %+v %v", b, st, err)
		}
		_, _, ev, err := c.ExistsW("/b")
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Create("/b", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
		if e := <-ev; p != "/b" || err != nil || e.Type != zk.EventNodeCreated {
			t.Fatal(p, err, e)
		}
		res, err := c.Multi(&zk.CreateRequest{Path: "/a/s-", Acl: zk.WorldACL(31), Flags: zk.FlagSequence}, &zk.CheckVersionRequest{Path: "/a", Version: 7})
		if len(res) != 2 || res[1].Error == nil || err == nil {
			t.Fatalf("%+v %v", res, err)
		}
		if kids, st, err := c.Children("/a"); len(kids) != 0 || st.Cversion != 0 || err != nil {
			t.Fatal(kids, st, err)
		}
		s.DropConnections()
		if _, err := c.Set("/a", nil, 5); err == nil {
			t.Fatal("a set with a wrong version succeeds")
		}
		s.Pause()
		time.Sleep(time.Minute)
		s.Resume()
		synctest.Wait()
		if _, ok := s.Node("/b"); ok {
			t.Fatal("the ephemeral outlives its session")
		}
	})
}
