package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// once loses the first request of an operation, or its reply, and lets everything else pass.
func once(op wire.Op, fate peers.Fate) func(int32) peers.Fate {
	left := 1
	return func(got int32) peers.Fate { // requests of one connection come one by one
		if wire.Op(got) != op || left == 0 {
			return peers.Fate{}
		}
		left--
		return fate
	}
}

// writing is a plan that writes to what stands at a path now.
func (g *guarded) writing(path, data string) actions.Plan {
	p := g.breaking(path)
	p.Verb, p.Op, p.NewData = actions.VerbRevoke, actions.Write, []byte(data)
	return p
}

// TestALostConnectionIsResolvedByReading cuts the connection after a write was sent: before it reached the server,
// after that, and with another znode at the path or another's data in it by the time that we are back.
func TestALostConnectionIsResolvedByReading(t *testing.T) {
	t.Parallel()
	atBothServers(t, func(t *testing.T, addr string) {
		relay := peers.NewRelay(t, addr)
		g := guardedVia(t, addr, relay.Addr)
		ctx := context.Background()
		g.create("/l", "", 0)
		replace := func(path string) func() {
			return func() {
				_ = g.conn.Delete(ctx, path, -1) // our request may have done it
				if _, err := g.conn.Create(ctx, path, []byte("new"), wire.FlagEphemeral, nil); err != nil {
					t.Error(err)
				}
			}
		}
		for _, c := range []struct {
			name  string
			op    wire.Op
			lose  peers.Lose
			then  func(path string) func()
			want  actions.Outcome
			says  string
			there string // what the znode holds in the end; -: it is gone
		}{
			{"delete is lost", wire.OpDelete, peers.LoseRequest, nil, actions.Nothing, "it was not done; try again", "x"},
			{"delete is done", wire.OpDelete, peers.LoseReply, nil, actions.Done, "broke the claim of drill", "-"},
			{"delete is lost, made anew", wire.OpDelete, peers.LoseRequest, replace, actions.Done, "another znode is there now, created again at ", "new"},
			{"delete is done, made anew", wire.OpDelete, peers.LoseReply, replace, actions.Done, "another znode is there now, created again at ", "new"},
			{"set is lost", wire.OpSetData, peers.LoseRequest, nil, actions.Nothing, "it was not done; try again", "x"},
			{"set is done", wire.OpSetData, peers.LoseReply, nil, actions.Done, "asked drill to let go", "unlock"},
			{"set is lost, made anew", wire.OpSetData, peers.LoseRequest, replace, actions.Unknown, "another znode is there now, created again at ", "new"},
			{"set is done, written over", wire.OpSetData, peers.LoseReply, func(path string) func() {
				return func() { _, _ = g.conn.Set(ctx, path, []byte("mine"), -1) }
			}, actions.Unknown, "somebody else has written since", "mine"},
			{"set is done, let go", wire.OpSetData, peers.LoseReply, func(path string) func() {
				return func() { _ = g.conn.Delete(ctx, path, -1) }
			}, actions.Unknown, "the znode is gone now", "-"},
		} {
			path := "/l/" + strings.NewReplacer(" ", "-", ",", "").Replace(c.name)
			g.create(path, "x", wire.FlagEphemeral)
			p := g.breaking(path)
			if c.op == wire.OpSetData {
				p = g.writing(path, "unlock")
			}
			fate := peers.Fate{Lose: c.lose}
			if c.then != nil {
				fate.Then = c.then(path)
			}
			relay.Meddle(once(c.op, fate))
			r := g.actor.Apply(ctx, p)
			relay.Meddle(nil)
			if r.Outcome != c.want || !strings.Contains(r.Text, c.says) || strings.Contains(r.Text, "\n") {
				t.Errorf("%s: %s: %s", c.name, r.Outcome, r.Text)
			}
			if got := g.holds(path); got != c.there {
				t.Errorf("%s: the znode holds %q, not %q", c.name, got, c.there)
			}
		}
	})
}

// holds is what a znode holds; - when it is not there.
func (g *guarded) holds(path string) string {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, there, err := g.conn.Exists(ctx, path); err != nil || !there {
		must(g.t, err)
		return "-"
	}
	data, _, err := g.conn.Get(ctx, path)
	must(g.t, err)
	return string(data)
}
