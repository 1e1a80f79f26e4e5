package zkserver

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
)

const (
	outLimit  = 4 << 20         // unsent bytes past which a connection's requests wait
	keepLimit = 1 << 20         // largest output buffer worth keeping
	lingerFor = 2 * time.Second // how long a last reply may take to be read
)

// identity is one entry of a connection's authentication: scheme and id.
type identity struct{ scheme, id string }

// conn is one client connection. Its reader goroutine applies requests, its writer goroutine sends what was queued.
type conn struct {
	s    *Server
	nc   net.Conn
	id   int64
	addr netip.AddrPort
	r    *bufio.Reader
	wake chan struct{} // 1 slot: there is output, or the end is near
	room chan struct{} // 1 slot: output was taken
	dead chan struct{} // closed by kill
	once sync.Once

	// guarded by Server.mu
	ses     *session
	auth    []identity
	out     []byte
	spare   []byte
	closing bool // send what is queued, then close
	watched [2]map[string]watchMode
	old     bool // sent no readOnly byte
	counts  connCounters
}

// serve starts a connection's goroutines; false when the server takes none.
func (s *Server) serve(nc net.Conn, from string) bool {
	s.mu.Lock()
	if s.closed || s.refuse {
		s.mu.Unlock()
		nc.Close()
		return false
	}
	s.lastConn++
	c := &conn{
		s: s, nc: nc, id: s.lastConn, r: bufio.NewReaderSize(nc, 16<<10),
		wake: make(chan struct{}, 1), room: make(chan struct{}, 1), dead: make(chan struct{}),
	}
	c.addr = address(nc, from, c.id)
	c.auth = []identity{{"ip", c.addr.Addr().String()}}
	c.counts.since = time.Now()
	s.conns[c], s.live[c] = true, true
	s.wg.Add(2)
	s.mu.Unlock()
	guard.Go(c.write)
	guard.Go(c.read)
	return true
}

// address is where a client seems to come from: as asked, else its TCP address, else made up.
func address(nc net.Conn, from string, id int64) netip.AddrPort {
	for _, a := range []string{from, nc.RemoteAddr().String()} {
		if ap, err := netip.ParseAddrPort(a); err == nil {
			return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
		}
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(32768+id%28000))
}

// kill closes the connection at once; what is queued is lost.
func (c *conn) kill() {
	c.once.Do(func() {
		close(c.dead)
		c.nc.Close()
	})
}

// read serves the connection until it ends, then forgets it.
func (c *conn) read() {
	defer c.s.wg.Done()
	if c.handshake() {
		for c.next() {
		}
	}
	c.s.mu.Lock()
	c.s.forget(c)
	c.closing = true
	c.s.mu.Unlock()
	poke(c.wake)
}

// handshake serves a four-letter word, or opens or resumes a session; false ends the connection.
func (c *conn) handshake() bool {
	var head [4]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return false
	}
	if word := string(head[:]); isWord(word) {
		c.s.answerWord(c, word)
		return false
	}
	frame, err := c.frame(head)
	return err == nil && c.s.connect(c, frame)
}

// next serves one request; false ends the connection.
func (c *conn) next() bool {
	var head [4]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return false
	}
	frame, err := c.frame(head)
	return err == nil && c.s.serveRequest(c, frame) && c.waitRoom()
}

func (c *conn) frame(head [4]byte) ([]byte, error) {
	n := int32(binary.BigEndian.Uint32(head[:]))
	if n < 0 || int(n) > c.s.opts.MaxFrame {
		return nil, fmt.Errorf("zkserver: request of %d bytes", uint32(n))
	}
	b := make([]byte, n)
	_, err := io.ReadFull(c.r, b)
	return b, err
}

// waitRoom holds a client back that sends requests faster than it reads replies; false when it is gone.
func (c *conn) waitRoom() bool {
	for {
		c.s.mu.Lock()
		full := len(c.out) > outLimit
		c.s.mu.Unlock()
		if !full {
			return true
		}
		select {
		case <-c.room:
		case <-c.dead:
			return false
		}
	}
}

// write sends queued output until the connection ends, then closes it.
func (c *conn) write() {
	defer c.s.wg.Done()
	defer c.end()
	for {
		select {
		case <-c.wake:
		case <-c.dead:
			return
		}
		buf, last, ok := c.take()
		if !ok {
			return
		}
		if last {
			_ = c.nc.SetWriteDeadline(time.Now().Add(lingerFor))
		}
		if len(buf) > 0 {
			if _, err := c.nc.Write(buf); err != nil {
				return
			}
		}
		if last {
			return
		}
	}
}

// end kills the connection and lets the server forget that it ever was.
func (c *conn) end() {
	c.kill()
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	delete(c.s.live, c)
}

// take swaps the output buffers; last says that nothing will follow. Not ok when the connection or the server has ended.
func (c *conn) take() (buf []byte, last, ok bool) {
	if !c.s.lockOpen(c) {
		return nil, true, false
	}
	defer c.s.mu.Unlock()
	buf, last = c.out, c.closing
	c.out = c.spare[:0]
	c.spare = buf
	if cap(buf) > keepLimit {
		c.spare = nil
	}
	poke(c.room)
	return buf, last, true
}

// send queues one frame. The caller holds Server.mu.
func (c *conn) send(payload []byte) {
	c.out = wire.AppendFrame(c.out, payload)
	c.counts.sent++
	c.s.stats.sent++
	poke(c.wake)
}

// poke fills a 1-slot signal.
func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
