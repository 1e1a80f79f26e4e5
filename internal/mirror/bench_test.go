package mirror

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// The benchmarks of this file run against a real server, and each beside what it is to be compared with, in
// the same run and in turns. Run them with
//
//	go test ./internal/mirror -run xxx -bench . -benchtime 10x

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// benchPaths are the paths that fill creates, the directories aside.
func benchPaths(dirs, kids int) (reads []zkc.Read) {
	for d := range dirs {
		for k := range kids {
			reads = append(reads, zkc.Read{Path: fmt.Sprintf("/walk/d%05d/contender-name-of-31-bytes-%04d", d, k)})
		}
	}
	return reads
}

// benchWalk is what a walk over them must read at least: the directories' children, and every znode's data.
func benchWalk(dirs, kids int) (reads []zkc.Read) {
	paths := benchPaths(dirs, kids)
	for d := range dirs {
		reads = append(reads, zkc.Read{Path: fmt.Sprintf("/walk/d%05d", d), Kind: zkc.ReadChildren})
		reads = append(reads, paths[d*kids:(d+1)*kids]...)
	}
	return reads
}

// bareWalk reads known paths in batches and looks at nothing: what a server can deliver at best.
func bareWalk(b *testing.B, c *zkc.Conn, reads []zkc.Read) time.Duration {
	b.Helper()
	begun := time.Now()
	over := make(chan error, depth)
	flying := 0
	for at := 0; at < len(reads) || flying > 0; {
		if flying == depth || at >= len(reads) {
			if err := <-over; err != nil {
				b.Fatal(err)
			}
			flying--
			continue
		}
		n := min(maxReads, len(reads)-at)
		c.Submit(reads[at:at+n], func(int, *zkc.Result) {}, func(err error) { over <- err })
		at, flying = at+n, flying+1
	}
	return time.Since(begun)
}

// oneByOne walks with go-zookeeper, one request after the other.
func oneByOne(b *testing.B, c *zk.Conn, path string) (n int) {
	data, st, err := c.Get(path)
	if err != nil {
		b.Fatal(err, len(data))
	}
	n = 1
	if st.NumChildren == 0 {
		return n
	}
	names, _, err := c.Children(path)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		n += oneByOne(b, c, znode.Join(path, name))
	}
	return n
}

func plainClient(b *testing.B, addr string) *zk.Conn {
	c, events, err := zk.Connect([]string{addr}, 10*time.Second, zk.WithLogInfo(false))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	for e := range events {
		if e.State == zk.StateHasSession {
			break
		}
	}
	return c
}

const kazooWalk = `
import sys, time
from kazoo.client import KazooClient
c = KazooClient(hosts=sys.argv[1]); c.start()
print("READY")
for line in sys.stdin:
    t = time.time()
    dirs = [sys.argv[2] + "/" + d for d in c.get_children(sys.argv[2])]
    n, flying = 0, []
    for d in dirs:
        for k in c.get_children(d):
            flying.append(c.get_async(d + "/" + k))
            if len(flying) >= 256:
                for f in flying: f.get(); n += 1
                flying = []
    for f in flying: f.get(); n += 1
    print("WALKED %d %.6f" % (n, time.time() - t))
    break
`

