package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// laggard is an ensemble whose first member can be held behind the one that leads.
func laggard(t *testing.T) (follower, leader *peers.Server) {
	t.Helper()
	members := peers.Ensemble(t, 3, peers.Options{CanLag: true, SyncLimit: 60, Heap: "160m"})
	for _, s := range members[1:] {
		if s.Mode() == "leader" {
			return members[0], s
		}
	}
	t.Fatal("the member that can lag leads")
	return nil, nil
}

// TestSyncComesFirstOnAServerThatLags has a claim made anew through the leader while the follower that we are on still
// shows the old one. Without the sync we would have deleted another's claim: the paths and the versions are the same.
func TestSyncComesFirstOnAServerThatLags(t *testing.T) {
	t.Parallel()
	follower, leader := laggard(t)
	ctx := context.Background()
	relay := peers.NewRelay(t, follower.Addr)
	g := guardedFor(t, 5*time.Second, leader.Addr, relay.Addr)
	g.create("/l", "", 0)
	for _, path := range []string{"/l/a", "/l/b", "/l/c"} {
		g.create(path, "x", wire.FlagEphemeral)
	}
	if r := g.actor.Apply(ctx, g.breaking("/l/c")); r.Outcome != actions.Done { // the actor is on the follower
		t.Fatal(r.Text)
	}
	near, err := zkc.Dial(ctx, zkc.Config{Servers: []string{follower.Addr}, ReadOnly: true})
	must(t, err)
	defer near.Close()
	must(t, near.Sync(ctx, "/l"))
	plans := map[string]actions.Plan{"/l/a": g.breaking("/l/a"), "/l/b": g.breaking("/l/b")}
	follower.Lag()
	defer follower.CatchUp()
	for path, p := range plans {
		must(t, g.conn.Delete(ctx, path, -1))
		g.create(path, "x", wire.FlagEphemeral)
		_, st, err := near.Get(ctx, path)
		must(t, err)
		if znode.Zxid(st.Czxid) != p.Target.Czxid || st.Version != p.Target.Version {
			t.Fatalf("%s: the follower does not lag: czxid %d version %d", path, st.Czxid, st.Version)
		}
	}
	if r := g.actor.Apply(ctx, plans["/l/a"]); r.Outcome != actions.Refused || !strings.Contains(r.Text, "a plan this old is not carried out") {
		t.Errorf("while it lags: %s %s", r.Outcome, r.Text)
	}
	relay.Meddle(func(op int32) peers.Fate {
		if wire.Op(op) == wire.OpSync {
			follower.CatchUp() // the sync is on its way, and nothing was read yet
		}
		return peers.Fate{}
	})
	if r := g.actor.Apply(ctx, plans["/l/b"]); r.Outcome != actions.Nothing || !strings.Contains(r.Text, "another znode is there now, created again at ") {
		t.Errorf("when it has caught up: %s %s", r.Outcome, r.Text)
	}
	for path := range plans {
		if got := g.holds(path); got != "x" {
			t.Errorf("%s is gone", path)
		}
	}
}
