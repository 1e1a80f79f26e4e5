package zkc

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// eventFrame is a watch event as a server sends it.
func eventFrame(typ wire.EventType, path string) []byte {
	var e wire.Encoder
	(&wire.Event{Type: typ, State: wire.StateSyncConnected, Path: path}).Encode(&e)
	return replyFrame(wire.XidEvent, -1, 0, e.B)
}

func length(n uint32, rest ...byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, n), rest...)
}

// TestHostileFrames sends what a server should never send, in place of the connect reply and after it. The
// connection must be closed with words, and nothing else may happen.
func TestHostileFrames(t *testing.T) {
	var null wire.Encoder
	(&wire.ConnectResponse{Timeout: 0, SessionID: 7, Passwd: make([]byte, 16)}).Encode(&null)
	instead := map[string]struct {
		bytes []byte
		want  string
	}{
		"http":            {[]byte("HTTP/1.1 400 Bad Request\r\n\r\n"), "larger than the limit"},
		"negative length": {length(0xffffffff), "larger than the limit"},
		"absurd length":   {length(0x7fffffff), "larger than the limit"},
		"empty frame":     {length(0), "malformed connect reply"},
		"five bytes":      {length(5, 1, 2, 3, 4, 5), "malformed connect reply"},
		"error header":    {replyFrame(0, 0, -7, nil), "grants no session: server gave up"},
		"no timeout":      {framed(null.B), "malformed connect reply"},
		"long":            {framed(append(bytes.Clone(null.B), make([]byte, 100)...)), "malformed connect reply"},
		"banner and end":  {[]byte("SSH-2.0-x"), "larger than the limit"},
	}
	for name, x := range instead {
		t.Run("handshake "+name, func(t *testing.T) {
			hostile(t, x.want, func(conn net.Conn) { _, _ = wire.ReadFrame(conn, 1<<20); _, _ = conn.Write(x.bytes); hold(conn) })
		})
	}
	after := map[string]struct {
		bytes []byte
		want  string
	}{
		"short frame":      {length(3, 1, 2, 3), "too short"},
		"empty frame":      {length(0), "too short"},
		"15 bytes":         {length(15, make([]byte, 15)...), "too short"},
		"absurd length":    {length(0xf0000000), "larger than the limit"},
		"event type 9":     {eventFrame(9, "/a"), "malformed watch event"},
		"event path":       {eventFrame(1, "no slash"), "malformed watch event"},
		"event empty":      {eventFrame(1, ""), "malformed watch event"},
		"event cut":        {replyFrame(-1, -1, 0, []byte{0, 0, 0, 1}), "malformed watch event"},
		"event long path":  {replyFrame(-1, -1, 0, length(1, 0, 0, 0, 3, 0x7f, 0xff, 0xff, 0xff)), "malformed watch event"},
		"batch of too few": {nil, "malformed reply"},
	}
	for name, x := range after {
		t.Run("after "+name, func(t *testing.T) {
			hostile(t, x.want, func(conn net.Conn) {
				if _, err := greet(conn, 7); err != nil {
					return
				}
				if x.bytes != nil {
					_, _ = conn.Write(x.bytes)
				}
				answering(conn, func(xid int32, op wire.Op) []byte {
					if op != wire.OpMultiRead {
						return nil
					}
					var e wire.Encoder
					(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(&e)
					return replyFrame(xid, 1, 0, e.B)
				})
			})
		})
	}
}

// hold keeps a connection open until the other side closes it.
func hold(conn net.Conn) { _, _ = wire.ReadFrame(conn, 1<<20) }

func hostile(t *testing.T, want string, serve func(net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		j := &journal{}
		cfg := Config{Servers: []string{"zk1"}, NoWait: true, Dial: scripted(serve)}
		j.on(&cfg)
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := c.MultiRead(ctx, []Read{{Path: "/"}})
		c.Close()
		states, events := j.seen()
		said := fmt.Sprintln(err) // the last failure may only be told to the caller when Close comes first
		for _, s := range states {
			said += fmt.Sprintln(s.Err)
		}
		if !strings.Contains(said, want) || err == nil || len(events) > 0 {
			t.Errorf("no %q in:\n%s%v %v", want, said, err, events)
		}
	})
}

