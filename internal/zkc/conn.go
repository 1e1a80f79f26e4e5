package zkc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/internal/wire"
)

// Conn is a connection to an ensemble, kept up until Close. It may be used from any goroutine.
type Conn struct {
	cfg   Config
	log   *slog.Logger
	hosts *hosts
	zk    *zk.Conn
	ended <-chan zk.Event // closed when the library's loop has ended

	ctx    context.Context // ends attempts to connect
	cancel context.CancelFunc
	wg     sync.WaitGroup // pumps, writers, and the end after a terminal error
	ending atomic.Bool
	over   chan struct{} // closed when everything has ended

	arrived chan struct{} // the library is in its dialer and finds the Conn closed
	goOn    chan struct{} // closed to let it go on

	born  time.Time
	proof atomic.Int64 // what Alive returns, as nanoseconds since born: a clock that is set does not move it
	trip  atomic.Int64 // how long the last answer took, in nanoseconds
	zxid  atomic.Int64 // the highest that any reply to the session carried
	peak  int64        // the highest that any server told; the pump's own
	renew atomic.Bool  // ask for a new session next time
	tally tally

	believed atomic.Bool  // a server was content with our proof
	refused  atomic.Int32 // how often one was not since

	notify sync.Mutex // changes of state are told one at a time, in order
	mu     sync.Mutex
	state  State
	live   *link         // nil while there is no session to talk on
	cur    *link         // the latest link, also in its handshake
	final  error         // why there will be no connection any more
	moved  chan struct{} // closed and replaced at every change of state
	upAt   time.Time
	tried  map[string]error // what the latest attempt at each server came to, since the last connection
	offers map[string]*offer
	roots  []string // of persistent recursive watches
	once   map[onceKey][]*Watch
	loose  map[onceKey]struct{} // one-shot watches of batches
	arming map[onceKey]arming   // requests that will leave a watch
}

