package zkserver_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// raw is a client that speaks frames: one request at a time, events kept in the order they came.
type raw struct {
	name   string
	dial   func() (net.Conn, error)
	nc     net.Conn
	xid    int32
	id     int64
	passwd []byte
	seen   int64 // highest zxid
}

var errClosed = errors.New("connection closed")

const patience = 20 * time.Second

// connect opens a connection and sends a connect request; the response is nil when the server closes instead.
func (c *raw) connect(req wire.ConnectRequest) (*wire.ConnectResponse, int, error) {
	nc, err := c.dial()
	if err != nil {
		return nil, 0, err
	}
	c.nc = nc
	var e wire.Encoder
	req.Encode(&e)
	b, err := c.exchange(e.B)
	if err != nil {
		return nil, 0, err
	}
	if len(b) == wire.ReplyHeaderLen {
		return nil, len(b), nil
	}
	d := wire.NewDecoder(b)
	var resp wire.ConnectResponse
	resp.Decode(d)
	return &resp, len(b), d.Err()
}

func (c *raw) exchange(payload []byte) ([]byte, error) {
	if err := c.write(payload); err != nil {
		return nil, err
	}
	return c.read()
}

func (c *raw) write(payload []byte) error {
	_ = c.nc.SetDeadline(time.Now().Add(patience))
	if _, err := c.nc.Write(wire.AppendFrame(nil, payload)); err != nil {
		return errClosed
	}
	return nil
}

func (c *raw) read() ([]byte, error) {
	_ = c.nc.SetDeadline(time.Now().Add(patience))
	b, err := wire.ReadFrame(c.nc, 1<<28)
	if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
		return nil, fmt.Errorf("no answer from the server: %w", err)
	}
	if err != nil {
		return nil, errClosed
	}
	return b, nil
}

// reply is one answer to a request.
type reply struct {
	wire.ReplyHeader
	body *wire.Decoder
}

// call sends a request and waits for its reply; events that come before it are passed to onEvent.
func (c *raw) call(xid int32, op wire.Op, body []byte, onEvent func(wire.Event)) (reply, error) {
	var e wire.Encoder
	e.Int32(xid)
	e.Int32(int32(op))
	e.B = append(e.B, body...)
	if err := c.write(e.B); err != nil {
		return reply{}, err
	}
	for {
		b, err := c.read()
		if err != nil {
			return reply{}, err
		}
		r := reply{body: wire.NewDecoder(b)}
		r.Decode(r.body)
		if r.Xid == wire.XidEvent {
			var ev wire.Event
			ev.Decode(r.body)
			onEvent(ev)
			continue
		}
		if r.Xid != xid {
			return r, fmt.Errorf("reply to %d where %d was asked", r.Xid, xid)
		}
		c.seen = max(c.seen, r.Zxid)
		return r, r.body.Err()
	}
}

// ask is call with the next xid.
func (c *raw) ask(op wire.Op, body []byte, onEvent func(wire.Event)) (reply, error) {
	c.xid++
	return c.call(c.xid, op, body, onEvent)
}

// ended reports whether the server closes the connection, dropping what it still sends.
func ended(nc net.Conn) bool {
	_ = nc.SetDeadline(time.Now().Add(patience))
	_, err := io.Copy(io.Discard, nc)
	ne := net.Error(nil)
	return !errors.As(err, &ne) || !ne.Timeout()
}

// encode builds a request's body.
func encode(f func(*wire.Encoder)) []byte {
	var e wire.Encoder
	f(&e)
	return bytes.Clone(e.B)
}
