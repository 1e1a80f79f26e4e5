package recipes

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
)

// TestZeroValuesGiveErrors: every method of every exported type, called with zero values.
func TestZeroValuesGiveErrors(t *testing.T) {
	failure := reflect.TypeFor[error]()
	for _, v := range []any{Lock{}, SharedLock{}, SingleLock{}, Semaphore{}, Election{}, Barrier{}, DoubleBarrier{}, &Queue{}, &PriorityQueue{},
		&DelayQueue{}, TwoPhase{}, Membership{}, Service{}, NameService{}, Configuration{}, Rendezvous{}, Counter{}, &Claim{}, (*Claim)(nil), &Item{},
		&Session{}, (*Session)(nil)} {
		rv := reflect.ValueOf(v)
		for i := range rv.NumMethod() {
			m, name := rv.Method(i), rv.Type().String()+"."+rv.Type().Method(i).Name
			args := []reflect.Value{}
			for k := range m.Type().NumIn() {
				in := m.Type().In(k)
				if in == reflect.TypeFor[context.Context]() {
					args = append(args, reflect.ValueOf(context.Background()))
				} else {
					args = append(args, reflect.Zero(in))
				}
			}
			if m.Type().IsVariadic() {
				args = args[:len(args)-1]
			}
			for _, out := range m.Call(args) {
				switch {
				case out.Type() == failure && out.IsNil() && !strings.HasSuffix(name, "Session.Cause"):
					t.Errorf("%s: no error", name)
				case out.Kind() == reflect.Func: // a sequence
					n := 0
					for _, err := range out.Seq2() {
						if n++; err.IsNil() {
							t.Errorf("%s yields no error", name)
						}
					}
					if n != 1 {
						t.Errorf("%s yields %d times", name, n)
					}
				}
			}
		}
	}
	if c := new(Claim); !closed(c.Lost()) || c.Context().Err() == nil {
		t.Error("a claim to nothing is held")
	}
}

func TestAnItemEndsOnce(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		q := s.session().Queue("/q", QueueOptions{})
		for _, data := range []string{"a", "b", "c"} {
			if err := q.Put(ctx, []byte(data)); err != nil {
				t.Fatal(err)
			}
		}
		ends := func(err error, words string) {
			t.Helper()
			if !errors.Is(err, ErrNotHeld) || !strings.Contains(err.Error(), words) {
				t.Errorf("%v instead of %s", err, words)
			}
		}
		first, err := q.Take(ctx)
		if err != nil || string(first.Data) != "a" || first.Return(ctx) != nil {
			t.Fatal(err)
		}
		ends(first.Return(ctx), "returned already")
		ends(first.Done(ctx), "returned already")
		again, err := q.Take(ctx)
		if err != nil || string(again.Data) != "a" {
			t.Fatalf("%s, %v: what was returned is not in its place", again.Data, err)
		}
		if err := again.Done(ctx); err != nil {
			t.Fatal(err)
		}
		ends(again.Done(ctx), "done already")
		ends(again.Return(ctx), "done already")
	})
}

// TestAReturnedItemIsSoonInItsPlaceForOthers, who have listed the queue before.
func TestAReturnedItemIsSoonInItsPlaceForOthers(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		mine, other := s.session().Queue("/q", QueueOptions{}), s.session().Queue("/q", QueueOptions{})
		for _, data := range []string{"a", "b", "c", "d"} {
			if err := mine.Put(ctx, []byte(data)); err != nil {
				t.Fatal(err)
			}
		}
		a, _ := mine.Take(ctx)
		b, err := other.Take(ctx)
		if err != nil || string(b.Data) != "b" || a.Return(ctx) != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * listFor)
		if next, err := other.Take(ctx); err != nil || string(next.Data) != "a" {
			t.Errorf("%s, %v", next.Data, err)
		}
	})
}

