package recipes

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// fuse is a link on which something goes wrong once, at its nth request that is no ping and no handshake: the
// connection is lost before or after it, or something is done before it is sent.
type fuse struct {
	mu    sync.Mutex
	at    int // -1: never
	what  string
	do    func() // of what is neither lost before nor lost after
	count int
	hello []byte // the server's last answer to a handshake
}

func (f *fuse) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &fused{Conn: c, f: f}, nil
}

// fused is one connection; writes come from one goroutine at a time.
type fused struct {
	net.Conn
	f       *fuse
	begun   bool // the handshake was sent
	buf     []byte
	mu      sync.Mutex
	blown   bool // the next reply is lost
	greeted bool
	in      []byte // the answer to the handshake
}

// Write passes whole frames on.
func (c *fused) Write(b []byte) (int, error) {
	c.buf = append(c.buf, b...)
	for len(c.buf) >= 4 {
		n := 4 + int(binary.BigEndian.Uint32(c.buf))
		if len(c.buf) < n {
			break
		}
		frame := c.buf[:n]
		c.buf = append([]byte(nil), c.buf[n:]...)
		if c.begun && c.f.burns(frame) {
			switch c.f.what {
			case "lost before":
				c.Conn.Close()
				return len(b), nil
			case "lost after":
				c.mu.Lock()
				c.blown = true
				c.mu.Unlock()
			default:
				c.f.act()
			}
		}
		c.begun = true
		if _, err := c.Conn.Write(frame); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// Read loses the reply, and the connection, once the fuse has blown.
func (c *fused) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.blown {
		c.Conn.Close()
		return 0, net.ErrClosed
	}
	if !c.greeted {
		c.in = append(c.in, b[:n]...)
		if len(c.in) > 4 && len(c.in) >= 4+int(binary.BigEndian.Uint32(c.in)) {
			c.greeted = true
			c.f.mu.Lock()
			c.f.hello = c.in[4:]
			c.f.mu.Unlock()
		}
	}
	return n, err
}

// act does what is to be done, unless the session is only being opened.
func (f *fuse) act() {
	f.mu.Lock()
	do := f.do
	f.mu.Unlock()
	if do != nil {
		do()
	}
}

// expire ends the link's session over another connection, as its server would. Its client may take the session back
// before the end is applied, which costs that connection: whether it has ended is told by the answer to who asks for it
// again.
func (f *fuse) expire(addr string) error {
	f.mu.Lock()
	var hello wire.ConnectResponse
	hello.Decode(wire.NewDecoder(f.hello))
	f.mu.Unlock()
	for by := time.Now().Add(5 * time.Second); ; {
		ended, err := endSession(addr, hello)
		if ended || !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) || time.Now().After(by) {
			return err
		}
	}
}

// endSession asks for a session and closes it; ended when there was none any more, or the server has said so.
func endSession(addr string, hello wire.ConnectResponse) (ended bool, err error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return false, err
	}
	defer c.Close()
	var e wire.Encoder
	(&wire.ConnectRequest{Timeout: hello.Timeout, SessionID: hello.SessionID, Passwd: hello.Passwd}).Encode(&e)
	out := wire.AppendFrame(nil, e.B)
	e = wire.Encoder{}
	e.Int32(1)
	e.Int32(int32(wire.OpClose))
	if _, err := c.Write(wire.AppendFrame(out, e.B)); err != nil {
		return false, err
	}
	frame, err := wire.ReadFrame(c, 1<<20)
	if err != nil {
		return false, fmt.Errorf("ask for the session: %w", err)
	}
	var resp wire.ConnectResponse
	if resp.Decode(wire.NewDecoder(frame)); resp.SessionID == 0 {
		return true, nil
	}
	if _, err = wire.ReadFrame(c, 1<<20); err != nil {
		return false, fmt.Errorf("close the session: %w", err)
	}
	return true, nil
}

// burns counts a request.
func (f *fuse) burns(frame []byte) bool {
	op := wire.Op(int32(binary.BigEndian.Uint32(frame[8:])))
	if op == wire.OpPing || op == wire.OpClose || op == wire.OpRemoveWatches || op == wire.OpSetWatches || op == wire.OpSetWatches2 {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	return f.count-1 == f.at
}

// perform plays an act below a directory of its own on a real server.
func performReal(t *testing.T, a act, addr, chroot string, f *fuse) (requests int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	dial := func(c Config) *Session {
		c.Servers = []string{addr}
		ses, err := Dial(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		return ses
	}
	admin := dial(Config{})
	defer admin.Close()
	if _, err := admin.ensure(ctx, chroot, nil, nil); err != nil {
		t.Fatal(err)
	}
	s, help := dial(Config{Chroot: chroot, Dial: f.dial}), dial(Config{Chroot: chroot})
	defer s.Close()
	defer help.Close()
	p, end := rehearse(s, help)
	p.ctx, cancel = context.WithCancel(p.ctx)
	defer cancel()
	do := cancel
	if f.what == "expired" {
		do = func() {
			if err := f.expire(addr); err != nil {
				t.Error(err)
			}
		}
	}
	f.mu.Lock()
	f.do = do
	f.mu.Unlock()
	if f.at < 0 {
		plant(t, help, a)
	}
	err := a.play(p)
	end()
	p.wait()
	complain(t, a, f.at, f.what, err)
	if left := ephemerals(ctx, admin, chroot); len(left) > 0 {
		t.Errorf("%s at request %d: %v stay (%v)", f.what, f.at, left, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}

// ephemerals lists what sessions own below a path.
func ephemerals(ctx context.Context, s *Session, path string) (out []string) {
	names, _ := s.children(ctx, path)
	values, _ := s.readAll(ctx, path, names)
	for n, v := range values {
		child := znode.Join(path, n)
		if v.stat.EphemeralOwner != 0 {
			out = append(out, child)
		}
		out = append(out, ephemerals(ctx, s, child)...)
	}
	return out
}

// dangerous are the acts whose requests all go wrong in the short run too.
var dangerous = []string{"lock zookeeper", "downgrade curator", "semaphore curator", "double barrier zookeeper", "take zookeeper"}

// TestOnARealServer plays every recipe on a real ZooKeeper, among foreign children where there can be some, and a few
// again with each request going wrong in every way; in the long run, all of them.
func TestOnARealServer(t *testing.T) {
	peers.Require(t, peers.NeedZooKeeper)
	t.Parallel()
	addr := realServer(t)
	for i, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			n := performReal(t, a, addr, fmt.Sprint("/act-", i), &fuse{at: -1})
			if os.Getenv("ZKSCOPE_LONG") == "" && !slices.Contains(dangerous, a.name) {
				return
			}
			for at := 0; at < n && !t.Failed(); at++ {
				for k, what := range []string{"lost before", "lost after", "canceled", "expired"} {
					performReal(t, a, addr, fmt.Sprintf("/act-%d-%d-%d", i, at, k), &fuse{at: at, what: what})
				}
			}
		})
	}
}
