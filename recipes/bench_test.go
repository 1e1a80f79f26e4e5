package recipes

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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

// locker is a client that takes and gives back one lock.
type locker struct {
	turn func() error
	end  func()
}

// rivals are clients of their own sessions that contend for one lock: ours, or go-zookeeper's.
func rivals(b *testing.B, servers []string, n int, theirs bool) (out []locker) {
	ctx := context.Background()
	for range n {
		if theirs {
			conn, _, err := zk.Connect(servers, 10*time.Second, zk.WithLogger(mute{}))
			if err != nil {
				b.Fatal(err)
			}
			out = append(out, locker{func() error {
				l := zk.NewLock(conn, "/rivals/theirs", zk.WorldACL(zk.PermAll))
				if err := l.Lock(); err != nil {
					return err
				}
				return l.Unlock()
			}, conn.Close})
			continue
		}
		s, err := Dial(ctx, Config{Servers: servers})
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, locker{func() error {
			c, err := s.Lock("/rivals/ours", Options{}).Acquire(ctx)
			if err != nil {
				return err
			}
			return c.Release(ctx)
		}, s.Close})
	}
	return out
}

// rate lets all contend for a while and returns how many turns a second there were.
func rate(b *testing.B, clients []locker, d time.Duration) float64 {
	var turns atomic.Int64
	var wg sync.WaitGroup
	begun := time.Now()
	for _, c := range clients {
		wg.Go(func() {
			for time.Since(begun) < d {
				if err := c.turn(); err != nil {
					b.Error(err)
					return
				}
				turns.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(turns.Load()) / time.Since(begun).Seconds()
}

func median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkContention lets 1, 8 and 64 clients contend for a lock, ours and go-zookeeper's in turns, and tells the median
// of the rounds' ratios: above 1 ours has more turns a second. Each iteration is a round.
func BenchmarkContention(b *testing.B) {
	for _, ensemble := range []struct {
		name    string
		servers func() []string
	}{
		{"one", func() []string { return []string{peers.ZooKeeper(b, peers.Options{}).Addr} }},
		{"synced", func() []string {
			return []string{peers.ZooKeeper(b, peers.Options{JVMFlags: []string{"-Dzookeeper.forceSync=yes"}}).Addr}
		}},
		{"three", func() (out []string) {
			for _, s := range peers.Ensemble(b, 3, peers.Options{}) {
				out = append(out, s.Addr)
			}
			return out
		}},
	} {
		b.Run(ensemble.name, func(b *testing.B) {
			servers := ensemble.servers()
			for _, n := range []int{1, 8, 64} {
				b.Run(fmt.Sprint(n), func(b *testing.B) { contention(b, servers, n) })
			}
		})
	}
}

func contention(b *testing.B, servers []string, n int) {
	ours, theirs := rivals(b, servers, n, false), rivals(b, servers, n, true)
	for _, c := range append(slices.Clone(ours), theirs...) {
		defer c.end()
	}
	const round = 500 * time.Millisecond
	for range 4 { // the server compiles what it runs often
		rate(b, ours, round)
		rate(b, theirs, round)
	}
	var own, ratios []float64
	var told strings.Builder
	for b.Loop() {
		first := len(ratios)%2 == 0
		var o, t float64
		if first {
			o = rate(b, ours, round)
		}
		t = rate(b, theirs, round)
		if !first {
			o = rate(b, ours, round)
		}
		own, ratios = append(own, o), append(ratios, o/t)
		fmt.Fprintf(&told, " %.2f", o/t)
	}
	b.ReportMetric(median(own), "turns/s")
	b.ReportMetric(median(ratios), "ratio")
	b.Logf("rounds:%s", told.String())
}

// BenchmarkTakers lets 1 and 4 consumers, each on a session of its own, work off a queue by turns of half a second, and
// tells the median of the rounds' ratios: above 1 four take more than one. Each iteration is a round.
func BenchmarkTakers(b *testing.B) {
	servers := []string{peers.ZooKeeper(b, peers.Options{}).Addr}
	for _, d := range []Dialect{ZooKeeper, Curator, Kazoo} {
		b.Run(string(d), func(b *testing.B) { takers(b, servers, QueueOptions{Dialect: d}) })
	}
}

func takers(b *testing.B, servers []string, o QueueOptions) {
	const round, stock = 500 * time.Millisecond, 4000
	ctx := context.Background()
	var all []locker
	for range 4 {
		s, err := Dial(ctx, Config{Servers: servers})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		q := s.Queue("/takers/"+string(o.Dialect), o)
		all = append(all, locker{turn: func() error {
			soon, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			item, err := q.Take(soon)
			if err != nil {
				free, e := q.q.free(ctx)
				return fmt.Errorf("%w, and %d items wait (%v)", err, len(free), e)
			}
			return item.Done(ctx)
		}})
	}
	s, err := Dial(ctx, Config{Servers: servers})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	fill := func() {
		items := s.Queue("/takers/"+string(o.Dialect), o)
		free, err := items.q.free(ctx)
		var wg sync.WaitGroup
		missing := make(chan struct{}, stock)
		for range stock - len(free) {
			missing <- struct{}{}
		}
		close(missing)
		for range 32 {
			wg.Go(func() {
				for range missing {
					if err := items.Put(ctx, []byte("some work")); err != nil {
						b.Error(err)
					}
				}
			})
		}
		if wg.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	measured := func(n int) float64 { fill(); return rate(b, all[:n], round) }
	for range 3 {
		measured(1)
		measured(4)
	}
	var one, ratios []float64
	for b.Loop() {
		r := measured(1)
		one, ratios = append(one, r), append(ratios, measured(4)/r)
	}
	b.ReportMetric(median(one), "takes/s-of-one")
	b.ReportMetric(median(ratios), "ratio")
}
