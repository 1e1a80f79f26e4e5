package mirror

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

func bare(c *zkc.Conn, reads []zkc.Read, n int) time.Duration {
	start := time.Now()
	done := make(chan error, 1000)
	fl := 0
	for at := 0; at < len(reads); at += n {
		if fl == 4 {
			<-done
			fl--
		}
		fl++
		c.Submit(reads[at:min(at+n, len(reads))], func(int, *zkc.Result) {}, func(err error) { done <- err })
	}
	for ; fl > 0; fl-- {
		<-done
	}
	return time.Since(start)
}

func BenchmarkProf(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{})
	c, err := zkc.Dial(context.Background(), zkc.Config{Servers: []string{s.Addr}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	fill(b, c, 100, 1000)
	var reads []zkc.Read
	for d := range 100 {
		dir := fmt.Sprintf("/walk/d%05d", d)
		for k := range 1000 {
			reads = append(reads, zkc.Read{Path: fmt.Sprintf("%s/contender-name-of-31-bytes-%04d", dir, k)})
		}
	}
	for range 4 {
		bare(c, reads, 500)
	}
	b.ResetTimer()
	b.ReportAllocs()
	var x, y, z []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := Load(b.Context(), c, Options{}); err != nil {
			b.Fatal(err)
		}
		x = append(x, time.Since(start))
		y = append(y, bare(c, reads, 500))
		z = append(z, bare(c, reads, 1000))
	}
	slices.Sort(x)
	slices.Sort(y)
	slices.Sort(z)
	b.Log("load", x[len(x)/2], "bare500", y[len(y)/2], "bare1000", z[len(z)/2], "min", x[0], y[0], z[0])
}
