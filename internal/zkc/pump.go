package zkc

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// pump serves one connection from the handshake to its end, and reports both to the Conn.
func (l *link) pump() {
	defer l.c.wg.Done()
	defer close(l.gone)
	l.fail(l.serve())
	<-l.dead
	l.c.down(l, l.cause)
	l.settle(l.cause)
}

// serve returns why the connection is over.
func (l *link) serve() error {
	frame, err := l.handshake()
	if err != nil {
		return err
	}
	if err := l.deliver(frame); err != nil {
		return err
	}
	for {
		frame, err := l.frames.next()
		if err != nil {
			return fmt.Errorf("%s: %w", l.addr, plainly(err))
		}
		if err := l.dispatch(frame); err != nil {
			return fmt.Errorf("%s: %w", l.addr, err)
		}
	}
}

// handshake takes a connection from the connect request to a session that is ready for requests, and
// returns the frame that tells the library. Nothing of the library's can pass before it has that frame.
func (l *link) handshake() ([]byte, error) {
	_ = l.raw.SetReadDeadline(l.due)
	frame, err := l.frames.next()
	if err != nil {
		return nil, l.handshakeError(err)
	}
	resp, err := parseConnect(frame)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.addr, err)
	}
	l.c.tally.replies.Add(1)
	connected := framed(frame) // the buffer is used again by what follows
	if resp.SessionID == 0 {
		l.c.expire(l)
		l.c.hosts.prefer(l.addr) // it answers: ask it for the new session
		_ = l.deliver(connected) // the library then asks for a new session, but does not close this connection
		return nil, fmt.Errorf("%s: %w", l.addr, ErrSessionExpired)
	}
	if err := l.authenticate(); err != nil {
		return nil, err
	}
	if err := l.checkChroot(); err != nil {
		return nil, err
	}
	timeout := time.Duration(resp.Timeout) * time.Millisecond
	l.frames.src.idle = timeout * 2 / 3
	l.mu.Lock()
	l.limit, l.session = timeout*2/3, resp.SessionID
	l.mu.Unlock()
	return connected, l.c.up(l, resp)
}

// handshakeError puts the end of a handshake into words.
func (l *link) handshakeError(err error) error {
	l.mu.Lock()
	asked := l.asked
	l.mu.Unlock()
	if refusedByTLS(err) {
		return fmt.Errorf("%s: %w", l.addr, l.c.tlsError(err))
	}
	err = plainly(err)
	if err == errHungUp {
		if asked != 0 {
			l.c.hosts.hungUp(l.addr)
		}
		if asked != 0 && l.c.hosts.refusing() {
			if l.c.cfg.RenewRefused {
				l.c.renew.Store(true)
			}
			return fmt.Errorf("%s: it refuses our session, which may be older than data already seen", l.addr)
		}
		return fmt.Errorf("%s: %s", l.addr, l.c.whyShut(l.addr))
	}
	return fmt.Errorf("%s: %w in the handshake", l.addr, err)
}

// authenticate proves who we are and sends the credentials: before the first request, under the deadline of the handshake,
// with a refusal that is final.
func (l *link) authenticate() error {
	if err := l.prove(); err != nil {
		return err
	}
	for _, a := range l.c.cfg.Auth {
		e := request(wire.OpAuth)
		e.Int32(0)
		e.String(a.Scheme)
		e.Buffer(a.Token)
		code, _, err := l.exchange(wire.XidAuth, e)
		if err != nil {
			return l.handshakeError(err)
		}
		if code != wire.OK {
			err := because(ErrAuth, fmt.Errorf("%s by %s (%s)", a.Scheme, l.addr, CodeText(code)))
			l.c.terminate(&Error{Op: "authenticate", Code: code, Err: err})
			return err
		}
	}
	return nil
}

// checkChroot makes sure once that the chroot is there. It is not created: a mistyped one must not be.
func (l *link) checkChroot() error {
	if l.c.cfg.Chroot == "" || l.c.hosts.everUp() {
		return nil
	}
	e := request(wire.OpExists)
	e.String(l.c.cfg.Chroot)
	e.Bool(false)
	code, _, err := l.exchange(lastXid, e)
	if err != nil {
		return l.handshakeError(err)
	}
	switch code {
	case wire.OK:
		return nil
	case wire.ErrNoNode:
		err = fmt.Errorf("chroot %s does not exist on %s: create it first, or mistyped?%w", l.c.cfg.Chroot, l.addr, silent{ErrNoChroot})
	default:
		err = fmt.Errorf("chroot %s cannot be read on %s: %w", l.c.cfg.Chroot, l.addr, &Error{Code: code})
	}
	l.c.terminate(&Error{Op: "connect", Err: err})
	return err
}