// BenchmarkColdLoad reads 100,000 znodes: a Mirror's first complete snapshot and Load, both with the time to
// connect, and the peers without.
func BenchmarkColdLoad(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{})
	cfg := zkc.Config{Servers: []string{s.Addr}}
	c := dial(b, cfg)
	fill(b, c, 100, 1000)
	reads := benchWalk(100, 1000)
	for range 3 {
		bareWalk(b, c, reads) // warm the server up
	}
	var bare, load, mirrored []time.Duration
	turns := []func(){
		func() {
			fresh := connect(b, cfg)
			defer fresh.Close()
			bare = append(bare, bareWalk(b, fresh, reads))
		},
		func() {
			begun := time.Now()
			fresh := connect(b, cfg)
			defer fresh.Close()
			if snap, err := Load(context.Background(), fresh, Options{}); err != nil || !snap.Complete {
				b.Fatal(err)
			}
			load = append(load, time.Since(begun))
		},
		func() {
			begun := time.Now()
			m, err := Start(context.Background(), cfg, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer m.Close()
			await(b, m, time.Minute, "the load", complete)
			mirrored = append(mirrored, time.Since(begun))
		},
	}
	for b.Loop() { // each on a connection of its own, in random turns: the server's own pauses hit all alike
		for _, i := range rand.Perm(len(turns)) {
			runtime.GC() // what was measured before leaves nothing to be cleared up
			turns[i]()
		}
	}
	single, seconds := slowWalks(b, s.Addr)
	lo, ba, mi := median(load), median(bare), median(mirrored)
	b.ReportMetric(ms(ba), "bare-walk-ms")
	b.ReportMetric(ms(lo), "load-ms")
	b.ReportMetric(ms(mi), "mirror-ms")
	b.ReportMetric(single.Seconds()*1000, "one-by-one-ms")
	b.ReportMetric(seconds*1000, "kazoo-async-ms")
	b.ReportMetric(float64(lo)/float64(ba), "load/bare")
	b.ReportMetric(float64(mi)/float64(ba), "mirror/bare")
	b.ReportMetric(float64(single)/float64(mi), "one-by-one/mirror")
	b.ReportMetric(seconds/mi.Seconds(), "kazoo/mirror")
	b.ReportMetric(0, "ns/op")
}

