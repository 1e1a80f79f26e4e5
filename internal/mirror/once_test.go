package mirror

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

// fill creates dirs x kids znodes with 20 bytes of data below /walk.
func fill(t testing.TB, c *zkc.Conn, dirs, kids int) {
	t.Helper()
	ctx := context.Background()
	ch := []zkc.Change{zkc.CreateOf("/walk", nil, 0)}
	flush := func() {
		if _, err := c.Multi(ctx, ch...); err != nil {
			t.Fatal(err)
		}
		ch = ch[:0]
	}
	for d := range dirs {
		dir := fmt.Sprintf("/walk/d%05d", d)
		ch = append(ch, zkc.CreateOf(dir, nil, 0))
		for k := range kids {
			ch = append(ch, zkc.CreateOf(fmt.Sprintf("%s/contender-name-of-31-bytes-%04d", dir, k), []byte("twenty bytes of data"), 0))
			if len(ch) >= 1000 {
				flush()
			}
		}
	}
	flush()
}

func TestLoadQuick(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	c, err := zkc.Dial(context.Background(), zkc.Config{Servers: []string{s.Addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fill(t, c, 100, 1000)
	for range 8 {
		start := time.Now()
		snap, err := Load(t.Context(), c, Options{})
		took := time.Since(start)
		if err != nil {
			t.Fatal(err)
		}
		w := snap.At("/walk")
		t.Log(took, len(w.Children), len(w.Children[0].Children), snap.Complete, snap.Partial)
	}
	var reads []zkc.Read
	for d := range 100 {
		dir := fmt.Sprintf("/walk/d%05d", d)
		for k := range 1000 {
			reads = append(reads, zkc.Read{Path: fmt.Sprintf("%s/contender-name-of-31-bytes-%04d", dir, k)})
		}
	}
	for range 8 {
		start := time.Now()
		done := make(chan error, 1000)
		fl := 0
		for at := 0; at < len(reads); at += 1000 {
			if fl == 4 {
				<-done
				fl--
			}
			fl++
			c.Submit(reads[at:at+1000], func(int, *zkc.Result) {}, func(err error) { done <- err })
		}
		for ; fl > 0; fl-- {
			<-done
		}
		t.Log("bare", time.Since(start))
	}
}
