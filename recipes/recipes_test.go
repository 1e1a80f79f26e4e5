package recipes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stage is a server inside a bubble of virtual time.
type stage struct {
	t      *testing.T
	server *zkserver.Server
}

func bubble(t *testing.T, play func(s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t, zkserver.New(zkserver.Options{Record: true, ReapInterval: time.Second})}
		defer s.server.Close()
		play(s)
	})
}

func (s *stage) session() *Session {
	s.t.Helper()
	ses, err := Dial(context.Background(), Config{Servers: []string{"s:1"}, Timeout: 6 * time.Second,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return s.server.Dial(ctx) }})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(ses.Close)
	return ses
}

// ours lists the znodes below a path.
func (s *stage) ours(dir string) (out []string) {
	for p := range s.server.Tree() {
		if strings.HasPrefix(p, dir+"/") {
			out = append(out, p)
		}
	}
	return out
}

func closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func TestALockIsHeldByOneAtATimeInEveryDialect(t *testing.T) {
	for _, d := range Dialects(layout.Lock) {
		t.Run(string(d), func(t *testing.T) {
			bubble(t, func(s *stage) {
				var inside atomic.Int32
				done := make(chan int64, 40)
				for i := range 8 {
					ses := s.session()
					go func() {
						for range 5 {
							c, err := ses.Lock("/locks/a", Options{Dialect: d, Name: fmt.Sprint("p", i)}).Acquire(context.Background())
							if err != nil {
								t.Error(err)
								return
							}
							if inside.Add(1) != 1 {
								t.Error("two hold at once")
							}
							time.Sleep(50 * time.Millisecond)
							inside.Add(-1)
							done <- c.Token()
							if err := c.Release(context.Background()); err != nil {
								t.Error(err)
							}
						}
					}()
				}
				last := int64(0)
				for range 40 {
					token := <-done
					if token <= last {
						t.Errorf("token %d after %d", token, last)
					}
					last = token
				}
				synctest.Wait()
				if left := s.ours("/locks/a"); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			})
		})
	}
}

func TestReadersShareAndWritersExclude(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		a, b, w := s.session().SharedLock("/rw", Options{}), s.session().SharedLock("/rw", Options{}), s.session().SharedLock("/rw", Options{})
		ra, err := a.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		rb, err := b.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan *Claim)
		go func() {
			c, err := w.Write(ctx)
			if err != nil {
				t.Error(err)
			}
			got <- c
		}()
		time.Sleep(time.Second)
		if len(got) > 0 {
			t.Fatal("the writer is inside with readers")
		}
		ra.Release(ctx)
		rb.Release(ctx)
		(<-got).Release(ctx)
	})
}

func TestCancelLeavesNothingBehind(t *testing.T) {
	bubble(t, func(s *stage) {
		first, err := s.session().Lock("/l", Options{}).Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err = s.session().Lock("/l", Options{}).Acquire(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if left := s.ours("/l"); len(left) != 1 || left[0] != first.Path() {
			t.Fatalf("left: %v", left)
		}
	})
}

func TestExpiryAndDeletionAreLoss(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		ses := s.session()
		c, err := ses.Lock("/l", Options{}).Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		s.server.ExpireSession(int64(ses.ID()))
		<-c.Lost()
		<-ses.Lost() // the news of the znode may come first
		if err := c.Release(ctx); err != nil {
			t.Errorf("releasing what is lost: %v", err)
		}
		other := s.session()
		c, err = other.Lock("/l", Options{}).Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.conn.Delete(ctx, c.Path(), -1); err != nil {
			t.Fatal(err)
		}
		<-c.Lost()
		if closed(other.Lost()) {
			t.Error("the session lives on")
		}
	})
}

func TestAConnectionGoneForTooLongIsLoss(t *testing.T) {
	bubble(t, func(s *stage) {
		ses := s.session()
		c, err := ses.Lock("/l", Options{}).Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		s.server.RefuseConnections(true)
		s.server.DropConnections()
		began := time.Now()
		<-c.Lost()
		if took := time.Since(began); took > ses.Timeout() {
			t.Errorf("noticed after %v, the session lives %v", took, ses.Timeout())
		}
	})
}

