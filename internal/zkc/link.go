package zkc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/recipes/sasl"
)

// Injected xids. The library counts from 1 and would need two billion requests to come near.
const (
	firstXid int32 = 0x70000000
	lastXid  int32 = 0x7fffffff
)

// link is one connection to one server: the net.Conn that lies under the library. The pump reads from the
// server and is the only one to look at what comes; the writer is the only one to write. Neither waits for
// the other.
type link struct {
	c      *Conn
	addr   string
	raw    net.Conn
	frames *frameReader
	due    time.Time // when the handshake must be over
	fresh  bool      // ask for a new session, whatever the library asks for

	proof sasl.Exchange // begun and not yet held; nil: none is wanted

	out   outlet        // to the server
	toLib chan []byte   // whole frames for the library
	dead  chan struct{} // closed when the connection has failed or was closed
	gone  chan struct{} // closed when the pump has ended: nothing is reported after that

	once  sync.Once
	cause error // why it is dead; read after dead is closed

	spoke bool // a reply has carried a zxid; the pump's own

	rest   []byte // what the library has not yet taken of a frame
	unsent []byte // what the library has written of a frame

	mu      sync.Mutex
	pend    map[int32]*pending // nil after death
	xid     int32
	asked   int64       // session id in the connect request
	begun   bool        // the connect request has passed
	greeted time.Time   // when that was
	pings   []time.Time // when those of the library were sent that are not answered
	session int64
	limit   time.Duration // silence or a blocked write of this length means death
}

// pending is an injected request that waits for its reply. done is called exactly once, on the pump.
type pending struct {
	op   wire.Op
	sent time.Time
	done func(reply)
}

// reply is what came of an injected request. body is valid only during the call.
type reply struct {
	zxid int64 // the last that the server had applied; of a write its own
	code wire.Code
	body []byte
	lost error // the connection died first
}

func newLink(c *Conn, addr string, raw net.Conn, due time.Time) *link {
	l := &link{c: c, addr: addr, raw: raw, due: due, limit: time.Until(due),
		out: newOutlet(raw), toLib: make(chan []byte, 4),
		dead: make(chan struct{}), gone: make(chan struct{}),
		pend: make(map[int32]*pending), xid: firstXid}
	l.frames = newFrameReader(raw, c.cfg.MaxFrame, &c.tally.in)
	return l
}

// fail ends the connection; the first cause stands.
func (l *link) fail(err error) {
	l.once.Do(func() {
		l.cause = err
		close(l.dead)
		_ = l.raw.Close()
	})
}

// Read gives the library the frames that are meant for it. Like Write it runs on the library's goroutines.
func (l *link) Read(p []byte) (n int, err error) {
	defer guard.Catch()
	err = io.ErrClosedPipe // what the library is told after a panic
	if len(l.rest) == 0 {
		select {
		case l.rest = <-l.toLib:
		case <-l.dead:
			select {
			case l.rest = <-l.toLib:
			default:
				return 0, io.EOF
			}
		}
	}
	n = copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// Write takes the library's frames. It returns as soon as they are queued. That the link is dead is told by Read alone: a
// request whose write fails is answered twice by the library, and where nobody waits for the answers (Close waits for a
// second) its goroutine stands for ever.
func (l *link) Write(p []byte) (n int, err error) {
	defer guard.Catch()
	err = io.ErrClosedPipe
	l.unsent = append(l.unsent, p...)
	for len(l.unsent) >= 4 {
		size := 4 + int(binary.BigEndian.Uint32(l.unsent))
		if size < 12 || size > 64<<20 {
			l.fail(fmt.Errorf("client frame of %d bytes", size))
			break
		}
		if len(l.unsent) < size {
			break
		}
		frame := append([]byte(nil), l.unsent[:size]...)
		l.unsent = l.unsent[size:]
		if l.pass(frame) != nil {
			break
		}
	}
	return len(p), nil
}

// pass lets one frame of the library through, rewrites it, or answers it.
func (l *link) pass(frame []byte) error {
	l.mu.Lock()
	first := !l.begun
	if l.begun = true; first {
		l.greeted = time.Now()
	}
	l.mu.Unlock()
	if first {
		out, err := l.rewriteConnect(frame[4:])
		if err != nil {
			l.fail(err)
			return err
		}
		return l.send(nil, out, 1)
	}
	d := wire.NewDecoder(frame[4:])
	xid, op := d.Int32(), wire.Op(d.Int32())
	if l.c.cfg.ReadOnly && !reading(op) {
		l.c.tally.refused.Add(1)
		return l.deliver(refusal(xid))
	}
	if op == wire.OpPing {
		l.mu.Lock()
		l.pings = append(l.pings, time.Now())
		l.mu.Unlock()
	}
	return l.send(nil, frame, 1)
}

// rewriteConnect adds to a connect request what the library leaves out: the read-only byte and the zxid of
// the replies that it never saw. The zxid keeps a resumed session from going back in time on a server that
// lags behind.
func (l *link) rewriteConnect(payload []byte) ([]byte, error) {
	var req wire.ConnectRequest
	d := wire.NewDecoder(payload)
	req.Decode(d)
	if d.Err() != nil {
		return nil, fmt.Errorf("client sent a malformed connect request: %w", d.Err())
	}
	if l.fresh {
		req.SessionID, req.LastZxid, req.Passwd = 0, 0, make([]byte, 16)
	}
	if req.SessionID == 0 {
		l.c.zxid.Store(req.LastZxid)
	} else {
		req.LastZxid = max(req.LastZxid, l.c.zxid.Load())
	}
	req.HasReadOnly, req.ReadOnly = true, l.c.cfg.ReadOnly
	l.mu.Lock()
	l.asked = req.SessionID
	l.mu.Unlock()
	var e wire.Encoder
	req.Encode(&e)
	return framed(e.B), nil
}

// errStopped says that a frame was not queued because the caller's wait ended first.
var errStopped = errors.New("stopped")

// deliver hands a frame to the library.
func (l *link) deliver(frame []byte) error {
	select {
	case l.toLib <- frame:
		return nil
	case <-l.dead:
		return io.ErrClosedPipe
	}
}

// Close is called by the library when it gives the connection up.
func (l *link) Close() error {
	l.fail(net.ErrClosed)
	return nil
}

// LocalAddr is that of the raw connection.
func (l *link) LocalAddr() net.Addr { return l.raw.LocalAddr() }

// RemoteAddr is that of the raw connection.
func (l *link) RemoteAddr() net.Addr { return l.raw.RemoteAddr() }

// SetDeadline does nothing: the link watches over the time itself, because the library would wait ten
// times too long in the handshake and does not see the replies that are not for it.
func (l *link) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing; see SetDeadline.
func (l *link) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing; see SetDeadline.
func (l *link) SetWriteDeadline(time.Time) error { return nil }

var _ net.Conn = (*link)(nil)

func (l *link) patience() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limit
}

