package zkserver_test

import (
	"fmt"
	"net"
	"testing"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// The loads of the benchmarks: dirs times kids znodes, written and read in batches, with some batches in flight.
const (
	dirs, kids        = 100, 1000
	createBatch       = 200
	readBatch         = 500
	inFlight          = 8
	childrenOfOneNode = 50_000
)

// targets are the servers that a benchmark compares.
func targets(b *testing.B, f func(b *testing.B, dial func() (net.Conn, error))) {
	tcp := func(addr string) func() (net.Conn, error) {
		return func() (net.Conn, error) { return net.Dial("tcp", addr) }
	}
	b.Run("real", func(b *testing.B) { f(b, tcp(peers.ZooKeeper(b, peers.Options{Heap: "1g"}).Addr)) })
	for _, kind := range []string{"tcp", "pipe"} {
		b.Run(kind, func(b *testing.B) {
			s := zkserver.New(zkserver.Options{})
			defer s.Close()
			addr, err := s.Listen("127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			dial := tcp(addr.String())
			if kind == "pipe" {
				dial = func() (net.Conn, error) { return s.Dial(b.Context()) }
			}
			f(b, dial)
		})
	}
}

func benchClient(b *testing.B, dial func() (net.Conn, error)) *raw {
	c := &raw{dial: dial}
	if _, _, err := c.connect(wire.ConnectRequest{Timeout: 40_000, Passwd: make([]byte, 16)}); err != nil {
		b.Fatal(err)
	}
	return c
}

// pipeline sends requests with inFlight of them unanswered, and returns the bytes of all replies.
func pipeline(b *testing.B, c *raw, op wire.Op, bodies [][]byte) (total int) {
	slots := make(chan struct{}, inFlight)
	sent := make(chan error, 1)
	go func() {
		for i, body := range bodies {
			slots <- struct{}{}
			var e wire.Encoder
			e.Int32(int32(i + 1))
			e.Int32(int32(op))
			e.B = append(e.B, body...)
			if err := c.write(e.B); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for range bodies {
		frame, err := c.read()
		if err != nil {
			b.Fatal(err)
		}
		var h wire.ReplyHeader
		if h.Decode(wire.NewDecoder(frame)); h.Err != wire.OK {
			b.Fatal(h)
		}
		total += len(frame)
		<-slots
	}
	if err := <-sent; err != nil {
		b.Fatal(err)
	}
	return total
}

func paths(root string) (list []string) {
	for d := range dirs {
		dir := fmt.Sprintf("%s/dir-%03d", root, d)
		list = append(list, dir)
		for k := range kids {
			list = append(list, fmt.Sprintf("%s/child-with-a-longer-name-%06d", dir, k))
		}
	}
	return list
}

func batches(list []string, size int, op wire.Op, one func(e *wire.Encoder, path string)) (out [][]byte) {
	for len(list) > 0 {
		n := min(size, len(list))
		var e wire.Encoder
		for _, p := range list[:n] {
			(&wire.MultiHeader{Type: op, Err: -1}).Encode(&e)
			one(&e, p)
		}
		(&wire.MultiHeader{Type: -1, Done: true, Err: -1}).Encode(&e)
		out = append(out, e.B)
		list = list[n:]
	}
	return out
}

func creates(list []string) [][]byte {
	return batches(list, createBatch, wire.OpCreate, func(e *wire.Encoder, p string) {
		e.String(p)
		e.Buffer([]byte("twenty bytes of data"))
		wire.EncodeACLs(e, wire.OpenACL())
		e.Int32(0)
	})
}

// BenchmarkLoad creates 100,100 znodes by multi.
func BenchmarkLoad(b *testing.B) {
	targets(b, func(b *testing.B, dial func() (net.Conn, error)) {
		c := benchClient(b, dial)
		defer c.nc.Close()
		for i := range b.N {
			root := fmt.Sprintf("/load-%d", i)
			pipeline(b, c, wire.OpMulti, creates(append([]string{root}, paths(root)...)))
		}
	})
}

// BenchmarkMultiRead reads 100,100 znodes by multiRead.
func BenchmarkMultiRead(b *testing.B) {
	targets(b, func(b *testing.B, dial func() (net.Conn, error)) {
		c := benchClient(b, dial)
		defer c.nc.Close()
		list := paths("/load")
		pipeline(b, c, wire.OpMulti, creates(append([]string{"/load"}, list...)))
		reads := batches(list, readBatch, wire.OpGetData, func(e *wire.Encoder, p string) { e.String(p); e.Bool(false) })
		b.ResetTimer()
		for range b.N {
			pipeline(b, c, wire.OpMultiRead, reads)
		}
	})
}

// BenchmarkGetChildren lists 50,000 children.
func BenchmarkGetChildren(b *testing.B) {
	targets(b, func(b *testing.B, dial func() (net.Conn, error)) {
		c := benchClient(b, dial)
		defer c.nc.Close()
		list := []string{"/many"}
		for i := range childrenOfOneNode {
			list = append(list, fmt.Sprintf("/many/0123456789abcdef0123456789abcdef__lock__%010d", i))
		}
		pipeline(b, c, wire.OpMulti, creates(list))
		body := encode(func(e *wire.Encoder) { e.String("/many"); e.Bool(false) })
		b.ResetTimer()
		for range b.N {
			pipeline(b, c, wire.OpGetChildren2, [][]byte{body})
		}
	})
}

// BenchmarkSet sets one znode that 10,000 other paths' watches do not concern, one request at a time.
func BenchmarkSet(b *testing.B) {
	targets(b, func(b *testing.B, dial func() (net.Conn, error)) {
		c := benchClient(b, dial)
		defer c.nc.Close()
		var watches [][]byte
		for i := range 10_000 {
			watches = append(watches, encode(func(e *wire.Encoder) { e.String(fmt.Sprintf("/none/%d", i)); e.Int32(1) }))
		}
		pipeline(b, c, wire.OpAddWatch, watches)
		pipeline(b, c, wire.OpMulti, creates([]string{"/one"}))
		body := encode(func(e *wire.Encoder) { e.String("/one"); e.Buffer([]byte("x")); e.Int32(-1) })
		b.ResetTimer()
		for range b.N {
			pipeline(b, c, wire.OpSetData, [][]byte{body})
		}
	})
}