func TestCountersDoNotOverflow(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		ses := s.session()
		four := binary.BigEndian.AppendUint32(nil, math.MaxInt32)
		for path, data := range map[string][]byte{"/four": four, "/text": []byte("9223372036854775807")} {
			if err := ses.Configuration(path).Create(ctx, data); err != nil {
				t.Fatal(err)
			}
			o := Options{}
			if path == "/four" {
				o.Dialect = Curator
			}
			if v, err := ses.Counter(path, o).Add(ctx, 1); err == nil {
				t.Errorf("%s: %d", path, v)
			}
			if got, err := ses.Configuration(path).Get(ctx); err != nil || string(got.Data) != string(data) {
				t.Errorf("%s: %q, %v", path, got.Data, err)
			}
			if _, err := ses.Counter(path, o).Add(ctx, -1); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestARendezvousIsNotFilledWithNothing(t *testing.T) {
	bubble(t, func(s *stage) {
		r := s.session().Rendezvous("/r")
		c, err := r.Arrange(context.Background())
		granted(t, c, err)
		if r.Fill(context.Background(), nil) == nil || r.Fill(context.Background(), []byte{}) == nil {
			t.Error("filled with nothing")
		}
	})
}

// TestOnlyOnesOwnIsGivenUp: claims of other elections, locks and sessions are refused and stay.
func TestOnlyOnesOwnIsGivenUp(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		a, b := s.session(), s.session()
		lead, err := a.Election("/e", Options{}).Campaign(ctx)
		granted(t, lead, err)
		write, err := a.SharedLock("/rw", Options{}).Write(ctx)
		granted(t, write, err)
		member, err := a.DoubleBarrier("/b", 1, Options{}).Enter(ctx)
		granted(t, member, err)
		_, down := b.SharedLock("/rw", Options{}).Downgrade(ctx, write)
		_, ack := b.Election("/e", Options{}).Acknowledge(ctx, lead)
		for what, err := range map[string]error{"other session": b.Election("/e", Options{}).Resign(ctx, lead),
			"other election": a.Election("/f", Options{}).Resign(ctx, lead), "downgrade": down, "acknowledge": ack,
			"leave": b.DoubleBarrier("/b", 1, Options{}).Leave(ctx, member)} {
			if !errors.Is(err, ErrNotHeld) {
				t.Errorf("%s: %v", what, err)
			}
		}
		synctest.Wait()
		for _, c := range []*Claim{lead, write, member} {
			if _, there := s.server.Node(c.Path()); !there || closed(c.Lost()) || c.Context().Err() != nil {
				t.Errorf("%s is given up", c.Path())
			}
		}
		if err := a.Election("/e", Options{}).Resign(ctx, lead); err != nil {
			t.Error(err)
		}
	})
}

func TestAClaimsContextEndsWithIt(t *testing.T) {
	bubble(t, func(s *stage) {
		ctx := context.Background()
		ses := s.session()
		claim := func() *Claim {
			c, err := ses.Lock("/l", Options{}).Acquire(ctx)
			granted(t, c, err)
			if c.Context().Err() != nil {
				t.Error("held, but its context has ended")
			}
			return c
		}
		c := claim()
		c.Release(ctx)
		if why := context.Cause(c.Context()); !errors.Is(why, ErrNotHeld) {
			t.Error(why)
		}
		c = claim()
		_ = s.session().remove(ctx, c.Path())
		<-c.Context().Done()
		if why := context.Cause(c.Context()); !errors.Is(why, ErrLost) || !closed(c.Lost()) {
			t.Error(why)
		}
		c = claim()
		s.server.ExpireSession(int64(ses.ID()))
		<-c.Context().Done()
		if why := context.Cause(c.Context()); !errors.Is(why, ErrExpired) && !errors.Is(why, ErrLost) { // whichever is seen first
			t.Error(why)
		}
	})
}

// TestTryingDoesNotWait: what is not free is ErrBusy at once, and nothing stays behind.
func TestTryingDoesNotWait(t *testing.T) {
	type try = func(context.Context) (*Claim, error)
	bubble(t, func(s *stage) {
		ctx := context.Background()
		a, b := s.session(), s.session()
		tries := func(s *Session) map[string]try {
			out := map[string]try{"/single": s.SingleLock("/single", Options{}).TryAcquire, "/sem": s.Semaphore("/sem", 1, Options{}).TryAcquire,
				"/ksem": s.Semaphore("/ksem", 1, Options{Dialect: Kazoo}).TryAcquire, "/rw": s.SharedLock("/rw", Options{}).TryWrite}
			for _, d := range Dialects(layout.Lock) {
				out["/lock-"+string(d)] = s.Lock("/lock-"+string(d), Options{Dialect: d}).TryAcquire
			}
			return out
		}
		begun := time.Now()
		for path, first := range tries(a) {
			c, err := first(ctx)
			granted(t, c, err)
			before := len(s.standing())
			if _, err := tries(b)[path](ctx); !errors.Is(err, ErrBusy) || (path == "/single") != errors.Is(err, ErrExists) {
				t.Errorf("%s: %v", path, err)
			}
			if n := len(s.standing()); n != before {
				t.Errorf("%s: %d claims instead of %d", path, n, before)
			}
			if err := c.Release(ctx); err != nil {
				t.Error(err)
			}
			c, err = tries(b)[path](ctx)
			granted(t, c, err)
		}
		l := a.SharedLock("/readers", Options{})
		r, err := l.TryRead(ctx)
		granted(t, r, err)
		r, err = b.SharedLock("/readers", Options{}).TryRead(ctx)
		granted(t, r, err)
		if _, err := l.TryWrite(ctx); !errors.Is(err, ErrBusy) {
			t.Error(err)
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("it took %v", took)
		}
	})
}
