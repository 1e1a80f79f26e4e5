package e2e

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// attach takes a session over to another server, as a client does that connects again there.
func attach(t *testing.T, addr string, id int64, passwd []byte) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	var e wire.Encoder
	(&wire.ConnectRequest{Timeout: 10000, SessionID: id, Passwd: passwd}).Encode(&e)
	if _, err := c.Write(wire.AppendFrame(nil, e.B)); err != nil {
		t.Error(err)
	}
	frame, err := wire.ReadFrame(c, 1<<10)
	var resp wire.ConnectResponse
	if err == nil {
		d := wire.NewDecoder(frame)
		resp.Decode(d)
		err = d.Err()
	}
	if err != nil || resp.SessionID != id {
		t.Errorf("%s does not take the session over: %v", addr, err)
	}
}

// TestASessionThatMovesAwayDoesNothingByHalves moves the actor's session to another member between its read and its
// write. A real server does not answer such a write with session moved but ends the connection, without having done it.
func TestASessionThatMovesAwayDoesNothingByHalves(t *testing.T) {
	t.Parallel()
	members := peers.Ensemble(t, 3, peers.Options{Heap: "160m"})
	ctx := context.Background()
	for i, s := range members {
		mode := s.Mode()
		relay := peers.NewRelay(t, s.Addr)
		g := guardedVia(t, members[(i+1)%3].Addr, relay.Addr)
		dir := "/" + mode + string(rune('0'+i))
		g.create(dir, "", 0)
		for _, op := range []wire.Op{wire.OpDelete, wire.OpSetData, wire.OpSync} {
			path := dir + "/" + op.String()
			g.create(path, "x", wire.FlagEphemeral)
			p := g.breaking(path)
			if op == wire.OpSetData {
				p = g.writing(path, "unlock")
			}
			relay.Meddle(once(op, peers.Fate{First: func() {
				id, passwd := relay.Session()
				attach(t, members[(i+2)%3].Addr, id, passwd)
			}}))
			r := g.actor.Apply(ctx, p)
			relay.Meddle(nil)
			t.Logf("%s, %s: %s: %s", mode, op, r.Outcome, r.Text)
			if strings.Contains(r.Text, "\n") {
				t.Errorf("%q is no line", r.Text)
			}
			switch got := g.holds(path); {
			case r.Outcome == actions.Done && got == "x":
				t.Errorf("%s, %s: nothing was done, but it says: %s", mode, op, r.Text)
			case r.Outcome != actions.Done && got != "x":
				t.Errorf("%s, %s: the znode holds %s, but it says: %s", mode, op, got, r.Text)
			}
		}
	}
}