// silent is an error that errors.Is finds and no one reads.
type silent struct{ error }

// Error is empty.
func (silent) Error() string { return "" }

// Unwrap is what errors.Is finds.
func (s silent) Unwrap() error { return s.error }

// exchange sends one request in the handshake and waits for its reply, whose body is valid until the next one.
func (l *link) exchange(xid int32, e *wire.Encoder) (wire.Code, []byte, error) {
	putXid(e, xid)
	if err := l.send(nil, reframe(e.B), 1); err != nil {
		return 0, nil, err
	}
	for {
		frame, err := l.frames.next()
		if err != nil {
			return 0, nil, err
		}
		h, body, err := header(frame)
		if err != nil {
			return 0, nil, err
		}
		if h.Xid == xid {
			l.c.tally.replies.Add(1)
			return h.Err, body, nil
		}
	}
}

// header splits a frame that follows the connect response.
func header(frame []byte) (h wire.ReplyHeader, body []byte, err error) {
	if len(frame) < wire.ReplyHeaderLen {
		return h, nil, errShortFrame
	}
	h.Decode(wire.NewDecoder(frame))
	return h, frame[wire.ReplyHeaderLen:], nil
}

// dispatch takes one frame to where it belongs.
func (l *link) dispatch(frame []byte) error {
	h, body, err := header(frame)
	if err != nil {
		return err
	}
	if h.Xid == wire.XidEvent {
		ev, err := parseEvent(body)
		if err != nil {
			return err
		}
		l.c.tally.events.Add(1)
		l.c.event(ev)
		return nil
	}
	l.c.tally.replies.Add(1)
	if h.Zxid > 0 {
		l.c.sawZxid(l, h.Zxid)
	}
	switch {
	case h.Xid >= firstXid:
		return l.answer(h, body)
	case h.Xid == wire.XidPing:
		l.checkProbes()
		if err := l.ponged(); err != nil {
			return err
		}
	case h.Xid < 0:
		return nil // nothing the library asked for
	}
	return l.deliver(framed(frame))
}

// answer settles a request of ours.
func (l *link) answer(h wire.ReplyHeader, body []byte) error {
	p := l.take(h.Xid)
	if p == nil {
		return nil
	}
	if h.Err != wire.ErrSessionExpired && h.Err != wire.ErrSessionMoved {
		l.c.answered(p.sent)
	}
	l.c.learn(l.addr, p.op, h.Err)
	if h.Err == wire.ErrSASLRequired || h.Err == wire.ErrAuthFailed {
		l.c.terminate(&Error{Op: "authenticate", Code: h.Err, Err: because(ErrAuth, errors.New(CodeText(h.Err)))})
	}
	p.done(reply{zxid: h.Zxid, code: h.Err, body: body})
	return nil
}

// ponged settles the oldest ping: servers answer them in order. A server that answers pings and leaves a read that came
// before them without an answer for as long as it might be silent is given up: another may do better.
func (l *link) ponged() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pings) == 0 {
		return nil
	}
	ping := l.pings[0]
	l.pings = l.pings[1:]
	l.c.answered(ping)
	oldest := ping
	for _, p := range l.pend {
		if !reading(p.op) || p.op == wire.OpSync {
			return nil // reads wait for what came before them, and that for other servers and their disks
		}
		if p.sent.Before(oldest) {
			oldest = p.sent
		}
	}
	if d := time.Since(oldest); oldest.Before(ping) && d >= l.limit {
		return fmt.Errorf("it answers pings, and no read for %v", d.Round(100*time.Millisecond))
	}
	return nil
}

// probePatience is how long a server may keep silent about an operation that it may not know, while it
// answers pings.
const probePatience = 2 * time.Second

// checkProbes gives up on operations that a server neither answers nor refuses.
func (l *link) checkProbes() {
	if l.c.proven(l.addr) {
		return
	}
	l.mu.Lock()
	var stuck []*pending
	for xid, p := range l.pend {
		if optional(p.op) && time.Since(p.sent) > probePatience {
			stuck = append(stuck, p)
			delete(l.pend, xid)
		}
	}
	l.mu.Unlock()
	for _, p := range stuck {
		l.c.learn(l.addr, p.op, wire.ErrUnimplemented)
		p.done(reply{code: wire.ErrUnimplemented})
	}
}

// probing reports whether an operation that the server may not know was in flight.
func (l *link) probing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.pend {
		if optional(p.op) {
			return true
		}
	}
	return false
}

// malformed ends the connection because of a reply that does not follow the protocol.
func (l *link) malformed() { l.fail(fmt.Errorf("%s: %w", l.addr, errBadReply)) }

var _ io.Closer = (*link)(nil)
