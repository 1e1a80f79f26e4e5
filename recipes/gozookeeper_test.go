package recipes

import (
	"context"
	"errors"
	"math"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

type silent struct{}

func (silent) Printf(string, ...any) {}

// taker is a connection whose writes do not fail: that it is dead is told by its reads. go-zookeeper answers a request
// whose write failed twice, and where nobody waits for it any more its goroutine stands for ever at the second answer.
type taker struct{ net.Conn }

func taking(c net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	return taker{c}, nil
}

func (c taker) Write(p []byte) (int, error) {
	_, _ = c.Conn.Write(p)
	return len(p), nil
}

// borrow opens a connection with go-zookeeper.
func borrow(t *testing.T, addr string) *zk.Conn {
	t.Helper()
	dial := func(network, addr string, wait time.Duration) (net.Conn, error) {
		return taking(net.DialTimeout(network, addr, wait))
	}
	conn, events, err := zk.Connect([]string{addr}, 6*time.Second, zk.WithLogger(silent{}), zk.WithDialer(dial))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	for ev := range events {
		if ev.State == zk.StateHasSession {
			break
		}
	}
	return conn
}

// TestABorrowedConnectionServesEveryRecipe plays every recipe on sessions made of go-zookeeper's connections.
func TestABorrowedConnectionServesEveryRecipe(t *testing.T) {
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			server := zkserver.New(zkserver.Options{ReapInterval: 50 * time.Millisecond})
			defer server.Close()
			addr, err := server.Listen("127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			p, end := rehearse(FromConn(borrow(t, addr.String()), 6*time.Second), FromConn(borrow(t, addr.String()), 6*time.Second))
			err = a.play(p)
			end()
			p.wait()
			if err != nil {
				t.Error(err)
			}
			for path, n := range server.Tree() {
				if n.Stat.EphemeralOwner != 0 {
					t.Errorf("%s stays", path)
				}
			}
			p.s.Close()
			p.help.Close()
		})
	}
}

func TestClosingABorrowedSessionReleasesAndLeavesTheConnection(t *testing.T) {
	server := zkserver.New(zkserver.Options{})
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn := borrow(t, addr.String())
	s := FromConn(conn, 6*time.Second)
	c, err := s.Lock("/l", Options{}).Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	<-c.Lost()
	if there, _, err := conn.Exists(c.Path()); there || err != nil {
		t.Errorf("there %v, %v", there, err)
	}
	if _, err := s.Lock("/l", Options{}).Acquire(context.Background()); !errors.Is(err, ErrLost) {
		t.Errorf("a closed session: %v", err)
	}
}

func TestABorrowedSessionExpires(t *testing.T) {
	server := zkserver.New(zkserver.Options{})
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := FromConn(borrow(t, addr.String()), 6*time.Second)
	defer s.Close()
	c, err := s.Lock("/l", Options{}).Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	server.ExpireSession(int64(s.ID()))
	lost := func() bool { return closed(c.Lost()) && closed(s.Lost()) }
	peers.WaitFor(t, 20*time.Second, "loss of claim and session", lost)
}

// TestBesideControlCenter: a znode made as its leaders make theirs stands in one line with ours, and by its rule, the
// smallest number after the last dash, ours leads before it and not after.
func TestBesideControlCenter(t *testing.T) {
	server := zkserver.New(zkserver.Options{})
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ses, theirs := FromConn(borrow(t, addr.String()), 6*time.Second), borrow(t, addr.String())
	defer ses.Close()
	campaign := ses.Election("/scheduler", Options{Dialect: Dialect(layout.Serviced), Data: []byte(`{"HostID":"570a276b"}`)})
	first, err := campaign.Campaign(ctx)
	granted(t, first, err)
	stands, err := theirs.CreateProtectedEphemeralSequential("/scheduler/leader-", []byte(`{"HostID":"570a2802"}`), zk.WorldACL(zk.PermAll))
	if err != nil {
		t.Fatal(err)
	}
	lowest := func() (path string) {
		names, _, err := theirs.Children("/scheduler")
		if err != nil {
			t.Fatal(err)
		}
		least := uint64(math.MaxUint64)
		for _, n := range names {
			seq, err := strconv.ParseUint(n[strings.LastIndex(n, "-")+1:], 10, 64)
			if err != nil {
				t.Fatal(err) // they would not elect at all
			}
			if seq < least {
				least, path = seq, "/scheduler/"+n
			}
		}
		return path
	}
	if got := lowest(); got != first.Path() {
		t.Errorf("they take %s for the leader, and not ours, %s", got, first.Path())
	}
	if err := first.Release(ctx); err != nil {
		t.Fatal(err)
	}
	if l, err := campaign.Leader(ctx); err != nil || l.Path != stands || lowest() != stands {
		t.Errorf("%+v, %v; they lead with %s", l, err, stands)
	}
	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	if c, err := campaign.Campaign(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %v: ours leads beside theirs", c, err)
	}
}
