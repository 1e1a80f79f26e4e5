package recipes

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// uses makes something at a path by every recipe that does.
func uses(s *Session, path string) map[string]func(context.Context) error {
	claim := func(f func(context.Context) (*Claim, error)) func(context.Context) error {
		return func(ctx context.Context) error { _, err := f(ctx); return err }
	}
	out := map[string]func(context.Context) error{
		"lock":           claim(s.Lock(path, Options{}).TryAcquire),
		"read":           claim(s.SharedLock(path, Options{}).TryRead),
		"single":         claim(s.SingleLock(path, Options{}).Acquire),
		"semaphore":      claim(s.Semaphore(path, 1, Options{}).TryAcquire),
		"election":       claim(s.Election(path, Options{}).Campaign),
		"double barrier": claim(s.DoubleBarrier(path, 1, Options{}).Enter),
		"group":          claim(s.Membership(path, Options{Name: "me"}).Join),
		"rendezvous":     claim(s.Rendezvous(path).Arrange),
		"barrier":        s.Barrier(path, Options{}).Close,
		"open":           s.Barrier(path, Options{}).Wait,
		"put":            func(ctx context.Context) error { return s.Queue(path, QueueOptions{}).Put(ctx, nil) },
		"take":           func(ctx context.Context) error { _, err := s.Queue(path, QueueOptions{}).Take(ctx); return err },
		"bind":           func(ctx context.Context) error { return s.NameService(path).Bind(ctx, "n", nil) },
		"config":         func(ctx context.Context) error { return s.Configuration(path).Set(ctx, nil, AnyVersion) },
		"counter":        func(ctx context.Context) error { _, err := s.Counter(path, Options{}).Add(ctx, 1); return err },
		"transaction": func(ctx context.Context) error {
			return s.TwoPhase(path, TwoPhaseOptions{}).Begin(ctx, nil, []string{"s_1"})
		},
		"service": func(ctx context.Context) error {
			_, err := s.Service(path, "web").Register(ctx, Instance{ID: "x"})
			return err
		},
	}
	return out
}

// TestWhatIsNoPathIsRefused: at once, in one line that a terminal may show, and nothing is made for it.
func TestWhatIsNoPathIsRefused(t *testing.T) {
	for kind, session := range map[string]func(*stage) *Session{"own": (*stage).session, "borrowed": (*stage).borrowed} {
		for _, path := range []string{"", "a", "a/b", "/a\x00", "/a/", "/\x1b]0;x\x07//", "/a/../\u202eb"} {
			bubble(t, func(s *stage) {
				ses, before := session(s), len(s.server.Tree())
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				for name, use := range uses(ses, path) {
					begun := time.Now()
					err := use(ctx)
					if err == nil || time.Since(begun) > time.Second {
						t.Errorf("%s %s at %q: %v after %v", kind, name, path, err, time.Since(begun))
						continue
					}
					if text := err.Error(); text != say.Printable(text) {
						t.Errorf("%s %s at %q: %q is no line for a terminal", kind, name, path, text)
					}
				}
				for p := range s.server.Tree() {
					if len(s.server.Tree()) > before {
						t.Errorf("%s: %q made %s", kind, path, p)
					}
				}
			})
		}
	}
	bubble(t, func(s *stage) {
		if _, err := s.session().Lock("", Options{}).Acquire(context.Background()); err == nil || !strings.Contains(err.Error(), "the path is empty") {
			t.Error(err)
		}
	})
}

// TestNoItem: of a queue that is empty there is a nil item to ask.
func TestNoItem(t *testing.T) {
	bubble(t, func(s *stage) {
		i, err := s.session().Queue("/q", QueueOptions{}).Peek(context.Background())
		if i != nil || err != nil {
			t.Fatal(i, err)
		}
		if !closed(i.Lost()) || i.Token() != 0 || i.Path() != "" {
			t.Errorf("lost %v, token %d, path %s", closed(i.Lost()), i.Token(), i.Path())
		}
		for _, err := range []error{i.Done(context.Background()), i.Return(context.Background())} {
			if !errors.Is(err, ErrNotHeld) || strings.Contains(err.Error(), " :") {
				t.Error(err)
			}
		}
	})
}

// TestASessionOfNoConnection: its calls fail, and say what it was made of.
func TestASessionOfNoConnection(t *testing.T) {
	server := zkserver.New(zkserver.Options{})
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	for word, s := range map[string]*Session{"no connection": FromConn(nil, time.Second), "no session timeout": FromConn(borrow(t, addr.String()), 0)} {
		for name, use := range uses(s, "/a") {
			if err := use(t.Context()); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !closed(s.Lost()) || s.Cause() == nil {
			t.Error("it is not lost")
		}
		s.Close()
	}
}

// TestTheOwnerClosesItsConnection: what is held is lost at once, and every error says why.
func TestTheOwnerClosesItsConnection(t *testing.T) {
	for _, watched := range []bool{false, true} {
		server := zkserver.New(zkserver.Options{})
		defer server.Close()
		addr, err := server.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		conn := borrow(t, addr.String())
		s := FromConn(conn, time.Hour)
		defer s.Close()
		var c *Claim
		if watched {
			c, err = s.Lock("/l", Options{Revocable: true}).Acquire(t.Context())
			granted(t, c, err)
		}
		conn.Close()
		select {
		case <-s.Lost():
		case <-time.After(20 * time.Second):
			t.Fatal("it is not lost")
		}
		if watched {
			<-c.Lost()
		}
		if _, err := s.Lock("/l", Options{}).Acquire(t.Context()); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "closed by its owner") {
			t.Error(err)
		}
	}
}
