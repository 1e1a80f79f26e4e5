package zkc

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// goroutinesHere counts the goroutines that run code of this package or of the client below it.
func goroutinesHere() (n int) {
	buf := make([]byte, 1<<20)
	for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "zkscope/internal/zkc.") || strings.Contains(g, "go-zookeeper") {
			n++
		}
	}
	return n
}

type dialFunc = func(context.Context, string, string) (net.Conn, error)

// deafTo wraps a dialer so that requests of one kind never arrive.
func deafTo(next dialFunc, op wire.Op) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		raw, err := next(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &deaf{Conn: raw, op: op, connect: true}, nil
	}
}

type deaf struct {
	net.Conn
	op      wire.Op
	connect bool
}

func (d *deaf) Write(p []byte) (int, error) {
	for r := bytes.NewReader(p); r.Len() > 0; {
		frame, err := wire.ReadFrame(r, 1<<30)
		if err != nil {
			return 0, err
		}
		if !d.connect && wire.Op(int32(binary.BigEndian.Uint32(frame[4:]))) == d.op {
			continue
		}
		d.connect = false
		if _, err := d.Conn.Write(framed(frame)); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// scripted is a dialer whose server is a function. Each connection runs it once.
func scripted(serve func(conn net.Conn)) dialFunc {
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			serve(server)
		}()
		return client, nil
	}
}

// greet reads a connect request and grants a session.
func greet(conn net.Conn, id int64) (wire.ConnectRequest, error) {
	var req wire.ConnectRequest
	frame, err := wire.ReadFrame(conn, 1<<20)
	if err != nil {
		return req, err
	}
	req.Decode(wire.NewDecoder(frame))
	var e wire.Encoder
	(&wire.ConnectResponse{Timeout: req.Timeout, SessionID: id, Passwd: make([]byte, 16), HasReadOnly: true}).Encode(&e)
	_, err = conn.Write(framed(e.B))
	return req, err
}

// answering serves requests: reply returns the body, or nil for none at all.
func answering(conn net.Conn, reply func(xid int32, op wire.Op) []byte) {
	for {
		frame, err := wire.ReadFrame(conn, 1<<20)
		if err != nil {
			return
		}
		d := wire.NewDecoder(frame)
		if out := reply(d.Int32(), wire.Op(d.Int32())); out != nil {
			if _, err := conn.Write(out); err != nil {
				return
			}
		}
	}
}

// replyFrame is a whole reply frame.
func replyFrame(xid int32, zxid int64, code wire.Code, body []byte) []byte {
	var e wire.Encoder
	(&wire.ReplyHeader{Xid: xid, Zxid: zxid, Err: code}).Encode(&e)
	return framed(append(e.B, body...))
}

var _ io.Writer = (*deaf)(nil)

// TestADeadLinkTakesWhatIsWritten: only reads say that it is dead. The library answers a request whose write failed twice,
// and waits for ever where nobody takes the second answer.
func TestADeadLinkTakesWhatIsWritten(t *testing.T) {
	c := &Conn{cfg: Config{MaxFrame: 1 << 20}}
	raw, far := net.Pipe()
	defer far.Close()
	l := newLink(c, "s:2181", raw, time.Now().Add(time.Minute))
	l.begun = true
	l.fail(io.ErrUnexpectedEOF)
	closing := framed(append(binary.BigEndian.AppendUint32(nil, 7), binary.BigEndian.AppendUint32(nil, uint32(0xfffffff5))...)) // opClose
	for range cap(l.out.q) + 2 { // until none is queued any more
		if n, err := l.Write(closing); n != len(closing) || err != nil {
			t.Fatalf("write: %d, %v; want %d and no error", n, err, len(closing))
		}
	}
	if n, err := l.Read(make([]byte, 4)); n != 0 || err != io.EOF {
		t.Errorf("read: %d, %v; want the end", n, err)
	}
}
