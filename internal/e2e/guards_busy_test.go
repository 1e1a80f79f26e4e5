package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// busy is an ensemble that carries out one request at a time, and drops those that had to wait for more than 50 ms.
type busy struct {
	t         *testing.T
	leader    *peers.Server
	followers []*peers.Server
}

func newBusy(t *testing.T) *busy {
	b := &busy{t: t}
	// the leader keeps its followers while they are paused, also where the machine is slow: for sixty ticks
	for _, s := range peers.Ensemble(t, 3, peers.Options{Heap: "160m", SyncLimit: 60, JVMFlags: []string{"-Dzookeeper.request_throttle_max_requests=1",
		"-Dzookeeper.request_throttle_stall_time=100", "-Dzookeeper.throttled_op_wait_time=50"}}) {
		if s.Mode() == "leader" {
			b.leader = s
		} else {
			b.followers = append(b.followers, s)
		}
	}
	return b
}

// waits is how often the leader has waited, 100 ms each time, before it took up a request.
func (b *busy) waits() (n int) {
	_, rest, _ := strings.Cut(b.leader.FourLetter("mntr"), "zk_request_throttle_wait_count\t")
	_, _ = fmt.Sscan(rest, &n)
	return n
}

// jam has a write stand in the leader, which no follower takes note of, until another request has waited behind it.
func (b *busy) jam(g *guarded, over *sync.WaitGroup) {
	for _, f := range b.followers {
		f.Pause()
	}
	over.Go(func() { _, _ = g.conn.Set(context.Background(), "/noise", nil, -1) })
	peers.WaitFor(b.t, 10*time.Second, "the write stands", func() bool { return strings.Contains(b.leader.FourLetter("srvr"), "Outstanding: 1") })
	over.Go(func() {
		for before, end := b.waits(), time.Now().Add(10*time.Second); b.waits() < before+5 && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		for _, f := range b.followers {
			f.Resume()
		}
	})
}

// TestAThrottledWriteIsNotDone has a real server drop our write, or the sync before it, because it came to it too late.
func TestAThrottledWriteIsNotDone(t *testing.T) {
	t.Parallel()
	b := newBusy(t)
	relay := peers.NewRelay(t, b.leader.Addr)
	g := guardedVia(t, b.leader.Addr, relay.Addr)
	g.create("/l", "", 0)
	g.create("/noise", "", 0)
	for _, op := range []wire.Op{wire.OpDelete, wire.OpSetData, wire.OpSync} {
		path := "/l/" + op.String()
		g.create(path, "x", wire.FlagEphemeral)
		p := g.breaking(path)
		if op == wire.OpSetData {
			p = g.writing(path, "unlock")
		}
		var over sync.WaitGroup
		relay.Meddle(once(op, peers.Fate{First: func() { b.jam(g, &over) }}))
		r := g.actor.Apply(context.Background(), p)
		relay.Meddle(nil)
		over.Wait()
		if r.Outcome != actions.Refused || !strings.Contains(r.Text, "overloaded and dropped the request: not applied") {
			t.Errorf("%s: %s: %s", op, r.Outcome, r.Text)
		}
		if got := g.holds(path); got != "x" {
			t.Errorf("%s: the znode holds %q", op, got)
		}
	}
}
