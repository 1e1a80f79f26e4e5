package zkserver_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"testing"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestEphemeralsAreListedInARealServersOrder makes and deletes ephemerals at random on both servers, of names whose hashes
// collide too, and compares the lists as they come.
func TestEphemeralsAreListedInARealServersOrder(t *testing.T) {
	t.Parallel()
	_, embedded := listen(t, zkserver.Options{})
	dial := func(addr string) *raw {
		c := &raw{dial: func() (net.Conn, error) { return net.Dial("tcp", addr) }}
		if _, _, err := c.connect(wire.ConnectRequest{Timeout: 9000, Passwd: make([]byte, 16), HasReadOnly: true}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.nc.Close() })
		return c
	}
	both := []*raw{dial(peers.ZooKeeper(t, peers.Options{}).Addr), dial(embedded)}
	do := func(op wire.Op, body []byte) (out []*wire.Decoder) {
		for _, c := range both {
			r, err := c.ask(op, body, func(wire.Event) {})
			if err != nil || r.Err != wire.OK {
				t.Fatal(op, r.Err, err)
			}
			out = append(out, r.body)
		}
		return out
	}
	r := rand.New(rand.NewPCG(22, 0))
	names, longest := []string{}, 0
	for step := range 600 {
		if n := len(names); n > 0 && r.IntN(5) < step/200+1 {
			i := r.IntN(n)
			do(wire.OpDelete, encode(func(e *wire.Encoder) { e.String(names[i]); e.Int32(-1) }))
			names = slices.Delete(names, i, i+1)
		} else {
			// Aa and BB have one hash in Java, and so has whatever is put together of them.
			name := fmt.Sprintf("/%s%s%sé漢%d", []string{"Aa", "BB"}[r.IntN(2)], []string{"Aa", "BB"}[r.IntN(2)], []string{"AaAa", "BBBB", "AaBB"}[r.IntN(3)], r.IntN(4000))
			if slices.Contains(names, name) {
				continue
			}
			do(wire.OpCreate, encode(func(e *wire.Encoder) {
				e.String(name)
				e.Buffer(nil)
				wire.EncodeACLs(e, wire.OpenACL())
				e.Int32(wire.FlagEphemeral)
			}))
			names = append(names, name)
		}
		lists := do(wire.OpGetEphemerals, encode(func(e *wire.Encoder) { e.String("/") }))
		want, got := lists[0].Strings(), lists[1].Strings()
		if !slices.Equal(got, want) || len(want) != len(names) {
			t.Fatalf("step %d:\nembedded %v\nreal     %v", step, got, want)
		}
		longest = max(longest, len(want))
	}
	if longest < 100 {
		t.Error("at most", longest, "were listed")
	}
}
