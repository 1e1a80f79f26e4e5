package zkc

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/zkscope/zkscope/internal/peers"
)

// BenchmarkGet reads one znode, with one and with 64 requests in flight, beside go-zookeeper itself on the
// same server in the same run.
func BenchmarkGet(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{})
	ctx := context.Background()
	c, err := Dial(ctx, Config{Servers: []string{s.Addr}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	plain, events, err := zk.Connect([]string{s.Addr}, 10*time.Second, zk.WithLogInfo(false))
	if err != nil {
		b.Fatal(err)
	}
	defer plain.Close()
	for e := range events {
		if e.State == zk.StateHasSession {
			break
		}
	}
	ours := func() error { _, _, err := c.Get(ctx, "/"); return err }
	theirs := func() error { _, _, err := plain.Get("/"); return err }
	const n = 2000
	var mine, peer [2]time.Duration
	rounds := 0
	timed(b, 64, n, ours) // warm up
	for b.Loop() {
		rounds++
		for i, flight := range []int{1, 64} {
			mine[i] += timed(b, flight, n, ours)
			peer[i] += timed(b, flight, n, theirs)
		}
	}
	for i, name := range []string{"1-in-flight", "64-in-flight"} {
		b.ReportMetric(float64(n*rounds)/mine[i].Seconds(), name+"/s")
		b.ReportMetric(float64(peer[i])/float64(mine[i]), name+"-over-go-zookeeper")
	}
	b.ReportMetric(0, "ns/op")
}

func timed(b *testing.B, flight, n int, do func() error) time.Duration {
	b.Helper()
	begun := time.Now()
	var wg sync.WaitGroup
	for range flight {
		wg.Go(func() {
			for range n / flight {
				if err := do(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	return time.Since(begun)
}
