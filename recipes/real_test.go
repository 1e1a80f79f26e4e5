package recipes

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// fuse is a link that breaks once: before or after its nth request that is no ping and no handshake.
type fuse struct {
	mu    sync.Mutex
	at    int // -1: never
	after bool
	count int
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
	f     *fuse
	begun bool // the handshake was sent
	buf   []byte
	mu    sync.Mutex
	blown bool // the next reply is lost
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
			if !c.f.after {
				c.Conn.Close()
				return len(b), nil
			}
			c.mu.Lock()
			c.blown = true
			c.mu.Unlock()
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
	return n, err
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
	if _, err := admin.ensure(ctx, chroot, nil); err != nil {
		t.Fatal(err)
	}
	s, help := dial(Config{Chroot: chroot, Dial: f.dial}), dial(Config{Chroot: chroot})
	defer s.Close()
	defer help.Close()
	p, end := rehearse(s, help)
	err := a.play(p)
	end()
	p.wait()
	if err != nil && !(a.unknown && errors.Is(err, ErrUnknown)) {
		t.Errorf("at request %d, after %v: %v", f.at, f.after, err)
	}
	if left := ephemerals(ctx, admin, chroot); len(left) > 0 {
		t.Errorf("at request %d, after %v: %v stay (%v)", f.at, f.after, left, err)
	}
	return f.count
}

// ephemerals lists what sessions own below a path.
func ephemerals(ctx context.Context, s *Session, path string) (out []string) {
	names, _ := s.children(ctx, path)
	values, _ := s.readAll(ctx, path, names)
	for n, v := range values {
		child := inspect.Join(path, n)
		if v.stat.EphemeralOwner != 0 {
			out = append(out, child)
		}
		out = append(out, ephemerals(ctx, s, child)...)
	}
	return out
}

// dangerous are the acts whose requests all go wrong in the short run too.
var dangerous = []string{"lock zookeeper", "downgrade curator", "semaphore curator", "double barrier zookeeper", "take zookeeper"}

// TestOnARealServer plays every recipe on a real ZooKeeper, and a few again with the connection lost at each
// request; in the long run, all of them.
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
				for _, after := range []bool{false, true} {
					performReal(t, a, addr, fmt.Sprintf("/act-%d-%d-%v", i, at, after), &fuse{at: at, after: after})
				}
			}
		})
	}
}
