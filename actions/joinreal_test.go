package actions

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// TestAJoinBehindAClaimThatItMayNotReadIsWoken: a real server tells it nothing of such a claim.
func TestAJoinBehindAClaimThatItMayNotReadIsWoken(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	other, err := zkc.Dial(ctx, zkc.Config{Servers: []string{server.Addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("other:secret")}}})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Create(ctx, "/l", nil, wire.FlagPersistent, nil); err != nil {
		t.Fatal(err)
	}
	first, err := other.Create(ctx, "/l/_c_11111111-2222-3333-4444-555555555555-lock-", []byte("hidden"), wire.FlagEphemeralSequence,
		[]wire.ACL{{Perms: wire.PermAll, Scheme: "auth"}})
	if err != nil {
		t.Fatal(err)
	}
	audit, err := OpenAudit(filepath.Join(t.TempDir(), "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	joiner, err := NewJoiner(Config{Conn: recipes.Config{Servers: []string{server.Addr}, Timeout: 10 * time.Second}, Name: "real", Audit: audit})
	if err != nil {
		t.Fatal(err)
	}
	defer joiner.LeaveAll(context.Background())
	p, err := joiner.Join(Join{Kind: layout.Lock, Path: "/l"})
	if err != nil {
		t.Fatal(err)
	}
	peers.WaitFor(t, 10*time.Second, "the join waits in line", func() bool { st := p.State(); return st.Phase == JoinWaiting && st.Of == 2 })
	if err := other.Delete(ctx, first.Path, zkc.AnyVersion); err != nil {
		t.Fatal(err)
	}
	peers.WaitFor(t, 5*time.Second, "the join holds", func() bool { return p.State().Phase == JoinHolding })
}
