package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

const (
	hotLocks   = 20
	hotClients = 30
	hotThreads = 4 // that share the session of a client
)

// TestHotLocksAreNoDeadlock lets clients of several threads each take hot locks, one or two at a time and always in the
// same order, so that sessions wait for each other all the time and no thread ever does for long: nothing that is said
// of a deadlock weighs more than low.
func TestHotLocksAreNoDeadlock(t *testing.T) {
	length, servers := 8*time.Second, hotServers(t)
	if os.Getenv("ZKSCOPE_LONG") != "" {
		length = time.Minute
	}
	ctx, stop := context.WithTimeout(context.Background(), length)
	defer stop()
	var grants atomic.Int64
	var crowd sync.WaitGroup
	for i := range hotClients {
		hotClient(ctx, t, &crowd, servers[i%len(servers)], &grants)
	}
	v := watching(t, ensemble.DefaultInterval, servers...)
	seen := hotWatch(ctx, v)
	crowd.Wait()
	t.Logf("%d grants in %v to %d threads of %d sessions on %d locks, %d members; %d pictures, in %d of them a cycle that is told as low",
		grants.Load(), length, hotClients*hotThreads, hotClients, hotLocks, len(servers), seen.pictures, seen.low)
	if seen.pictures < 20 || grants.Load() < 100 {
		t.Error("hardly anything happened")
	}
	for _, text := range seen.false {
		t.Error(text)
	}
}

// hotServers are one server in this process, or where there is time three of the real ones.
func hotServers(t *testing.T) (addrs []string) {
	if os.Getenv("ZKSCOPE_LONG") != "" {
		for _, s := range peers.Ensemble(t, 3, peers.Options{Heap: "160m"}) {
			addrs = append(addrs, s.Addr)
		}
		return addrs
	}
	s := zkserver.New(zkserver.Options{})
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return []string{addr.String()}
}

// hotClient is a session whose threads take locks until the context ends.
func hotClient(ctx context.Context, t *testing.T, crowd *sync.WaitGroup, server string, grants *atomic.Int64) {
	t.Helper()
	conn, _, err := zk.Connect([]string{server}, 10*time.Second, zk.WithLogger(mute{}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	for range hotThreads {
		crowd.Go(func() {
			for ctx.Err() == nil {
				first, second := rand.IntN(hotLocks), rand.IntN(hotLocks)
				if second == first || rand.IntN(2) == 0 {
					first, second = min(first, second), -1
				}
				if second >= 0 {
					first, second = min(first, second), max(first, second)
				}
				hotHold(ctx, conn, first, second, grants)
			}
		})
	}
}

// hotHold takes one lock, or two in order, for a moment.
func hotHold(ctx context.Context, conn *zk.Conn, first, second int, grants *atomic.Int64) {
	lock := zk.NewLock(conn, fmt.Sprintf("/hot/l%02d", first), zk.WorldACL(zk.PermAll))
	if lock.Lock() != nil {
		return
	}
	grants.Add(1)
	if second >= 0 {
		hotHold(ctx, conn, second, -1, grants)
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(rand.IntN(30)) * time.Millisecond):
	}
	_ = lock.Unlock()
}

// hotSeen is what was told of deadlocks.
type hotSeen struct {
	pictures, low int
	false         []string
}

// hotWatch looks ten times a second, as the console does.
func hotWatch(ctx context.Context, v *view) (out hotSeen) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return out
		case <-tick.C:
		}
		w := v.look()
		out.pictures++
		if len(w.Spanning) > 0 {
			out.low++
		}
		for _, f := range w.Spanning {
			if f.Code == model.CodeDeadlock && f.Severity > model.Low && !slices.Contains(out.false, f.Text) {
				out.false = append(out.false, f.Severity.String()+": "+f.Text)
			}
		}
	}
}
