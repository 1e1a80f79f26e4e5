package recipes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	b := &borrowed{conn: conn, timeout: timeout, life: s.life, born: time.Now()}
	s.conn = b
	for _, n := range append(maxRequest[:len(maxRequest):len(maxRequest)], zkc.DefaultMaxRequest) {
		b.most = cmp.Or(b.most, n)
	}
	b.close, b.end = s.releaseAll, s.end
	s.expect()
	s.wg.Add(1)
	guard.Go(func() { s.follow(b) })
	return s
}

// pollEvery is how often the state of a borrowed connection is looked at: its events belong to its owner.
const pollEvery = 50 * time.Millisecond

// idlePolls is how often in a row a connection must be seen disconnected, and not connecting again, to count as closed: the
// library stays so for an instant only, until it is closed.
const idlePolls = 5

// follow ends the session when that of the connection ends, or when it may have.
func (s *Session) follow(b *borrowed) {
	defer s.wg.Done()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for idle := 0; ; {
		select {
		case <-ticker.C:
		case <-s.life.Done():
			return
		}
		switch b.conn.State() {
		case zk.StateExpired, zk.StateAuthFailed:
			s.end(ErrExpired)
		case zk.StateDisconnected:
			if idle++; idle == idlePolls {
				s.end(errOwner)
			}
		default:
			idle = 0
		}
		if b.same() && time.Since(b.alive()) > b.timeout/4 && b.asking.CompareAndSwap(false, true) {
			guard.Go(func() {
				defer b.asking.Store(false)
				_, _, _ = b.Exists(s.life, "/")
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

// borrowed is a connection of go-zookeeper's. Its calls cannot be ended: one that its context ends goes on by
// itself until it is answered or its connection lost.
type borrowed struct {
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

func (b *borrowed) alive() time.Time { return b.born.Add(time.Duration(b.proof.Load())) }

// same reports whether the connection has the session that it had; it has none while it is not known to.
func (b *borrowed) same() bool {
	now := b.conn.SessionID()
	if now == 0 || !b.id.CompareAndSwap(0, now) && b.id.Load() != now {
		if now != 0 {
			b.end(ErrExpired) // the library has opened another one without a word
		}
		return false
	}
	return true
}

// answered notes when a call was made that has come back, if it was the session's server that answered it.
func (b *borrowed) answered(made time.Time, err error) {
	if code, told := codes[err]; err != nil && (!told || code == wire.ErrSessionExpired) || !b.same() {
		return
	}
	for d := int64(made.Sub(b.born)); ; {
		was := b.proof.Load()
		if d <= was || b.proof.CompareAndSwap(was, d) {
			return
		}
	}
}

func (b *borrowed) session() (int64, time.Duration) { return b.conn.SessionID(), b.timeout }

// Close is called once the session's life has ended.
func (b *borrowed) Close() { b.close() }

// outcome is what a call came to.
type outcome[T any] struct {
	v   T
	err error
}

// call makes one call and waits for it. Reads whose connection is lost are repeated.
func call[T any](ctx context.Context, b *borrowed, op, path string, reads bool, f func() (T, error)) (T, error) {
	if err := zkc.GoodPath(op, path); err != nil {
		var none T
		return none, err
	}
	for {
		got := make(chan outcome[T], 1)
		guard.Go(func() {
			made := time.Now()
			v, err := f()
			b.answered(made, err)
			if errors.Is(err, zk.ErrClosing) {
				b.end(errOwner)
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

// besides is what a write is longer than its path and its data.
const besides = 64

// fits refuses a write that would cost the connection.
func (b *borrowed) fits(op, path string, data int) error {
	if n := len(path) + data + besides; n > b.most {
		return &zkc.Error{Op: op, Path: path, Err: fmt.Errorf("%w: %d bytes, and jute.maxbuffer is %d", zkc.ErrTooLarge, n, b.most)}
	}
	return nil
}

func theirACL(acl []wire.ACL) []zk.ACL {
	if acl == nil {
		return zk.WorldACL(zk.PermAll)
	}
	out := make([]zk.ACL, len(acl))
	for i, a := range acl {
		out[i] = zk.ACL{Perms: a.Perms, Scheme: a.Scheme, ID: a.ID}
	}
	return out
}

func (b *borrowed) Create(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL) (zkc.Created, error) {
	if err := b.fits("create", path, len(data)); err != nil {
		return zkc.Created{}, err
	}
	who := theirACL(acl)
	made, err := call(ctx, b, "create", path, false, func() (string, error) {
		if flags == wire.FlagContainer {
			return b.conn.CreateContainer(path, data, zk.FlagContainer, who)
		}
		return b.conn.Create(path, data, flags, who)
	})
	return zkc.Created{Path: made}, err
}

func (b *borrowed) Set(ctx context.Context, path string, data []byte, version int32) (wire.Stat, error) {
	if err := b.fits("set", path, len(data)); err != nil {
		return wire.Stat{}, err
	}
	st, err := call(ctx, b, "set", path, false, func() (*zk.Stat, error) { return b.conn.Set(path, data, version) })
	return statOf(st), err
}

func (b *borrowed) Delete(ctx context.Context, path string, version int32) error {
	_, err := call(ctx, b, "delete", path, false, func() (struct{}, error) { return struct{}{}, b.conn.Delete(path, version) })
	return err
}

func (b *borrowed) Multi(ctx context.Context, changes ...zkc.Change) ([]zkc.Done, error) {
	var ops []any
	size := 0
	for _, c := range changes {
		if err := zkc.GoodPath("multi", c.Path); err != nil {
			return nil, err
		}
		size += len(c.Path) + len(c.Data) + besides
		switch c.Op {
		case wire.OpCreate:
			ops = append(ops, &zk.CreateRequest{Path: c.Path, Data: c.Data, Acl: theirACL(c.ACL), Flags: c.Flags})
		case wire.OpDelete:
			ops = append(ops, &zk.DeleteRequest{Path: c.Path, Version: c.Version})
		case wire.OpCheck:
			ops = append(ops, &zk.CheckVersionRequest{Path: c.Path, Version: c.Version})
		default:
			ops = append(ops, &zk.SetDataRequest{Path: c.Path, Data: c.Data, Version: c.Version})
		}
	}
	if err := b.fits("multi", changes[0].Path, size); err != nil {
		return nil, err
	}
	got, err := call(ctx, b, "multi", changes[0].Path, false, func() ([]zk.MultiResponse, error) { return b.conn.Multi(ops...) })
	out := make([]zkc.Done, len(changes))
	for i := range min(len(got), len(out)) {
		out[i] = zkc.Done{Code: codes[got[i].Error], Path: got[i].String, Stat: statOf(got[i].Stat)}
	}
	return out, err
}

func (b *borrowed) Get(ctx context.Context, path string) ([]byte, wire.Stat, error) {
	v, err := call(ctx, b, "get", path, true, func() (value, error) {
		data, st, err := b.conn.Get(path)
		return value{data, statOf(st)}, err
	})
	return v.data, v.stat, err
}

func (b *borrowed) Exists(ctx context.Context, path string) (wire.Stat, bool, error) {
	st, err := call(ctx, b, "exists", path, true, func() (*zk.Stat, error) {
		ok, st, err := b.conn.Exists(path)
		if !ok {
			return nil, err
		}
		return st, err
	})
	return statOf(st), st != nil && err == nil, err
}

func (b *borrowed) Children(ctx context.Context, path string) ([]string, wire.Stat, error) {
	w, err := call(ctx, b, "children", path, true, func() (watch, error) {
		names, st, err := b.conn.Children(path)
		return watch{Children: names, Stat: statOf(st)}, err
	})
	return w.Children, w.Stat, err
}

func (b *borrowed) Sync(ctx context.Context, path string) error {
	_, err := call(ctx, b, "sync", path, true, func() (string, error) { return b.conn.Sync(path) })
	return err
}

// values reads one by one: go-zookeeper has no batch read.
func (b *borrowed) values(ctx context.Context, paths []string) ([]zkc.Result, error) {
	out := make([]zkc.Result, len(paths))
	for i, p := range paths {
		data, st, err := b.Get(ctx, p)
		var e *zkc.Error
		switch {
		case err == nil:
			out[i] = zkc.Result{Data: data, Stat: st}
		case errors.As(err, &e) && e.Code != wire.OK && e.Code != wire.ErrSessionExpired:
			out[i].Code = e.Code
		default:
			return nil, err
		}
	}
	return out, nil
}
