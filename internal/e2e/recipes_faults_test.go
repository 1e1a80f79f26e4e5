package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/recipes"
)

// contenders is how many programs contend. Each reaches each server through a link of its own.
const contenders = 5

// field is an ensemble and the links to it.
type field struct {
	t       *testing.T
	servers []*peers.Server
	links   [contenders][]*toxiproxy.Proxy
	locks   *book
	leads   *book
	work    *ledger
}

func newField(t *testing.T) *field {
	now := time.Now()
	f := &field{t: t, servers: peers.Ensemble(t, 3, peers.Options{Heap: "160m"}), locks: &book{begun: now}, leads: &book{begun: now}, work: newLedger()}
	hub := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	for i := range f.links {
		for k, s := range f.servers {
			p := toxiproxy.NewProxy(hub, fmt.Sprintf("link-%d-%d", i, k), "127.0.0.1:0", s.Addr)
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Stop)
			f.links[i] = append(f.links[i], p)
		}
	}
	return f
}

func (f *field) addrs(i int) (out []string) {
	for _, p := range f.links[i] {
		out = append(out, p.Listen)
	}
	return out
}

// contend takes part with one session after another, until ctx ends.
func (f *field) contend(ctx context.Context, i int) {
	addrs := f.addrs(i)
	for ctx.Err() == nil {
		brief, cancel := context.WithTimeout(ctx, 10*time.Second)
		s, err := recipes.Dial(brief, recipes.Config{Servers: addrs, Timeout: 4 * time.Second})
		cancel()
		if err != nil {
			continue
		}
		var wg sync.WaitGroup
		until, stop := context.WithCancel(ctx)
		wg.Go(func() { f.takeTurns(until, 3*i, s.Lock("/f/lock", recipes.Options{}).Acquire, f.locks, s) })
		wg.Go(func() { f.takeTurns(until, 3*i+1, s.Election("/f/election", recipes.Options{}).Campaign, f.leads, s) })
		wg.Go(func() { f.produce(until, i, s) })
		wg.Go(func() { f.consume(until, s) })
		select {
		case <-s.Lost():
		case <-ctx.Done():
		}
		stop()
		wg.Wait()
		s.Close()
	}
}

// takeTurns acquires, writes under the token, and releases, until ctx or the session ends.
func (f *field) takeTurns(ctx context.Context, client int, acquire func(context.Context) (*recipes.Claim, error), b *book, s *recipes.Session) {
	for ctx.Err() == nil {
		call := b.now()
		c, err := acquire(ctx)
		if errors.Is(err, recipes.ErrLost) {
			return
		}
		if err != nil {
			continue
		}
		b.note(client, deed{"acquire", c.Token()}, call, true)
		got := b.now()
		for range 1 + rand.IntN(3) {
			b.write(client, c.Token())
			select {
			case <-time.After(time.Duration(rand.IntN(15)) * time.Millisecond):
			case <-c.Lost():
			}
		}
		select {
		case <-c.Lost():
			b.note(client, deed{"lost", c.Token()}, got, true)
			continue
		default:
		}
		call = b.now()
		err = c.Release(context.Background())
		what := "release"
		if err != nil || s.Cause() != nil { // it ended at some time since it was granted, by whomever
			what, call = "lost", got
		}
		b.note(client, deed{what, c.Token()}, call, true)
	}
}

// ledger keeps the fate of every item.
type ledger struct {
	mu    sync.Mutex
	items map[string]*fate
}

type fate struct{ put, maybePut, taken, done, maybeDone int }

func newLedger() *ledger { return &ledger{items: map[string]*fate{}} }

func (l *ledger) of(item string, f func(*fate)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.items[item] == nil {
		l.items[item] = &fate{}
	}
	f(l.items[item])
}

