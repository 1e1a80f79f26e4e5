package recipes

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// lateTries are how often two clients meet at each tick, each time at another point of the tick.
const lateTries = 16

// lateRun is one try: one client holds a lock over a network that turns slow and then dies, another waits for it.
type lateRun struct {
	tick    time.Duration
	timeout time.Duration // of the session
	delay   time.Duration // of the replies
	phase   time.Duration
}

func lateRuns(tick time.Duration) (out []lateRun) {
	for i := range lateTries {
		timeout := 2 * tick
		out = append(out, lateRun{tick, timeout, timeout * time.Duration(14+5*(i%4)) / 100, tick * time.Duration(i) / lateTries})
	}
	return out
}

// margin returns how long the lock was nobody's: from the loss at the first client to the grant at the second.
func (r lateRun) margin(t *testing.T, a, b *Session, n *peers.Late, path string) time.Duration {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := a.Lock(path, Options{}).Acquire(ctx)
	if err != nil {
		t.Error(err)
		return 0
	}
	lost := make(chan time.Time, 1)
	go func() {
		<-c.Lost()
		lost <- time.Now()
	}()
	granted := make(chan time.Time, 1)
	go func() {
		if _, err := b.Lock(path, Options{}).Acquire(ctx); err != nil {
			t.Error(err)
		}
		granted <- time.Now()
	}()
	time.Sleep(r.tick + r.phase)
	n.Delay(r.delay)
	time.Sleep(r.timeout * 5 / 4) // several pings come back late
	if closed(c.Lost()) {
		t.Logf("%v of %v late: lost before the silence", r.delay, r.timeout) // a busy machine: early, which is safe
	}
	n.Silence()
	at := <-granted
	return at.Sub(<-lost)
}

func judge(t *testing.T, margins []time.Duration, what string) {
	t.Helper()
	if t.Failed() {
		return // some have no margin
	}
	slices.Sort(margins)
	t.Logf("%s: %d tries; the lock was nobody's for %v at least, %v in the middle, %v at most", what, len(margins),
		margins[0].Round(time.Millisecond), margins[len(margins)/2].Round(time.Millisecond), margins[len(margins)-1].Round(time.Millisecond))
	for _, m := range margins {
		if m <= 0 {
			t.Errorf("%s: two clients held one lock for %v", what, -m)
		}
	}
}

// TestLateRepliesCostNoTimeOnARealServer: the time that replies are on their way is none that the client has.
func TestLateRepliesCostNoTimeOnARealServer(t *testing.T) {
	for _, tick := range []time.Duration{500 * time.Millisecond, 2 * time.Second} {
		for _, borrowed := range []bool{false, true} {
			t.Run(fmt.Sprintf("tick %v, borrowed %v", tick, borrowed), func(t *testing.T) {
				t.Parallel()
				server := peers.ZooKeeper(t, peers.Options{Tick: tick})
				var wg sync.WaitGroup
				margins := make([]time.Duration, lateTries)
				for i, r := range lateRuns(tick) {
					wg.Go(func() {
						n := peers.NewLate(new(net.Dialer).DialContext)
						defer n.Close()
						a, end := r.session(t, n, server.Addr, borrowed)
						defer end()
						b, err := Dial(t.Context(), Config{Servers: []string{server.Addr}, Timeout: 10 * tick})
						if err != nil {
							t.Error(err)
							return
						}
						defer b.Close()
						margins[i] = r.margin(t, a, b, n, fmt.Sprint("/late/", i))
					})
				}
				wg.Wait()
				judge(t, margins, fmt.Sprintf("tick %v, borrowed %v", tick, borrowed))
			})
		}
	}
}

// session opens one over a slow network.
func (r lateRun) session(t *testing.T, n *peers.Late, addr string, borrowed bool) (*Session, func()) {
	if !borrowed {
		s, err := Dial(t.Context(), Config{Servers: []string{addr}, Timeout: r.timeout, Dial: n.Dial})
		if err != nil {
			t.Error(err)
		}
		return s, s.Close
	}
	conn, events, err := zk.Connect([]string{addr}, r.timeout, zk.WithLogger(silent{}), zk.WithDialer(func(network, addr string, _ time.Duration) (net.Conn, error) {
		return taking(n.Dial(context.Background(), network, addr))
	}))
	if err != nil {
		t.Error(err)
	}
	for ev := range events {
		if ev.State == zk.StateHasSession {
			break
		}
	}
	s := FromConn(conn, r.timeout)
	return s, func() { s.Close(); conn.Close() }
}

// TestLateRepliesCostNoTime is the same in virtual time, where the margin is exact.
func TestLateRepliesCostNoTime(t *testing.T) {
	for _, tick := range []time.Duration{500 * time.Millisecond, 2 * time.Second} {
		var margins []time.Duration
		for _, r := range lateRuns(tick) {
			synctest.Test(t, func(t *testing.T) {
				server := zkserver.New(zkserver.Options{MinTimeout: 2 * tick})
				defer server.Close()
				direct := func(ctx context.Context, _, _ string) (net.Conn, error) { return server.Dial(ctx) }
				n := peers.NewLate(direct)
				defer n.Close()
				a, err := Dial(t.Context(), Config{Servers: []string{"s:1"}, Timeout: r.timeout, Dial: n.Dial})
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				b, err := Dial(t.Context(), Config{Servers: []string{"s:1"}, Timeout: 20 * time.Second, Dial: direct})
				if err != nil {
					t.Fatal(err)
				}
				defer b.Close()
				margins = append(margins, r.margin(t, a, b, n, "/late"))
			})
		}
		judge(t, margins, fmt.Sprintf("tick %v, virtual", tick))
	}
}
