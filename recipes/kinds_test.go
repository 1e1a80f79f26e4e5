package recipes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/wire"
)

func granted(t *testing.T, c *Claim, err error) *Claim {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestALineOfSeveralDialects has claims of every dialect in one directory: they are served as they arrived.
func TestALineOfSeveralDialects(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		first, err := s.session().Lock("/l", Options{}).Acquire(ctx)
		granted(t, first, err)
		served := make(chan Dialect)
		ds := []Dialect{Kazoo, Curator, ZooKeeper, GoZooKeeper}
		for _, d := range ds {
			ses := s.session()
			go func() {
				c, err := ses.Lock("/l", Options{Dialect: d}).Acquire(ctx)
				if err != nil {
					t.Error(err)
				}
				served <- d
				c.Release(ctx)
			}()
			synctest.Wait()
		}
		first.Release(ctx)
		for _, want := range ds {
			if got := <-served; got != want {
				t.Errorf("%s before %s", got, want)
			}
		}
	})
}

// TestTheLastNumberIsServedByArrival: servers give out 2147483647 again and again, so that only the id in front
// of it tells claims apart.
func TestTheLastNumberIsServedByArrival(t *testing.T) {
	for _, d := range Dialects(layout.Lock) {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			ses := s.session()
			if _, err := ses.makeDir(ctx, "/l", false, nil); err != nil {
				t.Fatal(err)
			}
			s.server.SetCounter("/l", 2147483647)
			c, err := ses.Lock("/l", Options{Dialect: d}).Acquire(ctx)
			granted(t, c, err)
			if n := layout.ParseName(c.t.name); n.Seq != 2147483647 {
				t.Fatalf("%s: number %d", d, n.Seq)
			}
			served := make(chan int, 9)
			for i := range 8 {
				other := s.session()
				go func() {
					c, err := other.Lock("/l", Options{Dialect: d}).Acquire(ctx)
					granted(t, c, err)
					served <- i
					c.Release(ctx)
				}()
				synctest.Wait()
			}
			if len(served) > 0 {
				t.Errorf("%s: %d came in beside the holder", d, len(served))
			}
			c.Release(ctx)
			for i := range 8 {
				if got := <-served; got != i {
					t.Errorf("%s: %d in the place of %d", d, got, i)
				}
			}
		})
	}
}

func TestADowngradeLetsNoWriterIn(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		l := s.session().SharedLock("/rw", Options{})
		w, err := l.Write(ctx)
		granted(t, w, err)
		in := make(chan string, 2)
		reader, writer := s.session(), s.session()
		go func() {
			c, err := writer.SharedLock("/rw", Options{}).Write(ctx)
			granted(t, c, err)
			in <- "writer"
			c.Release(ctx)
		}()
		synctest.Wait()
		r, err := l.Downgrade(ctx, w)
		granted(t, r, err)
		go func() {
			c, err := reader.SharedLock("/rw", Options{}).Read(ctx)
			granted(t, c, err)
			in <- "reader"
			c.Release(ctx)
		}()
		time.Sleep(time.Second)
		if len(in) > 0 {
			t.Errorf("%s came in beside the downgraded lock, past a waiting writer", <-in)
		}
		if closed(w.Lost()) || closed(r.Lost()) {
			t.Error("a downgrade is no loss")
		}
		r.Release(ctx)
		if first, second := <-in, <-in; first != "writer" || second != "reader" {
			t.Errorf("%s, then %s", first, second)
		}
		if _, err := l.Downgrade(ctx, w); !errors.Is(err, ErrNotHeld) {
			t.Errorf("downgrading what was released: %v", err)
		}
	})
}

func TestTwoHundredWaitersMakeNoHerd(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx, cancel := context.WithCancel(context.Background())
		ses := s.session()
		first, err := ses.Lock("/l", Options{}).Acquire(ctx)
		granted(t, first, err)
		got, done := make(chan *Claim, 200), make(chan bool)
		for range 200 {
			go func() {
				if c, err := ses.Lock("/l", Options{}).Acquire(ctx); err == nil {
					got <- c
				}
				done <- true
			}()
		}
		synctest.Wait()
		s.server.ForgetRequests()
		first.Release(context.Background())
		<-done
		synctest.Wait()
		lists := 0
		for _, r := range s.server.Requests() {
			if r.Op == wire.OpGetChildren2 {
				lists++
			}
		}
		if lists != 1 || len(got) != 1 {
			t.Errorf("%d listed, %d hold", lists, len(got))
		}
		cancel()
		for range 199 {
			<-done
		}
		for len(got) > 0 {
			(<-got).Release(context.Background())
		}
		if left := s.ours("/l"); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

func TestASemaphoreIsNeverOverItsLimit(t *testing.T) {
	for _, d := range Dialects(layout.Semaphore) {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			inside, most, done := make(chan bool, 10), make(chan int, 9), make(chan bool)
			for range 9 {
				ses := s.session()
				go func() {
					c, err := ses.Semaphore("/sem", 3, Options{Dialect: d}).Acquire(ctx)
					granted(t, c, err)
					inside <- true
					most <- len(inside)
					time.Sleep(time.Second)
					<-inside
					c.Release(ctx)
					done <- true
				}()
				synctest.Wait()
			}
			top := 0
			for range 9 {
				top = max(top, <-most)
				<-done
			}
			if top != 3 {
				t.Errorf("%s: %d inside", d, top)
			}
		})
	}
}

