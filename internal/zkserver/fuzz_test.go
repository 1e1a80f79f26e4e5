package zkserver_test

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// session connects a raw client.
func session(t testing.TB, s *zkserver.Server) *raw {
	t.Helper()
	c := &raw{name: "c", dial: func() (net.Conn, error) { return s.Dial(t.Context()) }}
	resp, _, err := c.connect(wire.ConnectRequest{Timeout: 10_000, Passwd: make([]byte, 16), HasReadOnly: true})
	if err != nil || resp == nil {
		t.Fatal(resp, err)
	}
	return c
}

// serves fails the test when the server does not answer a fresh client.
func serves(t testing.TB, s *zkserver.Server) {
	t.Helper()
	c := session(t, s)
	defer c.nc.Close()
	if r, err := c.ask(wire.OpExists, encode(func(e *wire.Encoder) { e.String("/"); e.Bool(false) }), nil); err != nil || r.Err != wire.OK {
		t.Fatal("the server serves no more:", r.Err, err)
	}
	if _, err := c.ask(wire.OpClose, nil, nil); err != nil {
		t.Fatal(err)
	}
}

// FuzzBytes sends bytes as they are, in place of a connect request or behind one.
func FuzzBytes(f *testing.F) {
	s := zkserver.New(zkserver.Options{Record: true})
	f.Cleanup(func() { s.Close() })
	for _, seed := range []string{"", "ruok", "\x00\x00\x00\x00", "\xff\xff\xff\xff", "\x7f\xff\xff\xff", "GET / HTTP/1.1\r\n\r\n",
		"\x00\x00\x00\x08\x00\x00\x00\x01\x00\x00\x00\x0b", "\x00\x00\x00\x2c" + strings.Repeat("\x00", 44), "\x00\x00\x00\x04dump"} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, b []byte, greet bool) {
		nc, err := s.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if greet {
			nc.Close()
			nc = session(t, s).nc
		}
		done := make(chan error)
		go func() {
			_, err := io.Copy(io.Discard, nc)
			done <- err
		}()
		_ = nc.SetDeadline(time.Now().Add(patience))
		_, _ = nc.Write(b)
		nc.Close()
		<-done
		serves(t, s)
		s.ForgetRequests()
	})
}

// FuzzRequests sends well-formed frames that hold any operation and body: each is answered, or the connection is closed.
func FuzzRequests(f *testing.F) {
	s := zkserver.New(zkserver.Options{Record: true})
	f.Cleanup(func() { s.Close() })
	sc := &script{t: new(testing.T)}
	for _, cmd := range []string{"create /t x flags=2", "ttl /t x", "container /t x", "delete /t", "set /t x", "setacl /t r:world:anyone",
		"exists /t w", "ls2 /t", "multi create /t x | delete /t | check /t | set /t x", "multiread get /t | ls /t", "addwatch /t 1",
		"removewatches /t 3", "checkwatches /t 1", "setwatches2 z0 data=/t exist=/a child=/t persistent=/a recursive=/", "auth digest a:b",
		"sasl", "whoami", "ephemerals /", "count /", "sync /", "reconfig", "getacl /t", "close"} {
		op, body, _ := sc.request(fields(cmd))
		f.Add(int32(op), body)
	}
	f.Fuzz(func(t *testing.T, op int32, body []byte) {
		if len(body) > wire.MaxFrame-8 {
			return
		}
		c := session(t, s)
		defer c.nc.Close()
		xid := int32(7)
		if wire.Op(op) == wire.OpPing {
			xid = wire.XidPing
		}
		r, err := c.call(xid, wire.Op(op), body, func(wire.Event) {})
		if err != nil && err != errClosed {
			t.Fatal(err)
		}
		if err == nil && r.Err == wire.ErrUnimplemented && !ended(c.nc) {
			t.Fatal("an unknown operation ends the connection")
		}
		serves(t, s)
		s.ForgetRequests()
	})
}

func TestFramesThatEndTheConnection(t *testing.T) {
	s, addr := listen(t, zkserver.Options{})
	head := func(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
	for name, bytes := range map[string]string{
		"length over the limit": head(wire.MaxFrame + 1),
		"negative length":       head(1<<32 - 1),
		"no connect request":    head(8) + "12345678",
		"unknown word":          "nope",
	} {
		nc, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(nc, bytes); err != nil || !ended(nc) {
			t.Errorf("%s: the connection stays (%v)", name, err)
		}
		nc.Close()
	}
	for name, n := range map[string]int{"largest": wire.MaxFrame, "too large": wire.MaxFrame + 1} {
		c := session(t, s)
		body := make([]byte, n-8) // a get whose path is all the rest
		binary.BigEndian.PutUint32(body, uint32(n-8-5))
		r, err := c.ask(wire.OpGetData, body, nil)
		if fits := n == wire.MaxFrame; fits != (err == nil) || fits && r.Err != wire.ErrNoNode {
			t.Errorf("%s request: %v %v", name, r.Err, err)
		}
		c.nc.Close()
	}
}
