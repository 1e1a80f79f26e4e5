package recipes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func try(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFourConsumersAreNotInEachOthersWay counts the writes that four consumers of one queue make, of which each item
// needs two, and that each item is handed out once.
func TestFourConsumersAreNotInEachOthersWay(t *testing.T) {
	const items = 200
	bubble(t, func(s *stage) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		q := s.session().Queue("/q", QueueOptions{})
		for i := range items {
			try(t, q.Put(ctx, []byte(strconv.Itoa(i))))
		}
		var writes atomic.Int32
		s.server.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op == wire.OpMulti {
				writes.Add(1)
			}
			after := make(chan struct{})
			time.AfterFunc(time.Duration(1+rand.IntN(5))*time.Millisecond, func() { close(after) })
			return zkserver.Action{Hold: after}
		})
		var mu sync.Mutex
		var wg sync.WaitGroup
		taken := make(map[string]int)
		for range 4 {
			q := s.session().Queue("/q", QueueOptions{})
			wg.Go(func() {
				for {
					item, err := q.Take(ctx)
					if err == nil {
						err = item.Done(ctx)
					}
					if err != nil {
						return
					}
					mu.Lock()
					if taken[string(item.Data)]++; len(taken) == items {
						cancel()
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for i := range items {
			if n := taken[strconv.Itoa(i)]; n != 1 {
				t.Errorf("item %d was handed out %d times", i, n)
			}
		}
		if n := writes.Load(); n > 3*items {
			t.Errorf("%d writes for %d items: consumers go for the same ones", n, items)
		}
		t.Logf("%d writes", writes.Load())
	})
}

func TestOneConsumerKeepsTheOrder(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		q := s.session().Queue("/q", QueueOptions{})
		for i := range 40 {
			try(t, q.Put(ctx, []byte(strconv.Itoa(i))))
		}
		var held []*Item
		for i := range 40 {
			item, err := q.Take(ctx)
			try(t, err)
			if string(item.Data) != strconv.Itoa(i) {
				t.Errorf("item %s after %d others", item.Data, i)
			}
			held = append(held, item)
		}
		for _, item := range held {
			try(t, item.Done(ctx))
		}
	})
}

// TestNoItemIsPassedOverOften draws what a crowded consumer chooses: an item that stays free is taken after a bounded
// number of others, whatever the random numbers are.
func TestNoItemIsPassedOverOften(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := &queue{crowd: crowd{on: true}, listed: time.Now()}
		var list []string
		for i := range 100 {
			list = append(list, fmt.Sprintf("queue-%010d", i))
		}
		over := 0
		for len(list) > 0 {
			i := q.crowd.choose(len(list), list[0], func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "random") })
			if i >= crowdFirst {
				t.Fatalf("number %d of those ahead is taken", i)
			}
			if over++; i == 0 {
				over = 0
			}
			if over > crowdFirst {
				t.Fatalf("%s is passed over %d times", list[0], over)
			}
			list = slices.Delete(list, i, i+1)
		}
	})
}
