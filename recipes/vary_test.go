package recipes

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// homes are the directories in which each act's claims and items stand.
var homes = []struct{ acts, dirs string }{
	{"lock ", "/l"}, {"revoke", "/l"}, {"break", "/l"}, {"read ", "/rw"}, {"write ", "/rw"}, {"downgrade ", "/rw"},
	{"semaphore curator", "/sem/locks /sem/leases"}, {"semaphore kazoo", "/sem /sem-__lock__"},
	{"election ", "/e"}, {"acknowledged leader", "/e"},
	{"double barrier curator", "/b"}, {"double barrier kazoo", "/b"}, {"membership kazoo", "/g"},
	{"take kazoo", "/q/entries /q/taken"}, {"put kazoo", "/q/entries /q/taken"}, {"take ", "/q /q-locks"}, {"put ", "/q /q-locks"},
	{"priorities", "/q /q-locks"}, {"delays", "/q /q-locks"}, {"return", "/q /q-locks"},
}

// alien says of the other acts why nothing foreign can stand beside what they make: each child is a member, a site,
// a name or an instance, or they have no children at all.
var alien = []string{"double barrier zookeeper", "membership", "coordinator", "site", "names", "service", "single lock", "barrier",
	"rendezvous", "config", "fill", "counter"}

func home(a act) []string {
	for _, h := range homes {
		if strings.HasPrefix(a.name, h.acts) {
			return strings.Fields(h.dirs)
		}
	}
	return nil
}

// plant puts foreign children of every sort into an act's directories.
func plant(t *testing.T, by *Session, a act) map[string]bool {
	t.Helper()
	planted := map[string]bool{}
	for _, dir := range home(a) {
		for _, name := range []string{"config", "0", "readme-0000000001.txt", "lock", "queue", "x-y", "entry-"} {
			path := znode.Join(dir, name)
			if _, err := by.ensure(context.Background(), path, []byte("x"), nil); err != nil {
				t.Fatal(err)
			}
			for ; path != "/"; path, _ = znode.Split(path) {
				planted[path] = true
			}
		}
	}
	return planted
}

// borrowed makes a session of a connection of go-zookeeper's to the server.
func (s *stage) borrowed() *Session {
	s.t.Helper()
	dial := func(string, string, time.Duration) (net.Conn, error) {
		return taking(s.server.Dial(context.Background()))
	}
	conn, events, err := zk.Connect([]string{"127.0.0.1:1"}, 6*time.Second, zk.WithLogger(silent{}), zk.WithDialer(dial))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(conn.Close)
	for ev := range events {
		if ev.State == zk.StateHasSession {
			break
		}
	}
	ses := FromConn(conn, 6*time.Second)
	s.t.Cleanup(ses.Close)
	return ses
}

// TestForeignChildrenAreIgnored plays every recipe among children that are not part of it.
func TestForeignChildrenAreIgnored(t *testing.T) {
	for _, a := range acts() {
		if home(a) == nil {
			if !slices.ContainsFunc(alien, func(w string) bool { return strings.HasPrefix(a.name, w) }) {
				t.Errorf("%s: nothing foreign is planted", a.name)
			}
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			performWith(t, a, -1, "", variation{plant: true})
		})
	}
}

// TestReapedParentsAreMadeAnew plays every recipe twice, with its empty directories gone in between. Transactions and
// counters have none that go.
func TestReapedParentsAreMadeAnew(t *testing.T) {
	for _, a := range acts() {
		if strings.HasPrefix(a.name, "coordinator") || strings.HasPrefix(a.name, "site") || a.name == "counter" {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			performWith(t, a, -1, "", variation{again: true})
		})
	}
}