// connect is dial for a connection that nothing holds on to after its use: what a benchmark keeps, the
// collector must look through again and again.
func connect(b *testing.B, cfg zkc.Config) *zkc.Conn {
	b.Helper()
	c, err := zkc.Dial(context.Background(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// slowWalks reads the same with go-zookeeper, one by one, and with kazoo, 256 requests in flight.
func slowWalks(b *testing.B, addr string) (single time.Duration, seconds float64) {
	b.Helper()
	plain := plainClient(b, addr)
	begun := time.Now()
	if n := oneByOne(b, plain, "/walk"); n != 100_101 {
		b.Fatal(n)
	}
	single = time.Since(begun)
	p := peers.Kazoo(b, kazooWalk, addr, "/walk")
	p.Expect("READY", time.Minute)
	p.Say("go")
	var n int
	if _, err := fmt.Sscan(p.Expect("WALKED", 5*time.Minute), &n, &seconds); err != nil || n != 100_000 {
		b.Fatal(n, err)
	}
	return single, seconds
}

// BenchmarkContenders reads one lock directory with 10,000 contenders, owners and data.
func BenchmarkContenders(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{})
	cfg := zkc.Config{Servers: []string{s.Addr}}
	c := dial(b, cfg)
	create(b, c, "/lock", "", 0)
	for range 20 {
		var ch []zkc.Change
		for i := range 500 {
			ch = append(ch, zkc.CreateOf(fmt.Sprintf("/lock/_c_01234567-89ab-cdef-0123-456789abcdef-lock-%d-", i), []byte("10.0.0.7:41234"), wire.FlagEphemeralSequence))
		}
		if _, err := c.Multi(context.Background(), ch...); err != nil {
			b.Fatal(err)
		}
	}
	var load, mirrored []time.Duration
	for b.Loop() {
		begun := time.Now()
		if snap, err := Load(context.Background(), c, Options{Root: "/lock"}); err != nil || len(snap.Root.Children) != 10_000 {
			b.Fatal(err)
		}
		load = append(load, time.Since(begun))
		begun = time.Now()
		m := start(b, cfg, Options{Root: "/lock"})
		await(b, m, time.Minute, "the load", complete)
		mirrored = append(mirrored, time.Since(begun))
		m.Close()
	}
	b.ReportMetric(ms(median(load)), "load-ms")
	b.ReportMetric(ms(median(mirrored)), "mirror-ms")
	b.ReportMetric(ms(slices.Max(mirrored)), "slowest-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkChange measures from before a Set to the snapshot that shows it, on an idle tree of 10,000
// znodes, beside the Set alone.
func BenchmarkChange(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{})
	cfg := zkc.Config{Servers: []string{s.Addr}}
	c := dial(b, cfg)
	fill(b, c, 10, 1000)
	m := start(b, cfg, Options{})
	await(b, m, time.Minute, "the load", complete)
	path := benchPaths(10, 1000)[4711].Path
	var whole, set []time.Duration
	i := 0
	for b.Loop() {
		for range 20 {
			i++
			time.Sleep(60 * time.Millisecond) // idle
			want := strconv.Itoa(i)
			begun := time.Now()
			if _, err := c.Set(context.Background(), path, []byte(want), -1); err != nil {
				b.Fatal(err)
			}
			set = append(set, time.Since(begun))
			await(b, m, time.Minute, "the change", func(s *znode.Snapshot) bool { return string(s.At(path).Data) == want })
			whole = append(whole, time.Since(begun))
		}
	}
	b.ReportMetric(ms(median(set)), "set-ms")
	b.ReportMetric(ms(median(whole)), "median-ms")
	b.ReportMetric(ms(whole[len(whole)*99/100]), "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStorm has others change 10,000 znodes 1,000 times a second. The lag is from the return of one
// more Set to the snapshot that shows it.
func BenchmarkStorm(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{})
	cfg := zkc.Config{Servers: []string{s.Addr}}
	c := dial(b, cfg)
	fill(b, c, 10, 1000)
	m := start(b, cfg, Options{})
	await(b, m, time.Minute, "the load", complete)
	reads := benchPaths(10, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int)
	go background(ctx, dial(b, cfg), reads[1:], ended)
	var lag []time.Duration
	before, begun := m.Status(), time.Now()
	i := 0
	for b.Loop() {
		for range 50 {
			i++
			time.Sleep(rand.N(50 * time.Millisecond)) // not in step with the snapshots
			want := strconv.Itoa(i)
			if _, err := c.Set(ctx, reads[0].Path, []byte(want), -1); err != nil {
				b.Fatal(err)
			}
			set := time.Now()
			await(b, m, time.Minute, "the change", func(s *znode.Snapshot) bool { return string(s.At(reads[0].Path).Data) == want })
			lag = append(lag, time.Since(set))
		}
	}
	cancel()
	took := time.Since(begun).Seconds()
	changes := float64(<-ended + i)
	after := m.Status()
	b.ReportMetric(changes/took, "changes/s")
	b.ReportMetric(float64(after.Requests-before.Requests)/changes, "requests/change")
	b.ReportMetric(float64(after.Snapshots-before.Snapshots)/took, "snapshots/s")
	b.ReportMetric(ms(median(lag)), "lag-median-ms")
	b.ReportMetric(ms(lag[len(lag)*99/100]), "lag-p99-ms")
	b.ReportMetric(0, "ns/op")
}

// background sets znodes, one each millisecond, and tells how many in the end.
func background(ctx context.Context, c *zkc.Conn, reads []zkc.Read, ended chan<- int) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	flying := make(chan struct{}, 64)
	n := 0
	for ; ctx.Err() == nil; n++ {
		<-tick.C
		flying <- struct{}{}
		go func() {
			_, _ = c.Set(context.Background(), reads[n%len(reads)].Path, []byte("x"), -1)
			<-flying
		}()
	}
	for range cap(flying) {
		flying <- struct{}{}
	}
	ended <- n
}

// BenchmarkMemory holds 1,000,000 znodes.
func BenchmarkMemory(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{Heap: "3g"})
	cfg := zkc.Config{Servers: []string{s.Addr}, Session: 30 * time.Second}
	c := dial(b, cfg)
	fill(b, c, 1000, 999)
	heap := func() float64 {
		var st runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&st)
		return float64(st.HeapAlloc)
	}
	before := heap()
	for b.Loop() {
		begun := time.Now()
		m := start(b, cfg, Options{MaxNodes: 2_000_000})
		await(b, m, 10*time.Minute, "the load", complete)
		took := time.Since(begun)
		used := heap() - before
		nodes, content := 0, 0
		var walk func(n *znode.Node)
		walk = func(n *znode.Node) {
			nodes++
			content += len(n.Name) + len(n.Data)
			for _, c := range n.Children {
				walk(c)
			}
		}
		walk(m.Snapshot().Root)
		b.ReportMetric(float64(nodes), "znodes")
		b.ReportMetric(used/float64(nodes), "B/znode")
		b.ReportMetric((used-float64(content))/float64(nodes), "B/znode-above-content")
		b.ReportMetric(took.Seconds(), "load-s")
		m.Close()
	}
	b.ReportMetric(0, "ns/op")
}
