package zkc

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// source reads from a raw connection, each read under its own deadline.
type source struct {
	raw  net.Conn
	idle time.Duration // 0: leave the deadline alone
	in   *atomic.Uint64
}

// Read reads what is there.
func (s *source) Read(p []byte) (int, error) {
	if s.idle > 0 {
		if err := s.raw.SetReadDeadline(time.Now().Add(s.idle)); err != nil {
			return 0, err
		}
	}
	n, err := s.raw.Read(p)
	if n > 0 {
		s.in.Add(uint64(n))
	}
	return n, err
}

// frameReader cuts a stream into frames. A frame is valid until the next one is read.
type frameReader struct {
	src source
	r   *bufio.Reader
	max int
	buf []byte
}

const (
	readChunk   = 1 << 20 // memory is claimed in such steps, as bytes come: a lying length costs nothing
	keepBuffer  = 4 << 20 // larger buffers are given back
	readBufSize = 64 << 10
)

func newFrameReader(raw net.Conn, max int, in *atomic.Uint64) *frameReader {
	f := &frameReader{src: source{raw: raw, in: in}, max: max}
	f.r = bufio.NewReaderSize(&f.src, readBufSize)
	return f
}

// next returns the payload of the next frame.
func (f *frameReader) next() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(f.r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if uint64(n) > uint64(f.max) {
		return nil, fmt.Errorf("frame of %d bytes is larger than the limit of %d: is this a ZooKeeper port?", n, f.max)
	}
	if cap(f.buf) > keepBuffer && int(n) <= readChunk {
		f.buf = nil
	}
	f.buf = f.buf[:0]
	for left := int(n); left > 0; {
		step := min(left, max(cap(f.buf)-len(f.buf), readChunk))
		start := len(f.buf)
		f.buf = append(f.buf, make([]byte, step)...)
		if _, err := io.ReadFull(f.r, f.buf[start:]); err != nil {
			return nil, err
		}
		left -= step
	}
	return f.buf, nil
}

// What a frame of a server may not be. The library below would panic or misread it.
var (
	errShortFrame = errors.New("server sent a frame too short for a reply")
	errBadConnect = errors.New("server sent a malformed connect reply")
	errBadEvent   = errors.New("server sent a malformed watch event")
	errBadReply   = errors.New("server sent a malformed reply")
)

// parseConnect checks a connect response. A server that grants no session answers with a bare reply
// header instead, whose code is then the error.
func parseConnect(frame []byte) (wire.ConnectResponse, error) {
	var resp wire.ConnectResponse
	if len(frame) == wire.ReplyHeaderLen {
		var h wire.ReplyHeader
		h.Decode(wire.NewDecoder(frame))
		if h.Err == wire.ErrNotReadOnly {
			return resp, errors.New("read-only server grants no session: it has no quorum, and needs localSessionsEnabled=true to serve new clients without one")
		}
		return resp, fmt.Errorf("server grants no session: %w", &Error{Code: h.Err})
	}
	d := wire.NewDecoder(frame)
	resp.Decode(d)
	switch {
	case d.Err() != nil || d.Len() > 0 || resp.ProtocolVersion != 0:
		return resp, errBadConnect
	case resp.SessionID != 0 && (resp.Timeout <= 0 || len(resp.Passwd) == 0 || len(resp.Passwd) > 255):
		return resp, errBadConnect
	}
	return resp, nil
}

// parseEvent checks a watch event, whose header has been read.
func parseEvent(body []byte) (wire.Event, error) {
	var ev wire.Event
	d := wire.NewDecoder(body)
	ev.Decode(d)
	known := ev.Type == wire.EventNone || ev.Type >= wire.EventCreated && ev.Type <= wire.EventChildrenChanged
	if d.Err() != nil || d.Len() > 0 || !known || ev.Type != wire.EventNone && CheckPath(ev.Path) != nil {
		return ev, errBadEvent
	}
	return ev, nil
}

// reframe puts the length before a payload that has 4 bytes of room in front.
func reframe(b []byte) []byte {
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// framed copies a payload and puts its length before it.
func framed(payload []byte) []byte {
	return wire.AppendFrame(make([]byte, 0, 4+len(payload)), payload)
}