func TestALostReplyMakesNoSecondNode(t *testing.T) {
	for _, drop := range []zkserver.Drop{zkserver.DropAfter, zkserver.DropBefore} {
		bubble(t, func(s *stage) {
			ses := s.session()
			if _, err := ses.makeDir(context.Background(), "/l", false, nil); err != nil {
				t.Fatal(err)
			}
			var once atomic.Bool
			s.server.SetFault(func(r zkserver.Request) zkserver.Action {
				if (r.Op == wire.OpCreate || r.Op == wire.OpCreate2) && once.CompareAndSwap(false, true) {
					return zkserver.Action{Drop: drop}
				}
				return zkserver.Action{}
			})
			c, err := ses.Lock("/l", Options{}).Acquire(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if left := s.ours("/l"); len(left) != 1 || left[0] != c.Path() {
				t.Fatalf("one claim, %v", left)
			}
		})
	}
}

func TestForeignChildrenAndReapedParents(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		ses := s.session()
		c, err := ses.Lock("/a/b/l", Options{}).Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c.Release(ctx)
		time.Sleep(5 * time.Second)
		if _, there := s.server.Node("/a/b/l"); there {
			t.Fatal("an empty container was not reaped")
		}
		if _, err := ses.conn.Create(ctx, "/l", nil, 0, nil); err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"/l/config", "/l/0", "/l/readme-0000000001.txt"} {
			if _, err := ses.conn.Create(ctx, n, nil, 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range []string{"/a/b/l", "/l"} {
			if c, err = ses.Lock(p, Options{}).Acquire(ctx); err != nil {
				t.Fatal(err)
			}
			c.Release(ctx)
		}
	})
}

func TestARevocableHolderHears(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		c, err := s.session().Lock("/l", Options{Revocable: true, Name: "batch"}).Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.session().conn.Set(ctx, c.Path(), []byte("something"), -1); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if closed(c.Revoked()) {
			t.Fatal("heard a word that was not said")
		}
		if _, err := s.session().conn.Set(ctx, c.Path(), []byte("unlock"), -1); err != nil {
			t.Fatal(err)
		}
		<-c.Revoked()
		if closed(c.Lost()) {
			t.Error("a request is no loss")
		}
	})
}

// TestConsentLetsGo: a holder that consents lets go, which is no loss; one that does not keeps its claim.
func TestConsentLetsGo(t *testing.T) {
	for _, consent := range []bool{true, false} {
		bubble(t, func(s *stage) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			var asked atomic.Int32
			c, err := s.session().Lock("/l", Options{OnRevoke: func(*Claim) bool { asked.Add(1); return consent }}).Acquire(ctx)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.session().Revoke(ctx, c.Path(), Revocation{})
			if consent != (err == nil) || asked.Load() != 1 || closed(c.Lost()) || len(s.ours("/l")) > 0 == consent {
				t.Errorf("consent %v: %v, asked %d times, lost %v, %v", consent, err, asked.Load(), closed(c.Lost()), s.ours("/l"))
			}
		})
	}
}

// TestASessionTellsWhyItIsLost covers expiry, silence and Close.
func TestASessionTellsWhyItIsLost(t *testing.T) {
	bubble(t, func(s *stage) {
		a, b, c := s.session(), s.session(), s.session()
		if err := a.Cause(); err != nil {
			t.Error("not lost: ", err)
		}
		s.server.ExpireSession(int64(a.ID()))
		<-a.Lost()
		if err := a.Cause(); !errors.Is(err, ErrExpired) {
			t.Error(err)
		}
		if _, err := a.Lock("/l", Options{}).Acquire(context.Background()); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "expired") {
			t.Error(err)
		}
		c.Close()
		if err := c.Cause(); err == nil || errors.Is(err, ErrExpired) {
			t.Error(err)
		}
		s.server.RefuseConnections(true)
		s.server.DropConnections()
		<-b.Lost()
		if err := b.Cause(); err == nil || !strings.Contains(err.Error(), "no answer from any server for as long as the session lives; the last attempt: ") {
			t.Error(err)
		}
	})
}

func TestAWaiterWakesAlone(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		first, err := s.session().Lock("/l", Options{}).Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan *Claim, 9)
		for range 9 {
			ses := s.session()
			go func() {
				if c, err := ses.Lock("/l", Options{}).Acquire(ctx); err == nil {
					got <- c
				}
			}()
			synctest.Wait()
		}
		s.server.ForgetRequests()
		first.Release(ctx)
		c := <-got
		synctest.Wait()
		lists := 0
		for _, r := range s.server.Requests() {
			if r.Op == wire.OpGetChildren2 || r.Op == wire.OpGetChildren {
				lists++
			}
		}
		if lists != 1 || len(got) != 0 {
			t.Errorf("%d waiters listed, %d more got in", lists, len(got))
		}
		for range 8 {
			c.Release(ctx)
			c = <-got
		}
		c.Release(ctx)
	})
}
