package recipes

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes/sasl"
)

// Config says where and how to connect.
type Config struct {
	Servers []string      // host:port
	Chroot  string        // Optional; must exist
	Timeout time.Duration // Optional; session timeout to ask for, default 10 s
	TLS     *tls.Config   // Optional
	Auth    []Credential  // Optional; of addauth

	// SASL is optional: by which a session proves who it is, to servers that know it as a user of theirs.
	SASL sasl.Mechanism

	Log *slog.Logger // Optional; default: nothing is logged
	ACL ACL          // Optional; of the znodes that are made, where their recipe says no other; default: WorldAll, also with Auth

	// MaxRequest is optional: the servers' jute.maxbuffer, where it is not their default of 1 MiB less 1. What would
	// make a larger request is ErrTooLarge.
	MaxRequest int

	// Dial is optional; default: TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Credential authenticates a session: scheme digest with a token user:password, or a server's own.
type Credential struct {
	Scheme string
	Token  []byte
}

// Session is one ZooKeeper session: what a claim lives and dies with. It is never followed by another: once
// it is lost, everything made on it fails with ErrLost.
type Session struct {
	conn connection
	made ACL // of znodes whose recipe says no other

	life context.Context         // ends with the session
	end  context.CancelCauseFunc // with one of the reasons in errors.go
	wg   sync.WaitGroup          // the guardians of claims, and the watcher of a borrowed connection

	mu    sync.Mutex
	taken map[string]*ticket  // our ephemeral znodes by path
	held  map[*Claim]struct{} // what is granted now
	over  bool                // Close has begun
	last  lastAlone
	apart error // why there is no connection; nil while there is one
}

func newSession() *Session {
	s := &Session{taken: make(map[string]*ticket), held: make(map[*Claim]struct{})}
	s.life, s.end = context.WithCancelCause(context.Background())
	return s
}

// Dial opens a session. It returns when the server has granted it, or with the reason why not when ctx ends.
func Dial(ctx context.Context, c Config) (*Session, error) {
	s := newSession()
	s.made = c.ACL
	cfg := zkc.Config{Servers: c.Servers, Chroot: c.Chroot, Session: c.Timeout, TLS: c.TLS, Log: c.Log, Dial: c.Dial,
		EndOnExpiry: true, OnState: s.onState, MaxRequest: c.MaxRequest, SASL: c.SASL, Auth: zkc.Credentials(c.Auth)}
	conn, err := zkc.Dial(ctx, cfg)
	if err != nil {
		s.end(err)
		return nil, escaped{err}
	}
	s.conn = zkcConn{conn}
	s.expect()
	// A session given up for lost is ended for good: its znodes must not outlive what it tells its claims.
	context.AfterFunc(s.life, conn.Close)
	return s, nil
}

// ID returns the session's id.
func (s *Session) ID() znode.SessionID {
	id, _ := s.link().session()
	return znode.SessionID(id)
}

// Timeout returns how long the session lives without a connection, as the server granted it.
func (s *Session) Timeout() time.Duration {
	_, timeout := s.link().session()
	return timeout
}

// Lost is closed when the session has ended: it expired, was closed, or no request that the server has answered was
// sent for so long that it must be assumed to have ended it (see the package's notes on loss).
func (s *Session) Lost() <-chan struct{} { return s.lifetime().Done() }

// Cause says in one line why the session is lost; nil while it is not.
func (s *Session) Cause() error {
	if s.lifetime().Err() == nil {
		return nil
	}
	return escaped{context.Cause(s.lifetime())}
}

// Close ends the session; the server removes everything that it owned. It returns within two seconds,
// whatever the server does, and may be called more than once.
func (s *Session) Close() {
	if s == nil || s.end == nil {
		return // the zero value
	}
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.end(errClosed)
	s.link().Close()
	s.wg.Wait()
}

// onState runs on the connection's own goroutine: it must not block.
func (s *Session) onState(st zkc.State) {
	s.mu.Lock()
	if s.apart = st.Err; st.Phase == zkc.Connected { // perhaps to servers whose history is another: a backup that was played back counts the same numbers again
		s.last = lastAlone{}
	}
	s.mu.Unlock()
	switch st.Phase {
	case zkc.Expired, zkc.Failed, zkc.Closed:
		s.end(ending(st))
	}
}

// slack is the share of a session's timeout that is not counted on: for clocks that do not run alike, and for timers
// that are late.
const slack = 20

// left returns how long the session can be counted on without another answer. The server counts its timeout from the
// last request that reached it: it has got every one that it has answered, and got it no sooner than it was sent.
func (s *Session) left() time.Duration {
	_, timeout := s.link().session()
	return timeout - timeout/slack - time.Since(s.link().alive())
}

// Left returns how long the session can be counted on if no request of ours is answered from now on; when that is over, Lost
// is closed. It is below zero after that, and grows with every answer.
func (s *Session) Left() time.Duration { return s.left() }

// expect ends the session when it cannot be counted on any longer, connected or not.
func (s *Session) expect() {
	var timer *time.Timer
	armed := make(chan struct{})
	timer = time.AfterFunc(s.left(), func() {
		<-armed
		if s.certain() {
			timer.Reset(s.left())
		}
	})
	close(armed)
	context.AfterFunc(s.life, func() { timer.Stop() })
}

// certain reports whether the session can be counted on, and ends it if not.
func (s *Session) certain() bool {
	if s.lifetime().Err() == nil && s.left() <= 0 {
		s.mu.Lock()
		why := s.apart
		s.mu.Unlock()
		if why == nil {
			s.end(errSilent)
		} else {
			s.end(fmt.Errorf("%w; the last attempt: %s", errSilent, why))
		}
	}
	return s.lifetime().Err() == nil
}

// within returns a context that ends with ctx or with the session, whichever comes first. The caller calls
// stop when it is done.
func (s *Session) within(ctx context.Context) (bound context.Context, stop func()) {
	bound, cancel := context.WithCancel(ctx)
	undo := context.AfterFunc(s.lifetime(), cancel)
	return bound, func() { undo(); cancel() }
}

// alive returns a context for clean-ups: it outlives ctx, for as long as the session may live without a
// connection, after which the server cleans up.
func (s *Session) alive(ctx context.Context) (live context.Context, stop func()) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(s.Timeout(), time.Second))
	live, undo := s.within(ctx)
	return live, func() { undo(); cancel() }
}

// own notes an ephemeral znode of ours; false when another ticket of this session has it.
func (s *Session) own(t *ticket) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was := s.taken[t.path()]; was != nil && was != t {
		return false
	}
	s.taken[t.path()] = t
	return true
}

func (s *Session) disown(t *ticket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[t.path()] == t {
		delete(s.taken, t.path())
	}
}

// markOurs notes which of a directory's children are ours.
func (s *Session) markOurs(dir string, children []order.Contender) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := make(map[string]bool, 1)
	for path := range s.taken {
		if d, name := znode.Split(path); d == dir {
			mine[name] = true
		}
	}
	for i := range children {
		if mine[children[i].Name] {
			children[i].Session = s.ID()
		}
	}
}
