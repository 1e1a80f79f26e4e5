package recipes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// cost is one uncontended turn and the requests that it takes.
type cost struct {
	name string
	turn func(ctx context.Context, s *Session) error
	ops  string
}

// taken is acquire and release.
func taken(acquire func(s *Session) func(context.Context) (*Claim, error)) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		c, err := acquire(s)(ctx)
		if err != nil {
			return err
		}
		return c.Release(ctx)
	}
}

func costs() []cost {
	const (
		line   = "create2 getChildren delete"
		votes  = "getData setData getData setData getData removeWatches getData removeWatches "
		ending = "getChildren2 delete delete delete delete"
	)
	out := []cost{
		{"single lock", taken(func(s *Session) func(context.Context) (*Claim, error) {
			return s.SingleLock("/x/one", Options{}).Acquire
		}),
			"create2 exists delete"},
		{"downgrade", downgraded, "create2 getChildren create2 delete delete"},
		{"double barrier of one", meetOnce, "exists create2 getChildren2 create2 getChildren2 multi"},
		{"membership", taken(func(s *Session) func(context.Context) (*Claim, error) { return s.Membership("/g", Options{}).Join }), "create2 delete"},
		{"named member", taken(func(s *Session) func(context.Context) (*Claim, error) {
			return s.Membership("/g", Options{Name: "n"}).Join
		}),
			"create2 exists delete"},
		{"service", taken(func(s *Session) func(context.Context) (*Claim, error) {
			return func(ctx context.Context) (*Claim, error) { return s.Service("/s", "web").Register(ctx, Instance{}) }
		}), "create2 exists delete"},
		{"put", func(ctx context.Context, s *Session) error {
			return s.Queue("/q", QueueOptions{}).Put(ctx, []byte("x"))
		}, "create2"},
		{"put and take", workOff, "create2 getChildren2 getChildren2 multi multiRead multi"},
		{"barrier", func(ctx context.Context, s *Session) error {
			b := s.Barrier("/b", Options{})
			return errors.Join(b.Close(ctx), b.Open(ctx), b.Wait(ctx))
		}, "create2 delete getData"},
		{"config", func(ctx context.Context, s *Session) error {
			c := s.Config("/c")
			_, err := c.Get(ctx)
			return errors.Join(c.Set(ctx, []byte("x"), AnyVersion), err)
		}, "getData setData"},
		{"counter", func(ctx context.Context, s *Session) error {
			_, err := s.Counter("/n", Options{}).Add(ctx, 1)
			return err
		}, "getData setData"},
		{"rendezvous", meetAt, "create2 setData getData removeWatches exists delete"},
		{"names", func(ctx context.Context, s *Session) error {
			n := s.NameService("/names")
			_, err := n.Lookup(ctx, "keep")
			return errors.Join(n.Bind(ctx, "a", nil), err, n.Unbind(ctx, "a"))
		}, "create2 getData delete"},
		{"two-phase of 2 sites", decided(TwoPhaseOptions{}), "multi " + votes + "getChildren2 getData removeWatches getData removeWatches " + ending},
		{"coordinated of 2 sites", decided(TwoPhaseOptions{Coordinated: true}), "multi " + votes + "create2 getData removeWatches " + ending},
	}
	for name, acquire := range lines() {
		_, name, _ = strings.Cut(name, " ")
		ops := line
		switch name {
		case "semaphore curator":
			ops = "create2 getChildren getData create2 getChildren2 removeWatches delete delete"
		case "semaphore kazoo":
			ops = "getData create2 getChildren getData getChildren2 removeWatches create2 delete delete"
		}
		out = append(out, cost{name, taken(acquire), ops})
	}
	return out
}