func TestKazooSemaphoresAgreeOnTheirLimit(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		c, err := s.session().Semaphore("/sem", 3, Options{Dialect: Kazoo}).Acquire(ctx)
		granted(t, c, err)
		if _, err := s.session().Semaphore("/sem", 4, Options{Dialect: Kazoo}).Acquire(ctx); err == nil {
			t.Error("another limit was accepted")
		}
		c.Release(ctx)
	})
}

func TestObserversSeeEveryReign(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx, cancel := context.WithCancel(context.Background())
		seen, over := make(chan Leader, 10), make(chan error, 1)
		watcher := s.session()
		go func() {
			for l, err := range watcher.Election("/e", Options{}).Observe(ctx) {
				if err != nil {
					over <- err
					return
				}
				seen <- l
			}
		}()
		if l := <-seen; l.Path != "" {
			t.Errorf("a leader of nothing: %+v", l)
		}
		for _, name := range []string{"a", "b"} {
			e := s.session().Election("/e", Options{Name: name})
			c, err := e.Campaign(ctx)
			granted(t, c, err)
			if l := <-seen; string(l.Data) != name || l.Token != c.Token() || l.Session != e.s.ID() {
				t.Errorf("%s leads, seen %+v", name, l)
			}
			e.Resign(ctx, c)
			if l := <-seen; l.Path != "" {
				t.Errorf("nobody leads, seen %+v", l)
			}
		}
		cancel()
		if err := <-over; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestADeadMemberDoesNotHoldTheOthersUp(t *testing.T) {
	for lowest := range 2 {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			sessions := []*Session{s.session(), s.session(), s.session()}
			claims := make([]*Claim, 3)
			done := make(chan error, 3)
			for i, ses := range sessions {
				go func() {
					c, err := ses.DoubleBarrier("/b", 3, Options{}).Enter(ctx)
					claims[i] = c
					done <- err
				}()
			}
			for range 3 {
				if err := <-done; err != nil {
					t.Fatal(err)
				}
			}
			dies := 0
			for i, c := range claims {
				if (c.Path() < claims[dies].Path()) == (lowest == 1) {
					dies = i
				}
			}
			for i, ses := range sessions {
				if i != dies {
					go func() { done <- ses.DoubleBarrier("/b", 3, Options{}).Leave(ctx, claims[i]) }()
				}
			}
			synctest.Wait()
			if len(done) > 0 {
				t.Error("somebody left while a member was inside")
			}
			s.server.ExpireSession(int64(sessions[dies].ID()))
			for range 2 {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
			synctest.Wait()
			if left := s.ours("/b"); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestAnItemOutlivesItsConsumer(t *testing.T) {
	for _, d := range []Dialect{ZooKeeper, Curator, Kazoo} {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			a, b := s.session(), s.session()
			o := QueueOptions{Dialect: d}
			for i := range 3 {
				if err := a.Queue("/q", o).Put(ctx, fmt.Append(nil, i)); err != nil {
					t.Fatal(err)
				}
			}
			item, err := a.Queue("/q", o).Take(ctx)
			if err != nil {
				t.Fatal(err)
			}
			q := b.Queue("/q", o)
			var got []string
			for range 2 {
				i, err := q.Take(ctx)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(i.Data))
				if err := i.Done(ctx); err != nil {
					t.Fatal(err)
				}
			}
			next := make(chan *Item)
			go func() { i, _ := q.Take(ctx); next <- i }()
			synctest.Wait()
			s.server.ExpireSession(int64(a.ID()))
			again := <-next
			if got = append(got, string(again.Data)); !slices.Equal(got, []string{"1", "2", "0"}) {
				t.Errorf("%s: %v", d, got)
			}
			<-item.Lost()
			if err := item.Done(ctx); !errors.Is(err, ErrLost) {
				t.Errorf("done with what was lost: %v", err)
			}
			if err := again.Done(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOneAbortDecides(t *testing.T) {
	for _, o := range []TwoPhaseOptions{{}, {Coordinated: true}} {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			tx := s.session().TwoPhase("/tx", o)
			sites := []string{"s_1", "s_2", "s_3"}
			if err := tx.Begin(ctx, nil, sites); err != nil {
				t.Fatal(err)
			}
			verdicts := make(chan Verdict, 2)
			go func() { v, _ := tx.Decide(ctx, sites); verdicts <- v }()
			go func() { v, _ := s.session().TwoPhase("/tx", o).Await(ctx); verdicts <- v }()
			if err := tx.Vote(ctx, "s_1", Commit); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if len(verdicts) > 0 {
				t.Error("decided with votes missing")
			}
			if err := tx.Vote(ctx, "s_3", Abort); err != nil {
				t.Fatal(err)
			}
			if a, b := <-verdicts, <-verdicts; a != Abort || b != Abort {
				t.Errorf("verdicts %q, %q", a, b)
			}
			if err := tx.Vote(ctx, "s_3", Commit); !errors.Is(err, ErrChanged) {
				t.Errorf("a vote was changed: %v", err)
			}
		})
	}
}

func TestASiteThatFailsAborts(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		o := TwoPhaseOptions{OwnNodes: true}
		tx := s.session().TwoPhase("/tx", o)
		if err := tx.Begin(ctx, []byte("x"), nil); err != nil {
			t.Fatal(err)
		}
		verdict := make(chan Verdict)
		go func() { v, _ := tx.Decide(ctx, []string{"s_1", "s_2"}); verdict <- v }()
		failing := s.session()
		c, err := failing.TwoPhase("/tx", o).Join(ctx, "s_1")
		granted(t, c, err)
		if err := failing.TwoPhase("/tx", o).Vote(ctx, "s_1", Commit); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.server.ExpireSession(int64(failing.ID()))
		if v := <-verdict; v != Abort {
			t.Errorf("verdict %q", v)
		}
		if v, err := tx.Await(ctx); v != Abort || err != nil {
			t.Errorf("sites hear %q, %v", v, err)
		}
	})
}

// TestWhatIsWrittenIsDetected: whatever is written in a dialect is read as of that kind and dialect.
func TestWhatIsWrittenIsDetected(t *testing.T) {
	write := map[layout.Kind]func(context.Context, *Session, string, Options) (*Claim, error){
		layout.Lock: func(ctx context.Context, s *Session, at string, o Options) (*Claim, error) {
			return s.Lock(at, o).Acquire(ctx)
		},
		layout.SharedLock: func(ctx context.Context, s *Session, at string, o Options) (*Claim, error) {
			if _, err := s.SharedLock(at, o).Read(ctx); err != nil {
				return nil, err
			}
			_, err := s.SharedLock(at, o).TryWrite(ctx)
			if !errors.Is(err, ErrBusy) {
				return nil, err
			}
			return s.SharedLock(at, o).Read(ctx)
		},
		layout.Election: func(ctx context.Context, s *Session, at string, o Options) (*Claim, error) {
			return s.Election(at, o).Campaign(ctx)
		},
		layout.Semaphore: func(ctx context.Context, s *Session, at string, o Options) (*Claim, error) {
			return s.Semaphore(at, 2, o).Acquire(ctx)
		},
	}
	bubble(t, func(s *stage) {
		ctx := context.Background()
		for k, hold := range write {
			for _, d := range Dialects(k) {
				ses, path := s.session(), "/"+string(k)+"s/"+string(d)
				c, err := hold(ctx, ses, path, Options{Dialect: d, Name: "n"})
				granted(t, c, err)
				if f, found, err := ses.Detect(ctx, path); err != nil || !found || f.Dialect != layout.Dialect(d) || f.Kind != k {
					t.Errorf("%s in %s: %+v, %v, %v", k, d, f, found, err)
				}
				c.Release(ctx)
			}
		}
		if _, found, err := s.session().Detect(ctx, "/nothing"); found || err != nil {
			t.Errorf("nothing: %v, %v", found, err)
		}
	})
}

func TestMembersComeAndGo(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		seen := make(chan int, 10)
		watcher, member := s.session(), s.session()
		go func() {
			for m, err := range watcher.Membership("/g", Options{}).Watch(ctx) {
				if err != nil {
					return
				}
				seen <- len(m)
			}
		}()
		if n := <-seen; n != 0 {
			t.Error(n)
		}
		c, err := member.Membership("/g", Options{Name: "a"}).Join(ctx)
		granted(t, c, err)
		for <-seen != 1 {
		}
		if _, err := member.Membership("/g", Options{Name: "a"}).Join(ctx); !errors.Is(err, ErrExists) {
			t.Errorf("a name that is taken: %v", err)
		}
		s.server.ExpireSession(int64(member.ID()))
		for <-seen != 0 {
		}
		watcher.Close()
	})
}

// TestTheLastToWithdrawLeavesNoReady: members that let go of their claims instead of leaving with the others leave the
// barrier as they found it.
func TestTheLastToWithdrawLeavesNoReady(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx, claims := context.Background(), make(chan *Claim, 3)
		for range 3 {
			ses := s.session()
			go func() {
				c, err := ses.DoubleBarrier("/b", 3, Options{}).Enter(ctx)
				if err != nil {
					t.Error(err)
				}
				claims <- c
			}()
		}
		done := make(chan error, 3)
		for _, c := range []*Claim{<-claims, <-claims, <-claims} {
			go func() { done <- c.Release(ctx) }()
		}
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		names, err := s.session().children(ctx, "/b")
		if err != nil || len(names) > 0 {
			t.Errorf("left: %v %v", names, err)
		}
	})
}
