package zkc

import (
	"errors"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
)

// hosts is the library's list of servers. Unlike the library's own it keeps the names as they were given,
// for TLS, and asks for no pause: the pause between rounds is the dialer's, grows from milliseconds to a
// second, and ends when the Conn is closed. Where all that stands in the way is who we are it grows to ten: an attempt
// costs the servers, or a KDC, far more than a connection does then, and somebody has to do something first.
type hosts struct {
	mu      sync.Mutex
	servers []string
	next    int
	fails   int  // attempts since a connection that lasted
	vain    int  // the last of them, that ended in what trying again soon does not cure
	up      bool // a session was reached at least once
	closing bool
	hangups map[string]int // handshakes of a resumed session that the server ended, by address
}

var _ zk.HostProvider = (*hosts)(nil)

const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
	vainPause  = 10 * time.Second // the last, where every server, or who vouches for us, refuses us
	lasting    = time.Second      // a connection that lives as long counts as good
	refusals   = 3                // hang-ups by every server until we say that they refuse the session
)

// Init takes the list in the order in which the library has shuffled it.
func (h *hosts) Init(servers []string) error {
	h.servers, h.hangups = slices.Clone(servers), make(map[string]int)
	return nil
}

// Len returns the number of servers.
func (h *hosts) Len() int { return len(h.servers) }

// Next returns the server to try next. retryStart, on which the library pauses and looks whether it should
// quit, is only set when it should.
func (h *hosts) Next() (server string, retryStart bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	server = h.servers[h.next%len(h.servers)]
	h.next++
	return server, h.closing
}

// prefer makes a server the next to be tried.
func (h *hosts) prefer(addr string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.servers, addr); i >= 0 {
		h.next = i
	}
}

// settled reports whether the last connection lasted, or none was tried yet.
func (h *hosts) settled() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fails == 0
}

// took notes that a server is tried out of turn: the one after it is next.
func (h *hosts) took(addr string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next = slices.Index(h.servers, addr) + 1
}

// Connected is the library's word that the handshake is over; the link knows better when.
func (h *hosts) Connected() {}

// pause returns how long to wait before the next attempt.
func (h *hosts) pause() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.servers)
	if h.fails < n || h.fails%n != 0 {
		return 0
	}
	p := firstPause << min(h.fails/n-1, 10)
	most := lastPause
	if h.vain >= n {
		most = vainPause
	}
	p = min(p, most)
	return p - time.Duration(rand.Int64N(int64(p)/5))
}

// ended notes how a connection went, and why it is over.
func (h *hosts) ended(lived time.Duration, cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if lived >= lasting {
		h.fails, h.vain = 0, 0
		return
	}
	h.fails++
	if h.vain++; !errors.As(cause, new(vain)) {
		h.vain = 0
	}
}

// hungUp notes a server that ended the handshake of our session.
func (h *hosts) hungUp(addr string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hangups[addr]++
}

// refusing reports whether every server has ended the handshake of our session again and again.
func (h *hosts) refusing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.servers {
		if h.hangups[s] < refusals {
			return false
		}
	}
	return true
}

// suspect reports whether the server ended the last handshake of our session.
func (h *hosts) suspect(addr string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hangups[addr] > 0
}

// reached notes a session.
func (h *hosts) reached() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.up = true
	clear(h.hangups)
}

// everUp reports whether a session was ever reached.
func (h *hosts) everUp() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.up
}

// close makes the library look whether it should quit.
func (h *hosts) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closing = true
}

// hostOf returns the host of host:port.
func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}
