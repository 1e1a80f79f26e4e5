package zkc

import (
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// outlet is how frames come to the server. Whoever has some writes them himself where that takes no waiting: that spares
// handing them to another goroutine. Else they are queued for the writer, and so is what did not fit into the socket.
type outlet struct {
	raw  syscall.RawConn // nil: only the writer writes
	q    chan outgoing
	n    *atomic.Int32 // how many are queued, or with the writer
	pen  chan struct{} // holds one value, which whoever writes takes out meanwhile
	tail chan []byte   // what is left of a frame that was begun; whoever leaves it leaves the pen to the writer
}

// outgoing is one piece of whole frames.
type outgoing struct {
	b      []byte
	frames int
}

// directTo is the longest piece that callers write themselves, and that the writer puts together.
const directTo = 16 << 10

func newOutlet(raw net.Conn) outlet {
	o := outlet{q: make(chan outgoing, 64), n: new(atomic.Int32), pen: make(chan struct{}, 1), tail: make(chan []byte, 1)}
	o.pen <- struct{}{}
	if tcp, ok := raw.(*net.TCPConn); ok && canTry {
		o.raw, _ = tcp.SyscallConn()
	}
	return o
}

// send sends frames, or queues them; it waits for room in the queue until stop is closed. Where there is room at once, a
// closed stop does not matter.
func (l *link) send(stop <-chan struct{}, b []byte, frames int) error {
	if l.direct(b, frames) {
		return nil
	}
	o, piece := &l.out, outgoing{b, frames}
	o.n.Add(1)
	select {
	case o.q <- piece:
		return nil
	default:
	}
	select {
	case o.q <- piece:
		return nil
	case <-l.dead:
		o.n.Add(-1)
		return io.ErrClosedPipe
	case <-stop:
		o.n.Add(-1)
		return errStopped
	}
}

// direct writes at once, unless somebody else writes, or waits for it: frames of one goroutine stay in order.
func (l *link) direct(b []byte, frames int) bool {
	o := &l.out
	if o.raw == nil || len(b) > directTo || o.n.Load() > 0 {
		return false
	}
	select {
	case <-o.pen:
	default:
		return false
	}
	if o.n.Load() > 0 {
		o.pen <- struct{}{}
		return false
	}
	n, err := try(o.raw, b)
	switch {
	case err != nil:
		o.pen <- struct{}{}
		l.fail(fmt.Errorf("send to %s: %w", l.addr, plainly(err)))
		return true // the pump settles it
	case n < len(b):
		o.tail <- b[n:]
	default:
		o.pen <- struct{}{}
	}
	l.c.tally.requests.Add(uint64(frames))
	l.c.tally.out.Add(uint64(len(b)))
	return true
}

// writer sends what is queued, as much at once as is there.
func (l *link) writer() {
	defer l.c.wg.Done()
	o := &l.out
	for {
		var piece outgoing
		var rest []byte
		select {
		case piece = <-o.q:
		case rest = <-o.tail:
		case <-l.dead:
			return
		}
		if rest == nil {
			select {
			case <-o.pen:
			case rest = <-o.tail:
			case <-l.dead:
				return
			}
		}
		if !l.write(rest, piece) {
			return
		}
		o.pen <- struct{}{}
	}
}

// lastWord is how long the last word of a server that hung up may take to be read.
const lastWord = time.Second

// hearOut lets the pump read why a server hung up that speaks TLS: in version 1.3 it refuses our certificate when we believe the
// handshake to be over, and are writing.
func (l *link) hearOut() {
	l.mu.Lock()
	served := l.session != 0
	l.mu.Unlock()
	if l.c.cfg.TLS == nil || served {
		return
	}
	t := time.NewTimer(lastWord)
	defer t.Stop()
	select {
	case <-l.dead:
	case <-t.C:
	}
}

// write sends the rest of a piece, then another one and what else is queued; false when that failed.
func (l *link) write(rest []byte, piece outgoing) bool {
	o, pieces := &l.out, int32(0)
	out := piece.b
	if piece.frames > 0 {
		pieces = 1
	}
	for more := piece.frames > 0; more && len(out) < directTo; {
		select {
		case next := <-o.q:
			out = append(out, next.b...)
			piece.frames += next.frames
			pieces++
		default:
			more = false
		}
	}
	_ = l.raw.SetWriteDeadline(time.Now().Add(l.patience()))
	for _, b := range [][]byte{rest, out} {
		if len(b) == 0 {
			continue
		}
		if _, err := l.raw.Write(b); err != nil {
			l.hearOut()
			l.fail(fmt.Errorf("send to %s: %w", l.addr, plainly(err)))
			return false
		}
	}
	_ = l.raw.SetWriteDeadline(time.Time{}) // it would end what others write later
	l.c.tally.requests.Add(uint64(piece.frames))
	l.c.tally.out.Add(uint64(len(out)))
	o.n.Add(-pieces)
	giveBack(out)
	return true
}
