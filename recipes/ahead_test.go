package recipes

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestTheOneAheadGoesBeforeItIsWatched: between the list and the watch the znode ahead vanishes. Who waits lists
// again at once, and leaves no watch on what is gone.
func TestTheOneAheadGoesBeforeItIsWatched(t *testing.T) {
	for name, acquire := range lines() {
		bubble(t, func(s *stage) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			helper := s.session()
			first, err := acquire(s.session())(ctx)
			granted(t, first, err)
			ses, gone := s.session(), false
			s.server.SetFault(func(r zkserver.Request) zkserver.Action {
				kind := r.Op == wire.OpGetData || r.Op == wire.OpGetChildren2 && strings.HasPrefix(name, "/sem")
				if r.Session == int64(ses.ID()) && kind && (r.Path == first.Path() || r.Op == wire.OpGetChildren2 && strings.HasPrefix(first.Path(), r.Path+"/")) {
					gone = true
					_ = helper.remove(ctx, first.Path())
				}
				return zkserver.Action{}
			})
			begun := time.Now()
			c, err := acquire(ses)(ctx)
			granted(t, c, err)
			if took := time.Since(begun); !gone || took > time.Second {
				t.Errorf("%s: gone %v, waited %v", name, gone, took)
			}
			c.Lost() // who asks has it watched
			synctest.Wait()
			if data, child := s.server.Watchers(first.Path()); len(data)+len(child) > 0 {
				t.Errorf("%s: watches stay on what is gone", name)
			}
			if n := s.watches(ses); n != 1 {
				t.Errorf("%s: a holder has %d watches", name, n)
			}
			c.Release(ctx)
		})
	}
}

// TestAWaiterWatchesWhatIsAhead: whoever stands in line watches the one ahead and its own, which somebody may delete; and
// where the others are served one by one, the one before that.
func TestAWaiterWatchesWhatIsAhead(t *testing.T) {
	for name, acquire := range lines() {
		bubble(t, func(s *stage) {
			ctx, cancel := context.WithCancel(context.Background())
			first, err := acquire(s.session())(ctx)
			granted(t, first, err)
			waiters, ended := []*Session{s.session(), s.session(), s.session()}, make(chan bool)
			for _, w := range waiters {
				go func() { _, _ = acquire(w)(ctx); ended <- true }()
				synctest.Wait()
			}
			for i, w := range waiters {
				// Of a semaphore's waiters the one whose turn it is watches its place at the gate, and the leases.
				want := 2
				if one := !strings.HasPrefix(name, "/rw") && !strings.HasSuffix(name, "kazoo"); one && i > 0 && (i > 1 || !strings.HasPrefix(name, "/sem")) {
					want = 3
				}
				if n := s.watches(w); n != want {
					t.Errorf("%s: waiter %d has %d watches", name, i, n)
				}
			}
			cancel()
			for range waiters {
				<-ended
			}
		})
	}
}

func TestPeekTakesNothing(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		ses := s.session()
		q, p, d := ses.Queue("/q", QueueOptions{}), ses.PriorityQueue("/p", QueueOptions{}), ses.DelayQueue("/d", QueueOptions{})
		peeks := map[string]func(context.Context) (*Item, error){"queue": q.Peek, "priority": p.Peek, "delay": d.Peek}
		for name, peek := range peeks {
			if item, err := peek(ctx); item != nil || err != nil {
				t.Errorf("%s: %v, %v of nothing", name, item, err)
			}
		}
		due := time.Now().Add(time.Hour).Truncate(time.Millisecond)
		for _, data := range []string{"a", "b"} {
			if q.Put(ctx, []byte(data)) != nil || p.Put(ctx, 9, []byte(data)) != nil || d.Put(ctx, due, []byte(data)) != nil {
				t.Fatal("put")
			}
		}
		for range 2 {
			for name, peek := range peeks {
				item, err := peek(ctx)
				if err != nil || string(item.Data) != "a" || item.Token() != 0 || item.Done(ctx) == nil || item.Return(ctx) == nil {
					t.Errorf("%s: %+v, %v", name, item, err)
				}
			}
		}
		if item, err := d.Peek(ctx); err != nil || !item.Due.Equal(due) {
			t.Errorf("%+v, %v", item, err)
		}
		taken, err := q.Take(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if item, err := q.Peek(ctx); err != nil || string(item.Data) != "b" {
			t.Errorf("%+v, %v while %s is taken", item, err, taken.Data)
		}
		if err := taken.Done(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestKazoosMembersAreNotLeftBehind: who waits is let in though ready was removed at once, as kazoo's first to leave
// does; and ready is left to the last to come, which may have to find it missing.
func TestKazoosMembersAreNotLeftBehind(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		ours, kazoo := s.session(), s.session()
		in := make(chan error, 1)
		go func() { _, err := ours.DoubleBarrier("/b", 2, Options{Dialect: Kazoo}).Enter(ctx); in <- err }()
		synctest.Wait()
		if _, err := kazoo.conn.Create(ctx, "/b/"+hexID(), nil, wire.FlagEphemeral, nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if _, there := s.server.Node("/b/ready"); there || len(in) > 0 {
			t.Error("ready was made for somebody who came later")
		}
		if _, err := kazoo.conn.Multi(ctx, zkc.CreateOf("/b/ready", nil, 0), zkc.DeleteOf("/b/ready", -1)); err != nil {
			t.Fatal(err)
		}
		if err := <-in; err != nil {
			t.Error(err)
		}
		last := make(chan error, 1)
		go func() { _, err := ours.DoubleBarrier("/b", 3, Options{Dialect: Kazoo}).Enter(ctx); last <- err }()
		if err := <-last; err != nil {
			t.Error(err)
		}
		if _, there := s.server.Node("/b/ready"); !there {
			t.Error("the last to come made no ready")
		}
	})
}
