package recipes

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// FromConn makes a Session of a connection that the caller has opened with go-zookeeper and goes on to own.
// Timeout is the session timeout that its servers granted, which the connection does not tell: with a longer
// one a claim may be taken for held after the server has given it away, with a shorter one it counts as lost too
// early. Dial serves better where there is a choice: its calls end with their context even in the middle, its
// watches can be given back, and its session is not shared.
//
// The connection does not tell when its pings were sent and answered. So the Session counts on the answers to its
// own calls alone, and makes one (exists of the root) when none was answered for a quarter of the timeout.
//
// The library has a data race of its own when it reconnects with watches set (it reads the last zxid unlocked).
//
// A session of no connection, or with a timeout that is none, is lost from the beginning, and says so; one whose connection the
// owner closes is lost then.
//
// MaxRequest is optional; see Config.MaxRequest. What is made is open to everybody, unless the recipe's options say other.
//
// Close releases what is held and leaves the connection open.
func FromConn(conn *zk.Conn, timeout time.Duration, maxRequest ...int) *Session {
	s := newSession()
	switch {
	case conn == nil:
		s.end(errNoConn)
		return s
	case timeout <= 0:
		s.end(errNoTime)
		return s
	}
	g := &goZooKeeper{conn: conn, timeout: timeout, life: s.life, born: time.Now()}
	s.conn = g
	for _, n := range append(maxRequest[:len(maxRequest):len(maxRequest)], zkc.DefaultMaxRequest) {
		g.most = cmp.Or(g.most, n)
	}
	g.close, g.end = s.releaseAll, s.end
	s.expect()
	s.wg.Add(1)
	guard.Go(func() { s.follow(g) })
	return s
}

// pollEvery is how often the state of a borrowed connection is looked at: its events belong to its owner.
const pollEvery = 50 * time.Millisecond

// idlePolls is how often in a row a connection must be seen disconnected, and not connecting again, to count as closed: the
// library stays so for an instant only, until it is closed.
const idlePolls = 5

// follow ends the session when that of the connection ends, or when it may have.
func (s *Session) follow(g *goZooKeeper) {
	defer s.wg.Done()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for idle := 0; ; {
		select {
		case <-ticker.C:
		case <-s.life.Done():
			return
		}
		switch g.conn.State() {
		case zk.StateExpired, zk.StateAuthFailed:
			s.end(ErrExpired)
		case zk.StateDisconnected:
			if idle++; idle == idlePolls {
				s.end(errOwner)
			}
		default:
			idle = 0
		}
		if g.same() && time.Since(g.alive()) > g.timeout/4 && g.asking.CompareAndSwap(false, true) {
			guard.Go(func() {
				defer g.asking.Store(false)
				_, _, _ = g.Exists(s.life, "/")
			})
		}
	}
}

// releaseAll gives up what is held.
func (s *Session) releaseAll() {
	s.mu.Lock()
	tickets := make([]*ticket, 0, len(s.taken))
	for _, t := range s.taken {
		tickets = append(tickets, t)
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for _, t := range tickets {
		_ = t.drop(ctx)
	}
}

// goZooKeeper is a connection of go-zookeeper's. Its calls cannot be ended: one that its context ends goes on by
// itself until it is answered or its connection lost.
type goZooKeeper struct {
	conn    *zk.Conn
	timeout time.Duration
	life    context.Context
	close   func()
	end     func(why error) // of the session
	most    int             // the longest request

	born   time.Time
	proof  atomic.Int64 // what alive returns, as nanoseconds since born
	id     atomic.Int64 // of the session; 0: not known yet
	asking atomic.Bool  // a call is under way that is made only to be answered
}

func (g *goZooKeeper) alive() time.Time { return g.born.Add(time.Duration(g.proof.Load())) }

// same reports whether the connection has the session that it had; it has none while it is not known to.
func (g *goZooKeeper) same() bool {
	now := g.conn.SessionID()
	if now == 0 || !g.id.CompareAndSwap(0, now) && g.id.Load() != now {
		if now != 0 {
			g.end(ErrExpired) // the library has opened another one without a word
		}
		return false
	}
	return true
}

// answered notes when a call was made that has come back, if it was the session's server that answered it.
func (g *goZooKeeper) answered(made time.Time, err error) {
	if code, told := codes[err]; err != nil && (!told || code == wire.ErrSessionExpired) || !g.same() {
		return
	}
	for d := int64(made.Sub(g.born)); ; {
		was := g.proof.Load()
		if d <= was || g.proof.CompareAndSwap(was, d) {
			return
		}
	}
}

func (g *goZooKeeper) session() (int64, time.Duration) { return g.conn.SessionID(), g.timeout }

// Close is called once the session's life has ended.
func (g *goZooKeeper) Close() { g.close() }

// outcome is what a call came to.
type outcome[T any] struct {
	v   T
	err error
}

// call makes one call and waits for it. Reads whose connection is lost are repeated.
func call[T any](ctx context.Context, g *goZooKeeper, op, path string, reads bool, f func() (T, error)) (T, error) {
	if err := zkc.GoodPath(op, path); err != nil {
		var none T
		return none, err
	}
	for {
		got := make(chan outcome[T], 1)
		guard.Go(func() {
			made := time.Now()
			v, err := f()
			g.answered(made, err)
			if errors.Is(err, zk.ErrClosing) {
				g.end(errOwner)
			}
			got <- outcome[T]{v, err}
		})
		select {
		case o := <-got:
			if o.err == nil || !lostConnection(o.err) {
				return o.v, translate(op, path, o.err, false)
			}
			if !reads {
				return o.v, translate(op, path, o.err, true)
			}
		case <-ctx.Done():
			var none T
			return none, translate(op, path, ctx.Err(), !reads)
		}
		pause(ctx, pollEvery)
	}
}

// lostConnection recognizes the library's words for it, and what the network said where it passes that on.
func lostConnection(err error) bool {
	for _, lost := range []error{zk.ErrConnectionClosed, zk.ErrNoServer, zk.ErrSessionMoved, io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed} {
		if errors.Is(err, lost) {
			return true
		}
	}
	var network net.Error
	return errors.As(err, &network)
}

var codes = map[error]wire.Code{
	zk.ErrNoNode: wire.ErrNoNode, zk.ErrNodeExists: wire.ErrNodeExists, zk.ErrBadVersion: wire.ErrBadVersion,
	zk.ErrNoAuth: wire.ErrNoAuth, zk.ErrNotEmpty: wire.ErrNotEmpty, zk.ErrSessionExpired: wire.ErrSessionExpired,
	zk.ErrUnknown: wire.ErrUnimplemented, zk.ErrInvalidACL: wire.ErrInvalidACL,
	zk.ErrClosing: wire.ErrSessionExpired,
}

// translate turns an error of go-zookeeper's into one of zkc's.
func translate(op, path string, err error, unsure bool) error {
	if err == nil {
		return nil
	}
	e := &zkc.Error{Op: op, Path: path, Code: codes[err]}
	if e.Code == wire.OK {
		e.Err = err
	}
	if unsure {
		e.Err = meaning{zkc.ErrUnknownOutcome, err}
	}
	return e
}

func statOf(s *zk.Stat) (out wire.Stat) {
	if s == nil {
		return out
	}
	return wire.Stat{Czxid: s.Czxid, Mzxid: s.Mzxid, Ctime: s.Ctime, Mtime: s.Mtime, Version: s.Version, Cversion: s.Cversion,
		Aversion: s.Aversion, EphemeralOwner: s.EphemeralOwner, DataLength: s.DataLength, NumChildren: s.NumChildren, Pzxid: s.Pzxid}
}