func putXid(e *wire.Encoder, xid int32) { binary.BigEndian.PutUint32(e.B[4:], uint32(xid)) }

// request begins the payload of a request, with room for the length and the xid.
func request(op wire.Op) *wire.Encoder { return requestOf(op, 128) }

// requestOf is request for a payload of a known size.
func requestOf(op wire.Op, size int) *wire.Encoder {
	e := &wire.Encoder{B: buffer(size)[:8]}
	clear(e.B)
	e.Int32(int32(op))
	return e
}

// Large requests are built in buffers that are used again.
const (
	pooledFrom = 4 << 10
	pooledTo   = 1 << 20
)

var pool = sync.Pool{New: func() any { return new([]byte) }}

// buffer returns an empty slice with room for size bytes.
func buffer(size int) []byte {
	if size < pooledFrom {
		return make([]byte, 0, size)
	}
	if b := *pool.Get().(*[]byte); cap(b) >= size {
		return b[:0]
	}
	return make([]byte, 0, size)
}

// giveBack offers a buffer that has been sent for use again.
func giveBack(b []byte) {
	if cap(b) >= pooledFrom && cap(b) <= pooledTo {
		pool.Put(&b)
	}
}

// fits reports with ErrTooLarge that a request would cost the connection: servers cut it off.
func (c *Conn) fits(e *wire.Encoder) error {
	if n := len(e.B) - 4; n > c.cfg.MaxRequest {
		return because(ErrTooLarge, fmt.Errorf("%d bytes, and jute.maxbuffer is %d: not sent", n, c.cfg.MaxRequest))
	}
	return nil
}

// inject sends a request of ours. done is called exactly once: on the pump, or here when the link is dead
// already. Only when stop ends the wait for room in the queue is done never called and false returned: the
// request was not sent.
func (l *link) inject(stop <-chan struct{}, op wire.Op, e *wire.Encoder, done func(reply)) (sent bool) {
	return l.injectAll(stop, injection{op, e, done})
}

// injection is a request of ours that is to be sent.
type injection struct {
	op   wire.Op
	e    *wire.Encoder
	done func(reply)
}

// injectAll is inject for several requests, which are sent in one piece.
func (l *link) injectAll(stop <-chan struct{}, list ...injection) (sent bool) {
	l.mu.Lock()
	if l.pend == nil {
		l.mu.Unlock()
		for _, q := range list {
			q.done(reply{lost: errHungUp})
		}
		return true
	}
	now, first := time.Now(), l.xid
	for i, q := range list {
		xid := l.xid
		if i == 0 {
			first = xid
		}
		if l.xid++; l.xid == lastXid {
			l.xid = firstXid
		}
		l.pend[xid] = &pending{op: q.op, sent: now, done: q.done}
		putXid(q.e, xid)
	}
	l.mu.Unlock()
	b := reframe(list[0].e.B)
	for _, q := range list[1:] {
		b = append(b, reframe(q.e.B)...)
	}
	if l.send(stop, b, len(list)) != errStopped {
		return true // when dead, the pump settles it
	}
	sent = l.take(first) == nil // settled in the meantime: done was called
	for _, q := range list[1:] {
		l.take(int32(binary.BigEndian.Uint32(q.e.B[4:])))
	}
	return sent
}

// take removes and returns a pending request.
func (l *link) take(xid int32) *pending {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.pend[xid]
	delete(l.pend, xid)
	return p
}

// waited is for how long the oldest request has waited for its answer, pings included.
func (l *link) waited() (d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.pend {
		d = max(d, time.Since(p.sent))
	}
	if len(l.pings) > 0 {
		d = max(d, time.Since(l.pings[0]))
	}
	return d
}

// settle tells every pending request that the connection is lost.
func (l *link) settle(err error) {
	l.mu.Lock()
	pend := l.pend
	l.pend = nil
	l.mu.Unlock()
	for _, p := range pend {
		p.done(reply{lost: err})
	}
}
