package peers

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
)

// Mute is a network that can hold back every reply but those to pings: a server whose reads hang while it looks alive. It has
// no sockets and no goroutines of its own, so that it serves virtual time as well.
type Mute struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu   sync.Mutex
	held bool
}

// NewMute is a network over another one. Everything passes yet.
func NewMute(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *Mute {
	return &Mute{dial: dial}
}

// Hold says whether replies are held back. Those that were pass with the next one after they no longer are.
func (m *Mute) Hold(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = on
}

func (m *Mute) holds() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.held
}

// Dial connects.
func (m *Mute) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := m.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &muted{Conn: c, m: m}, nil
}

type muted struct {
	net.Conn
	m       *Mute
	greeted bool
	out     []byte // to be read
	begun   []byte // the beginning of a frame
	kept    []byte // held back
}

// Read returns what is not held back.
func (c *muted) Read(p []byte) (int, error) {
	for len(c.out) == 0 {
		frame, err := c.frame()
		if err != nil {
			return 0, err
		}
		const ping = -2
		if c.greeted && c.m.holds() && (len(frame) < 8 || int32(binary.BigEndian.Uint32(frame[4:])) != ping) {
			c.kept = append(c.kept, frame...)
			continue
		}
		c.greeted = true
		if !c.m.holds() {
			c.out, c.kept = c.kept, nil
		}
		c.out = append(c.out, frame...)
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// frame reads one frame. What was read of it is kept when a deadline ends the read.
func (c *muted) frame() ([]byte, error) {
	for want := 4; ; {
		if len(c.begun) >= 4 {
			want = 4 + int(binary.BigEndian.Uint32(c.begun))
		}
		if len(c.begun) >= 4 && len(c.begun) == want {
			f := c.begun
			c.begun = nil
			return f, nil
		}
		b := make([]byte, want-len(c.begun))
		n, err := io.ReadAtLeast(c.Conn, b, 1)
		c.begun = append(c.begun, b[:n]...)
		if err != nil {
			return nil, err
		}
	}
}
