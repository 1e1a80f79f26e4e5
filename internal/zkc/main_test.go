package zkc

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"encoding/binary"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// journal notes states and events.
type journal struct {
	mu     sync.Mutex
	states []State
	events []wire.Event
}

func (j *journal) on(cfg *Config) {
	cfg.OnState = func(s State) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.states = append(j.states, s)
	}
	cfg.OnEvent = func(ev wire.Event) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.events = append(j.events, ev)
	}
}

func (j *journal) seen() ([]State, []wire.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]State(nil), j.states...), append([]wire.Event(nil), j.events...)
}

func (j *journal) phases() (out []Phase) {
	states, _ := j.seen()
	for _, s := range states {
		out = append(out, s.Phase)
	}
	return out
}

// pipeTo is a Config for an in-process server.
func pipeTo(s *zkserver.Server) Config {
	return Config{Servers: []string{"zk1:2181"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) }}
}

// virtual runs a test in virtual time against an in-process server. edit may be nil.
func virtual(t *testing.T, o zkserver.Options, edit func(*Config), test func(t *testing.T, s *zkserver.Server, c *Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(o)
		defer s.Close()
		cfg := pipeTo(s)
		if edit != nil {
			edit(&cfg)
		}
		c, err := Dial(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		test(t, s, c)
	})
}

func must[T any](t *testing.T) func(v T, err error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func mustCreate(t *testing.T, c *Conn, path, data string, flags int32) Created {
	t.Helper()
	return must[Created](t)(c.Create(t.Context(), path, []byte(data), flags, nil))
}

func soon(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// wiretap notes the opcode of every frame that goes to a server.
type wiretap struct {
	mu  sync.Mutex
	ops []wire.Op
}

func (w *wiretap) dial(next func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		raw, err := next(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &tapped{Conn: raw, w: w, connect: true}, nil
	}
}

func (w *wiretap) count(want func(wire.Op) bool) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, op := range w.ops {
		if want(op) {
			n++
		}
	}
	return n
}

type tapped struct {
	net.Conn
	w       *wiretap
	buf     []byte
	connect bool
}

func (c *tapped) Write(p []byte) (int, error) {
	c.buf = append(c.buf, p...)
	for len(c.buf) >= 4 {
		n := 4 + int(binary.BigEndian.Uint32(c.buf))
		if len(c.buf) < n {
			break
		}
		op := wire.OpCreateSession
		if !c.connect {
			op = wire.Op(int32(binary.BigEndian.Uint32(c.buf[8:])))
		}
		c.connect = false
		c.w.mu.Lock()
		c.w.ops = append(c.w.ops, op)
		c.w.mu.Unlock()
		c.buf = c.buf[n:]
	}
	return c.Conn.Write(p)
}
