package zkserver_test

import (
	"bytes"
	"net"
	"testing"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// creations is a multi of create2, create and delete, and the body of the reply to it.
func creations(t *testing.T, addr string) []byte {
	t.Helper()
	c := &raw{dial: func() (net.Conn, error) { return net.Dial("tcp", addr) }}
	if _, _, err := c.connect(wire.ConnectRequest{Timeout: 9000, Passwd: make([]byte, 16)}); err != nil {
		t.Fatal(err)
	}
	defer c.nc.Close()
	body := encode(func(e *wire.Encoder) {
		for _, x := range []struct {
			op    wire.Op
			path  string
			flags int32
		}{{wire.OpCreate2, "/m", 0}, {wire.OpCreate2, "/m/a-", wire.FlagSequence}, {wire.OpCreate, "/m/b-", wire.FlagSequence}} {
			(&wire.MultiHeader{Type: x.op, Err: -1}).Encode(e)
			e.String(x.path)
			e.Buffer([]byte("x"))
			wire.EncodeACLs(e, wire.OpenACL())
			e.Int32(x.flags)
		}
		(&wire.MultiHeader{Type: wire.OpDelete, Err: -1}).Encode(e)
		e.String("/m/a-0000000000")
		e.Int32(-1)
		(&wire.MultiHeader{Type: -1, Done: true, Err: -1}).Encode(e)
	})
	r, err := c.ask(wire.OpMulti, body, func(wire.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	return r.body.Rest()
}

// TestCreationsInAMultiAreAnsweredAlike compares the replies byte by byte: create2 inside a multi is answered as create
// is, with the path alone.
func TestCreationsInAMultiAreAnsweredAlike(t *testing.T) {
	s := zkserver.New(zkserver.Options{})
	defer s.Close()
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	want := creations(t, peers.ZooKeeper(t, peers.Options{}).Addr)
	if got := creations(t, addr.String()); !bytes.Equal(got, want) || len(want) < 40 {
		t.Errorf("embedded % x\nreal     % x", got, want)
	}
	var h wire.MultiHeader
	if h.Decode(wire.NewDecoder(want)); h.Type != wire.OpCreate || h.Done {
		t.Errorf("a real server answers create2 as %+v", h)
	}
}