func (f *field) produce(ctx context.Context, i int, s *recipes.Session) {
	q := s.Queue("/f/queue", recipes.QueueOptions{})
	for n := 0; ctx.Err() == nil; n++ {
		item := fmt.Sprintf("%d-%s-%d", i, s.ID(), n)
		err := q.Put(ctx, []byte(item))
		f.work.of(item, func(x *fate) {
			if err == nil {
				x.put++
			} else {
				x.maybePut++
			}
		})
		if errors.Is(err, recipes.ErrLost) {
			return
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

func (f *field) consume(ctx context.Context, s *recipes.Session) {
	q := s.Queue("/f/queue", recipes.QueueOptions{})
	for ctx.Err() == nil {
		if err := f.takeOne(ctx, q); errors.Is(err, recipes.ErrLost) && s.Cause() != nil {
			return
		}
	}
}

func (f *field) takeOne(ctx context.Context, q recipes.Queue) error {
	item, err := q.Take(ctx)
	if err != nil {
		return err
	}
	f.work.of(string(item.Data), func(x *fate) { x.taken++ })
	err = item.Done(context.WithoutCancel(ctx))
	f.work.of(string(item.Data), func(x *fate) {
		if err == nil {
			x.done++
		} else {
			x.maybeDone++
		}
	})
	return err
}

// settle works off what is left, over a link without faults, and judges every item.
func (f *field) settle() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	s, err := recipes.Dial(ctx, recipes.Config{Servers: []string{f.servers[0].Addr, f.servers[1].Addr, f.servers[2].Addr}, Timeout: 10 * time.Second})
	if err != nil {
		f.t.Fatal(err)
	}
	defer s.Close()
	for q := s.Queue("/f/queue", recipes.QueueOptions{}); ; {
		brief, end := context.WithTimeout(ctx, 12*time.Second) // longer than a session of before can live
		err := f.takeOne(brief, q)
		end()
		if errors.Is(err, context.DeadlineExceeded) {
			break // nothing is left
		}
		if err != nil {
			f.t.Fatal(err)
		}
	}
	sum := fate{}
	again := 0
	for item, x := range f.work.items {
		sum.put, sum.maybePut, sum.taken, sum.done, sum.maybeDone = sum.put+x.put, sum.maybePut+x.maybePut, sum.taken+x.taken, sum.done+x.done, sum.maybeDone+x.maybeDone
		again += max(0, x.taken-1)
		switch {
		case x.put == 1 && x.done+x.maybeDone == 0:
			f.t.Errorf("item %s is lost: %+v", item, *x)
		case x.done > 1:
			f.t.Errorf("item %s was done %d times", item, x.done)
		case x.taken > 1+x.maybeDone:
			f.t.Errorf("item %s was handed out %d times, %d of them without an end: %+v", item, x.taken, x.maybeDone, *x)
		}
	}
	f.t.Logf("queue: %+v, %d handed out again after an unknown end", sum, again)
	if sum.done < 20 {
		f.t.Error("queue: nothing to judge")
	}
}

// disturb does one thing that goes wrong, and puts it right.
func (f *field) disturb(turn int) string {
	lasting := time.Duration(500+rand.IntN(4500)) * time.Millisecond
	i := rand.IntN(contenders)
	switch turn % 4 {
	case 0:
		for _, p := range f.links[i] {
			p.Stop()
		}
		time.Sleep(lasting)
		for _, p := range f.links[i] {
			if err := p.Start(); err != nil {
				f.t.Fatal(err)
			}
		}
		return "cut off"
	case 1:
		for _, p := range f.links[i] {
			for _, way := range []string{"upstream", "downstream"} {
				if _, err := p.Toxics.AddToxicJson(strings.NewReader(`{"name":"hole-` + way + `","type":"timeout","stream":"` + way + `","attributes":{"timeout":0}}`)); err != nil {
					f.t.Fatal(err)
				}
			}
		}
		time.Sleep(lasting)
		for _, p := range f.links[i] {
			p.Toxics.ResetToxics(context.Background())
		}
		return "black hole"
	case 2:
		for _, s := range f.servers {
			if s.Mode() == "leader" {
				s.Kill()
				time.Sleep(lasting / 4)
				s.Restart()
				return "leader killed"
			}
		}
		return "no leader to kill"
	}
	s := f.servers[rand.IntN(3)]
	s.Pause()
	time.Sleep(lasting)
	s.Resume()
	return "server paused"
}

// TestRecipesUnderFaults has five programs contend for a lock and an election and work on a queue, while their links
// are cut or swallow everything, leaders are killed and servers stand still: the histories are linearizable, no two
// lead by token, and the queue loses nothing and gives nothing to two.
func TestRecipesUnderFaults(t *testing.T) {
	peers.Require(t, peers.NeedJava, peers.NeedZooKeeper)
	t.Parallel()
	long := time.Minute
	if os.Getenv("ZKSCOPE_LONG") != "" {
		long = 10 * time.Minute
	}
	f := newField(t)
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	for i := range contenders {
		wg.Go(func() { f.contend(ctx, i) })
	}
	did := map[string]int{}
	for end, turn := time.Now().Add(long), rand.IntN(4); time.Now().Before(end); turn++ {
		time.Sleep(time.Duration(500+rand.IntN(2000)) * time.Millisecond)
		did[f.disturb(turn)]++
	}
	time.Sleep(2 * time.Second)
	stop()
	wg.Wait()
	t.Logf("faults: %v", did)
	f.locks.judge(t, "lock")
	f.leads.judge(t, "election")
	f.settle()
}
