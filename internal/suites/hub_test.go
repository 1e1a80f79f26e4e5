package suites

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
)

// superDigest is the id of super:test, which both suites expect.
const superDigest = "super:D/InIHSb7yEEbrWz8b9l71RjZJU="

// hub has one embedded server for each ensemble that a suite starts. Members are processes of their own, which come and
// go; the server stays, as what is on a real ensemble's disks does.
type hub struct {
	t  *testing.T
	l  net.Listener
	wg sync.WaitGroup

	mu        sync.Mutex
	ensembles map[string]*ensemble
	conns     map[net.Conn]bool
	closed    bool
}

// ensemble is what several members are of.
type ensemble struct {
	server *zkserver.Server
	addr   string
	size   int
	ro     bool // members that have lost their quorum serve reads
	alive  int
}

func newHub(t *testing.T) *hub {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hub{t: t, l: l, ensembles: map[string]*ensemble{}, conns: map[net.Conn]bool{}}
	h.wg.Go(h.accept)
	t.Cleanup(h.close)
	return h
}

func (h *hub) close() {
	h.l.Close()
	h.mu.Lock()
	h.closed = true
	for c := range h.conns {
		c.Close()
	}
	h.mu.Unlock()
	h.wg.Wait()
	for _, e := range h.ensembles {
		e.server.Close()
	}
}

func (h *hub) accept() {
	for {
		c, err := h.l.Accept()
		if err != nil {
			return
		}
		h.mu.Lock()
		h.conns[c] = true
		if h.closed {
			c.Close()
		}
		h.mu.Unlock()
		h.wg.Go(func() { h.member(c) })
	}
}

// member serves one member for as long as its process lives.
func (h *hub) member(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	if err != nil {
		return
	}
	var cfg config
	if err := cfg.read(line); err != nil {
		h.t.Errorf("a member says %q: %v", line, err)
		return
	}
	e := h.join(cfg)
	if e == nil {
		return
	}
	fmt.Fprintf(c, "%s\n", e.addr)
	_, _ = r.ReadString('\n') // until the process ends
	h.count(e, -1)
}

// join finds the member's ensemble, or makes it.
func (h *hub) join(cfg config) *ensemble {
	h.mu.Lock()
	e := h.ensembles[cfg.ensemble]
	if e == nil {
		tick := time.Duration(cfg.tick) * time.Millisecond
		e = &ensemble{size: cfg.size, ro: cfg.readOnly, server: zkserver.New(zkserver.Options{MinTimeout: 2 * tick, MaxTimeout: 20 * tick, SuperDigest: superDigest})}
		addr, err := e.server.Listen("127.0.0.1:0")
		if err != nil {
			h.mu.Unlock()
			h.t.Error(err)
			return nil
		}
		e.addr = addr.String()
		h.ensembles[cfg.ensemble] = e
		e.quorum(false)
	}
	h.mu.Unlock()
	h.count(e, 1)
	return e
}

// count notes a member that came or went.
func (h *hub) count(e *ensemble, by int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	had := e.alive*2 > e.size
	e.alive += by
	if has := e.alive*2 > e.size; has != had {
		e.quorum(has)
	}
}

// quorum lets an ensemble serve, or ends that: each client loses its connection then, and no session expires.
func (e *ensemble) quorum(has bool) {
	e.server.RefuseConnections(!has && !e.ro)
	e.server.SetReadOnly(!has)
}

// config is what a member was told.
type config struct {
	ensemble string // the same for all its members
	size     int
	tick     int
	port     int
	readOnly bool
}

func (c config) line() string {
	return fmt.Sprintf("%s %d %d %d %v\n", c.ensemble, c.size, c.tick, c.port, c.readOnly)
}

func (c *config) read(line string) error {
	_, err := fmt.Sscan(strings.TrimSpace(line), &c.ensemble, &c.size, &c.tick, &c.port, &c.readOnly)
	return err
}