// TestLyingLengthCostsNoMemory claims 200 MB and sends none.
func TestLyingLengthCostsNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cfg := Config{Servers: []string{"zk1"}, NoWait: true, Dial: scripted(func(conn net.Conn) {
			_, _ = wire.ReadFrame(conn, 1<<20)
			_, _ = conn.Write(length(200 << 20))
			hold(conn)
		})}
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		time.Sleep(time.Minute)
		runtime.ReadMemStats(&after)
		c.Close()
		if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > 100<<20 {
			t.Errorf("%d bytes were allocated for %d attempts", grown, c.State().Attempts)
		}
	})
}

func TestLargeReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kids, data wire.Encoder
		kids.Int32(100_000)
		for i := range 100_000 {
			kids.String(fmt.Sprintf("%060d", i))
		}
		(&wire.Stat{NumChildren: 100_000}).Encode(&kids)
		data.Buffer(make([]byte, 3<<20))
		(&wire.Stat{DataLength: 3 << 20}).Encode(&data)
		cfg := Config{Servers: []string{"zk1"}, MaxFrame: 10 << 20, Dial: scripted(func(conn net.Conn) {
			if _, err := greet(conn, 7); err != nil {
				return
			}
			answering(conn, func(xid int32, op wire.Op) []byte {
				switch op {
				case wire.OpGetChildren2:
					return replyFrame(xid, 1, 0, kids.B)
				case wire.OpGetData:
					return replyFrame(xid, 1, 0, data.B)
				case wire.OpClose:
					return replyFrame(xid, 1, 0, nil)
				case wire.OpGetACL:
					return length(11 << 20)
				}
				return nil
			})
		})}
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		defer c.Close()
		names, _, err := c.Children(t.Context(), "/")
		if len(names) != 100_000 || names[99_999] != fmt.Sprintf("%060d", 99_999) || err != nil {
			t.Fatal(len(names), err)
		}
		if b, _, err := c.Get(t.Context(), "/"); len(b) != 3<<20 || err != nil {
			t.Fatal(len(b), err)
		}
		_, _, err = c.ACL(soon(t, time.Second), "/")
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrUnreachable) {
			t.Fatal(err)
		}
		if st := c.State(); st.Connects < 2 {
			t.Fatalf("a frame beyond the limit is let in: %+v", st)
		}
	})
}

// FuzzServerBytes feeds arbitrary bytes as what a server sends, before and after a valid handshake.
func FuzzServerBytes(f *testing.F) {
	f.Add([]byte{}, true)
	f.Add(eventFrame(1, "/a"), true)
	f.Add(replyFrame(firstXid, 5, 0, []byte{0, 0, 0, 4, 0, 0, 0, 0, 0}), true)
	f.Add(replyFrame(wire.XidPing, 5, 0, nil), true)
	f.Add(replyFrame(1, 5, -101, nil), false)
	f.Add(length(37, make([]byte, 37)...), false)
	f.Add(length(0xfffffff0), true)
	f.Fuzz(func(t *testing.T, data []byte, greeted bool) {
		dials := 0
		done := make(chan struct{}, 100)
		cfg := Config{Servers: []string{"zk1"}, NoWait: true, Session: 300 * time.Millisecond, MaxFrame: 1 << 20, Watches: []string{"/"}}
		cfg.OnEvent = func(wire.Event) {}
		next := scripted(func(conn net.Conn) {
			defer func() { done <- struct{}{} }()
			if greeted {
				if _, err := greet(conn, 7); err != nil {
					return
				}
			} else if _, err := wire.ReadFrame(conn, 1<<20); err != nil {
				return
			}
			_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = conn.Write(data)
		})
		cfg.Dial = func(ctx context.Context, n, a string) (net.Conn, error) {
			if dials++; dials > 2 {
				return nil, errors.New("enough")
			}
			return next(ctx, n, a)
		}
		c, err := Dial(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, _ = c.MultiRead(ctx, []Read{{Path: "/"}, {Path: "/", Kind: ReadChildren}})
		cancel()
		c.Close()
	})
}