// Dial connects to the ensemble and returns when a session is there, unless Config.NoWait. Errors match
// ErrUnreachable, ErrAuth, ErrNoChroot or ErrSessionExpired (a server that ends new sessions at once), and
// the context's error when that ended the attempts. The caller must Close the Conn.
func Dial(ctx context.Context, cfg Config) (*Conn, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, &Error{Op: "connect", Err: err}
	}
	c := &Conn{cfg: cfg, log: cfg.Log, hosts: new(hosts), born: time.Now().Add(-1), moved: make(chan struct{}), over: make(chan struct{}),
		arrived: make(chan struct{}, 1), goOn: make(chan struct{}),
		state: State{Phase: Connecting, Since: time.Now()}, roots: cfg.Watches,
		tried: make(map[string]error), offers: make(map[string]*offer), once: make(map[onceKey][]*Watch),
		loose: make(map[onceKey]struct{}), arming: make(map[onceKey]arming)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	ready := make(chan struct{})
	conn, ended, err := zk.Connect(cfg.Servers, cfg.Session, zk.WithDialer(func(_, addr string, _ time.Duration) (raw net.Conn, err error) {
		defer guard.Catch()
		err = ErrClosed // after a panic
		<-ready
		return c.dial(addr)
	}), zk.WithHostProvider(c.hosts), zk.WithLogger(logger{cfg.Log}), zk.WithLogInfo(true),
		zk.WithMaxBufferSize(64<<10), zk.WithMaxConnBufferSize(4<<10))
	if err != nil {
		c.cancel()
		return nil, &Error{Op: "connect", Err: err}
	}
	c.zk, c.ended = conn, ended
	close(ready)
	if cfg.NoWait {
		return c, nil
	}
	if err := c.awaitFirst(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// awaitFirst waits for the first session.
func (c *Conn) awaitFirst(ctx context.Context) error {
	for {
		c.mu.Lock()
		s, moved, final := c.state, c.moved, c.final
		c.mu.Unlock()
		switch {
		case final != nil:
			return final
		case s.Phase == Connected:
			return nil
		case c.cfg.GiveUp > 0 && s.Attempts >= c.cfg.GiveUp*len(c.cfg.Servers):
			return c.unreachable(nil)
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return c.unreachable(ctx.Err())
		}
	}
}

// unreachable says that no server could be reached, and what became of the attempt at each: servers that did the same are
// named together.
func (c *Conn) unreachable(ended error) error {
	c.mu.Lock()
	s, tried := c.state, maps.Clone(c.tried)
	c.mu.Unlock()
	why := s.Err
	switch {
	case why == nil:
		why = fmt.Errorf("%s: no answer yet%w", strings.Join(c.cfg.Servers, ","), silent{ErrSilent})
	case len(c.cfg.Servers) > 1:
		why = eachOf(c.cfg.Servers, tried)
	}
	err := fmt.Errorf("cannot connect to %w%w", why, silent{ErrUnreachable})
	if ended != nil {
		err = fmt.Errorf("%w%w", err, silent{ended})
	}
	return err
}

// eachOf is one line that tells of every server how the attempt to connect to it ended.
func eachOf(servers []string, tried map[string]error) error {
	var order []string
	by := make(map[string][]string)
	for _, addr := range servers {
		why := "not tried yet"
		if err := tried[addr]; err != nil {
			why = strings.TrimPrefix(err.Error(), addr+": ")
		}
		if by[why] == nil {
			order = append(order, why)
		}
		by[why] = append(by[why], addr)
	}
	for i, why := range order {
		order[i] = strings.Join(by[why], ",") + ": " + why
	}
	return fmt.Errorf("%s%w", strings.Join(order, "; "), silent{errors.Join(slices.Collect(maps.Values(tried))...)})
}

// State returns what is known about the session now.
func (c *Conn) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Alive returns when the latest request was sent that a server has answered, pings and handshakes included; zero
// before the first session. The server counts the session's timeout from when such a request reached it, so it
// cannot have ended the session before Alive and State.Timeout, as its clock runs. When the answer came says nothing
// about that: it may have been on its way for long.
func (c *Conn) Alive() time.Time {
	if d := c.proof.Load(); d > 0 {
		return c.born.Add(time.Duration(d))
	}
	return time.Time{}
}

// answered notes when a request was sent that a server has answered now.
func (c *Conn) answered(sent time.Time) {
	c.trip.Store(int64(time.Since(sent)))
	if d := int64(sent.Sub(c.born)); d > c.proof.Load() {
		c.proof.Store(d) // only pumps store, and there is one at a time
	}
}

// Heard is Alive while a server is connected, and zero while there is none. What was read from it is no older than
// that. More than half the session timeout ago means trouble: a healthy server answers a ping every third.
func (c *Conn) Heard() time.Time {
	if c.livelink() == nil {
		return time.Time{}
	}
	return c.Alive()
}

// Trip returns how long the last answer took; zero before the first.
func (c *Conn) Trip() time.Duration { return time.Duration(c.trip.Load()) }

// Delay returns how long answers take at present: as long as the last one did, and at least as long as the oldest question
// has waited. What comes of a change is known after twice that at the latest: its event is on the way, then a question and
// its answer. Zero without a connection.
func (c *Conn) Delay() time.Duration {
	l := c.livelink()
	if l == nil {
		return 0
	}
	return max(c.Trip(), l.waited())
}

// Counters returns what the connection has cost so far.
func (c *Conn) Counters() Counters {
	t := &c.tally
	out := Counters{Requests: t.requests.Load(), Replies: t.replies.Load(), Events: t.events.Load(),
		BytesIn: t.in.Load(), BytesOut: t.out.Load(), Refused: t.refused.Load()}
	c.mu.Lock()
	defer c.mu.Unlock()
	out.Watches = len(c.roots) + len(c.loose)
	for _, w := range c.once {
		out.Watches += len(w)
	}
	return out
}

// Chroot returns the chroot; empty for none.
func (c *Conn) Chroot() string { return c.cfg.Chroot }

// Servers returns the servers as host:port, in the order given.
func (c *Conn) Servers() []string { return append([]string(nil), c.cfg.Servers...) }

// FreshSession gives the session up and opens a new one: for servers that refuse to resume it because they
// have lost data that it has seen. Everyone sees an expiry.
func (c *Conn) FreshSession() {
	c.renew.Store(true)
	if l := c.current(); l != nil {
		l.fail(errors.New("a new session was asked for"))
	}
}

const (
	goodbye = 1200 * time.Millisecond // for a close request and its reply
	wrapUp  = 500 * time.Millisecond  // for goroutines to end
)

// Close ends the session and all goroutines. Ephemeral znodes and watches of the session go at once when
// the server hears of it, else when the session times out. Close returns within two seconds, whatever the
// server does; it may be called more than once.
func (c *Conn) Close() {
	c.shut(Closed, ErrClosed)
	c.wg.Wait()
}

// shut ends everything for the reason given. The first caller's reason stands.
func (c *Conn) shut(phase Phase, reason error) {
	c.shift(func(s *State) bool {
		if c.final == nil {
			c.final = reason
		} else if phase == Closed && s.Phase == Failed {
			return false
		}
		s.Phase, s.Since = phase, time.Now()
		if phase == Failed {
			s.Err = reason
		}
		return true
	})
	if c.ending.CompareAndSwap(false, true) {
		c.sayGoodbye(phase == Failed)
		close(c.over)
	}
	<-c.over // a channel, not sync.Once: whoever waits here must not stop a virtual clock
}

// sayGoodbye ends the library and all goroutines, with a close request when there is someone to hear it.
func (c *Conn) sayGoodbye(atOnce bool) {
	if atOnce || c.livelink() == nil {
		c.leaveQuietly()
	} else {
		c.hosts.close()
		close(c.goOn)
		hung := time.AfterFunc(goodbye, c.hangUp)
		c.zk.Close()
		hung.Stop()
		c.hangUp()
	}
	c.dropWatches(wire.StateDisconnected)
	timeout := time.NewTimer(wrapUp)
	defer timeout.Stop()
	for open := true; open; {
		select {
		case _, open = <-c.ended:
		case <-timeout.C:
			c.log.Warn("the ZooKeeper client does not end")
			return
		}
	}
}

// leaveQuietly ends the library where no server would hear its close request. The library answers that
// request itself only on its way from one failed attempt to the next, and would wait a second elsewhere: so
// it is led there first.
func (c *Conn) leaveQuietly() {
	c.hangUp()
	select {
	case <-c.arrived:
	case <-time.After(wrapUp / 2):
	}
	over := make(chan struct{})
	guard.Go(func() {
		defer close(over)
		c.zk.Close()
	})
	wait.For(context.Background(), 5*time.Millisecond) // the request is queued
	c.hosts.close()
	close(c.goOn)
	<-over
}

// hangUp ends attempts to connect, and the connection.
func (c *Conn) hangUp() {
	c.cancel()
	if l := c.current(); l != nil {
		l.fail(ErrClosed)
	}
}

// terminate ends the Conn for a reason that no retry cures. It does not wait.
func (c *Conn) terminate(reason error) {
	c.mu.Lock()
	first := c.final == nil
	if first {
		c.final = reason
		c.wg.Add(1)
	}
	c.mu.Unlock()
	if first {
		c.log.Error("connection given up", "err", reason)
		guard.Go(func() {
			defer c.wg.Done()
			c.shut(Failed, reason)
		})
	}
}

// logger carries the library's own log to ours.
type logger struct{ log *slog.Logger }

// Printf logs one line.
func (l logger) Printf(format string, args ...any) {
	l.log.Debug("go-zookeeper: " + fmt.Sprintf(format, args...))
}
