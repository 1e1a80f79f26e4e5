package recipes

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/peers"
)

// kazooTurns takes and gives back a lock so many times and prints the microseconds of one turn.
const kazooTurns = `
import sys, time
from kazoo.client import KazooClient
from kazoo.recipe.lock import Lock
c = KazooClient(hosts=sys.argv[1]); c.start()
n = int(sys.argv[2])
def turns(n):
    for _ in range(n):
        l = Lock(c, "/bench/kazoo", "me"); l.acquire(); l.release()
turns(50)
t = time.time(); turns(n)
print("TURN", (time.time() - t) / n * 1e6, flush=True)
`

type mute struct{}

func (mute) Printf(string, ...any) {}

// BenchmarkLock takes and gives back an uncontended lock on a real server: ours, go-zookeeper's and kazoo's, in the
// same run.
func BenchmarkLock(b *testing.B) {
	addr := peers.ZooKeeper(b, peers.Options{}).Addr
	ctx := context.Background()
	s, err := Dial(ctx, Config{Servers: []string{addr}})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	conn, _, err := zk.Connect([]string{addr}, 10*time.Second, zk.WithLogger(mute{}))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	ours := func() {
		c, err := s.Lock("/bench/ours", Options{}).Acquire(ctx)
		if err == nil {
			err = c.Release(ctx)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	theirs := func() {
		l := zk.NewLock(conn, "/bench/theirs", zk.WorldACL(zk.PermAll))
		if err := l.Lock(); err != nil {
			b.Fatal(err)
		}
		if err := l.Unlock(); err != nil {
			b.Fatal(err)
		}
	}
	const n = 500
	turn := func(f func()) float64 {
		for range 50 {
			f()
		}
		begun := time.Now()
		for range n {
			f()
		}
		return float64(time.Since(begun).Microseconds()) / n
	}
	for b.Loop() {
		own := turn(ours)
		b.ReportMetric(own, "ours-us")
		b.ReportMetric(turn(theirs)/own, "go-zookeeper/ours")
		k, err := strconv.ParseFloat(peers.Kazoo(b, kazooTurns, addr, strconv.Itoa(n)).Expect("TURN", time.Minute), 64)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(k/own, "kazoo/ours")
	}
}
