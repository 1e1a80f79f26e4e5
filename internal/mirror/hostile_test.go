package mirror

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// liar serves a session and answers multiRead from a function; everything else succeeds without a body.
func liar(kids func(path string) []string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			first := true
			for {
				frame, err := wire.ReadFrame(server, 1<<20)
				if err != nil {
					return
				}
				var e wire.Encoder
				if first {
					(&wire.ConnectResponse{Timeout: 6000, SessionID: 1, Passwd: make([]byte, 16)}).Encode(&e)
				} else {
					d := wire.NewDecoder(frame)
					(&wire.ReplyHeader{Xid: d.Int32(), Zxid: 1}).Encode(&e)
					if wire.Op(d.Int32()) == wire.OpMultiRead {
						lie(d, &e, kids)
					}
				}
				first = false
				if _, err := server.Write(wire.AppendFrame(nil, e.B)); err != nil {
					return
				}
			}
		}()
		return client, nil
	}
}

func lie(d *wire.Decoder, e *wire.Encoder, kids func(string) []string) {
	for {
		var h wire.MultiHeader
		if h.Decode(d); h.Done || d.Err() != nil {
			(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(e)
			return
		}
		path := d.String()
		d.Bool()
		(&wire.MultiHeader{Type: h.Type}).Encode(e)
		if h.Type == wire.OpGetChildren {
			e.Strings(kids(path))
			continue
		}
		e.Buffer([]byte("x"))
		(&wire.Stat{Czxid: 1, Mzxid: 1, DataLength: 1, NumChildren: int32(len(kids(path)))}).Encode(e)
	}
}

func TestNamesThatNoServerShouldSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := start(t, zkc.Config{Servers: []string{"liar"}, Dial: liar(func(path string) []string {
			if path == "/" {
				return []string{"b", "a", "a", "", ".", "..", "a/b", "b", "\x1b[2J", "\xff"}
			}
			return nil
		})}, Options{})
		snap := await(t, m, 10*time.Second, "the load", complete)
		var names []string
		for _, c := range snap.Root.Children {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != "\x1b[2J a b \xff" {
			t.Fatalf("%q", got)
		}
		before := m.Status().Counters.Requests
		time.Sleep(10 * time.Minute)
		if n := m.Status().Counters.Requests - before; n > 600 {
			t.Errorf("%d requests in ten minutes because the server contradicts itself", n)
		}
	})
}

func TestTreeWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := start(t, zkc.Config{Servers: []string{"liar"}, Dial: liar(func(string) []string { return []string{"down"} })}, Options{Reconcile: -1})
		snap := await(t, m, time.Minute, "it stops somewhere", func(s *znode.Snapshot) bool { return len(s.Partial) > 0 })
		if snap.Complete {
			t.Fatal("complete")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		wide := func(path string) []string {
			return strings.Split("a b c d e f g h i j", " ")
		}
		m := start(t, zkc.Config{Servers: []string{"liar"}, Dial: liar(wide)}, Options{Reconcile: -1, MaxNodes: 5000})
		snap := await(t, m, time.Minute, "it stops somewhere", func(s *znode.Snapshot) bool { return len(s.Partial) > 0 })
		if n := count(snap.Root); n > 5000 || snap.Complete {
			t.Fatal(n)
		}
	})
}