func downgraded(ctx context.Context, s *Session) error {
	l := s.SharedLock("/rw", Options{})
	w, err := l.Write(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	r, err := l.Downgrade(ctx, w)
	if err != nil {
		return err
	}
	synctest.Wait()
	return r.Release(ctx)
}

func meetOnce(ctx context.Context, s *Session) error {
	b := s.DoubleBarrier("/b", 1, Options{})
	c, err := b.Enter(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	return b.Leave(ctx, c)
}

func workOff(ctx context.Context, s *Session) error {
	q := s.Queue("/q", QueueOptions{})
	if err := q.Put(ctx, []byte("x")); err != nil {
		return err
	}
	item, err := q.Take(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	return item.Done(ctx)
}

func meetAt(ctx context.Context, s *Session) error {
	r := s.Rendezvous("/r")
	c, err := r.Arrange(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	err = r.Fill(ctx, []byte("x"))
	synctest.Wait()
	_, e := r.Wait(ctx)
	return errors.Join(err, e, c.Release(ctx))
}

// decided goes through a transaction from its beginning to its end, alone.
func decided(o TwoPhaseOptions) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		tx, sites := s.TwoPhase("/tx", o), []string{"s_1", "s_2"}
		err := tx.Begin(ctx, nil, sites)
		for _, site := range sites {
			err = errors.Join(err, tx.Vote(ctx, site, Commit))
		}
		_, e := tx.Decide(ctx, sites)
		_, e2 := tx.Await(ctx)
		return errors.Join(err, e, e2, tx.End(ctx))
	}
}

func sorted(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}

// TestTheCostOfEachRecipe counts, on the server, the requests of an uncontended turn whose directory is there. The
// package's documentation gives the same figures.
func TestTheCostOfEachRecipe(t *testing.T) {
	for _, x := range costs() {
		t.Run(x.name, func(t *testing.T) {
			bubble(t, func(s *stage) {
				ses, fresh := s.session(), s.session()
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				count := func(ses *Session) string {
					s.server.ForgetRequests()
					if err := x.turn(ctx, ses); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					var ops []string
					for _, r := range s.server.Requests() {
						if r.Op != wire.OpPing {
							ops = append(ops, r.Op.String())
						}
					}
					return sorted(ops) // who holds asks beside its guardian
				}
				for _, dir := range []string{"/names/keep", "/c"} {
					if _, err := ses.ensure(ctx, dir, nil, nil); err != nil {
						t.Fatal(err)
					}
				}
				count(ses) // makes the directories
				if got := count(fresh); got != sorted(strings.Fields(x.ops)) {
					t.Errorf("%q, documented %q", got, x.ops)
				}
			})
		})
	}
}

// TestTurnsAgainAndAgainCostTheSame: each looks who else is there, in one piece with its create. No watch stays.
func TestTurnsAgainAndAgainCostTheSame(t *testing.T) {
	for name, acquire := range lines() {
		if strings.HasPrefix(name, "/sem") {
			continue
		}
		bubble(t, func(s *stage) {
			ses := s.session()
			for i := range 5 {
				s.server.ForgetRequests()
				c, err := acquire(ses)(context.Background())
				granted(t, c, err)
				if err := c.Release(context.Background()); err != nil {
					t.Error(err)
				}
				synctest.Wait()
				var ops []string
				for _, r := range s.server.Requests() {
					ops = append(ops, r.Op.String())
				}
				if got := strings.Join(ops, " "); i > 0 && got != "create2 getChildren delete" {
					t.Errorf("%s: turn %d took %q", name, i, got)
				}
			}
			if n := s.watches(ses); n != 0 {
				t.Errorf("%s: %d watches", name, n)
			}
		})
	}
}

// TestAClaimThatIsHeldIsWatched: also where nobody asks whether it is lost.
func TestAClaimThatIsHeldIsWatched(t *testing.T) {
	bubble(t, func(s *stage) {
		ses, other := s.session(), s.session()
		c, err := ses.Lock("/l", Options{}).Acquire(context.Background())
		granted(t, c, err)
		synctest.Wait()
		if n := s.watches(ses); n != 0 {
			t.Errorf("%d watches at once", n)
		}
		time.Sleep(guardAfter)
		synctest.Wait()
		if n := s.watches(ses); n != 1 {
			t.Errorf("%d watches after %v", n, guardAfter)
		}
		if err := other.remove(context.Background(), c.Path()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if c.live() || !closed(c.Lost()) || c.Context().Err() == nil {
			t.Error("its end was not noticed")
		}
		d, err := ses.Lock("/l", Options{}).Acquire(context.Background())
		granted(t, d, err)
		if err := other.remove(context.Background(), d.Path()); err != nil {
			t.Fatal(err)
		}
		<-d.Lost() // asked at once: it is gone already
	})
}