// lines are the recipes that stand in line.
func lines() map[string]func(*Session) func(context.Context) (*Claim, error) {
	out := map[string]func(*Session) func(context.Context) (*Claim, error){}
	for _, d := range Dialects(layout.Lock) {
		out["/l lock "+string(d)] = func(s *Session) func(context.Context) (*Claim, error) {
			return s.Lock("/l", Options{Dialect: d}).Acquire
		}
	}
	for _, d := range Dialects(layout.SharedLock) {
		out["/rw write "+string(d)] = func(s *Session) func(context.Context) (*Claim, error) {
			return s.SharedLock("/rw", Options{Dialect: d}).Write
		}
	}
	for _, d := range Dialects(layout.Election) {
		out["/e election "+string(d)] = func(s *Session) func(context.Context) (*Claim, error) {
			return s.Election("/e", Options{Dialect: d}).Campaign
		}
	}
	out["/sem/locks semaphore curator"] = func(s *Session) func(context.Context) (*Claim, error) {
		return s.Semaphore("/sem", 1, Options{}).Acquire
	}
	out["/sem-__lock__ semaphore kazoo"] = func(s *Session) func(context.Context) (*Claim, error) {
		return s.Semaphore("/sem", 1, Options{Dialect: Kazoo}).Acquire
	}
	return out
}

// TestNumbersThatAreStuckOrNegative: where the server gives out its last number again and again, or numbers below
// zero, claims are served in the order in which they came, one at a time.
func TestNumbersThatAreStuckOrNegative(t *testing.T) {
	for name, acquire := range lines() {
		dir, _, _ := strings.Cut(name, " ")
		for _, x := range [][2]int32{{2147483647, 2147483647}, {2147483644, 2147483645}, {-3, -2}, {2147483647, -2147483648}} {
			from := x[0] // the holder's, and then the first waiter's
			bubble(t, func(s *stage) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				ses := s.session()
				if _, err := ses.makeDir(ctx, dir, true, nil); err != nil {
					t.Fatal(err)
				}
				s.server.SetCounter(dir, from)
				first, err := acquire(ses)(ctx)
				granted(t, first, err)
				s.server.SetCounter(dir, x[1])
				served, done := make(chan int, 9), make(chan bool)
				for i := range 6 {
					other := s.session()
					go func() {
						defer func() { done <- true }()
						c, err := acquire(other)(ctx)
						served <- i
						if err != nil {
							t.Errorf("%s from %d: %v", name, from, err)
							return
						}
						time.Sleep(time.Second)
						c.Release(ctx)
					}()
					synctest.Wait()
				}
				if len(served) > 0 {
					t.Errorf("%s from %d: %d came in beside the holder", name, from, len(served))
				}
				first.Release(ctx)
				for i := range 6 {
					if got := <-served; got != i {
						t.Errorf("%s from %d: %d in the place of %d", name, from, got, i)
					}
					if len(served) > 0 {
						t.Errorf("%s from %d: two hold", name, from)
					}
					<-done
				}
			})
		}
	}
}

// TestAQueueWhoseNumbersAreUsedUpSaysSo: items carry no id, so the last number is given out once.
func TestAQueueWhoseNumbersAreUsedUpSaysSo(t *testing.T) {
	for _, d := range []Dialect{ZooKeeper, Curator, Kazoo} {
		bubble(t, func(s *stage) {
			ctx := context.Background()
			ses := s.session()
			q := ses.Queue("/q", QueueOptions{Dialect: d})
			if _, err := ses.makeDir(ctx, q.q.items, true, nil); err != nil {
				t.Fatal(err)
			}
			s.server.SetCounter(q.q.items, 2147483647)
			if err := q.Put(ctx, []byte("a")); err != nil {
				t.Fatal(err)
			}
			if err := q.Put(ctx, []byte("b")); !errors.Is(err, ErrExists) {
				t.Errorf("%s: a second item of the last number: %v", d, err)
			}
			item, err := q.Take(ctx)
			if err != nil || string(item.Data) != "a" {
				t.Fatal(item, err)
			}
			if err := item.Done(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}
