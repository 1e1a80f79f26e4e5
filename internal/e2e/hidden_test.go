package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// TestALockThatMayNotBeReadStillShowsItsComingsAndGoings: its claims carry an ACL of their owner's, so their data
// is closed to us, and servers withhold their events as well.
func TestALockThatMayNotBeReadStillShowsItsComingsAndGoings(t *testing.T) {
	t.Parallel()
	addr := peers.ZooKeeper(t, peers.Options{}).Addr
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	owner, err := zkc.Dial(ctx, zkc.Config{Servers: []string{addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("app:secret")}}})
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	for _, p := range []string{"/locks", "/locks/secret"} {
		if _, err := owner.Create(ctx, p, nil, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	mine := []wire.ACL{{Perms: wire.PermAll, Scheme: "auth", ID: ""}}
	claim := func(id string) string {
		made, err := owner.Create(ctx, "/locks/secret/"+id+"123456789abcdef0123456789abcdef__lock__", []byte("hidden"), wire.FlagEphemeralSequence, mine)
		if err != nil {
			t.Fatal(err)
		}
		return made.Path
	}
	first := claim("0")
	m, err := mirror.Start(ctx, zkc.Config{Servers: []string{addr}, ReadOnly: true}, mirror.Options{Reconcile: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var res *model.Result
	shows := func(n int, what string) {
		t.Helper()
		peers.WaitFor(t, 10*time.Second, what, func() bool {
			res = inspect.Decode(m.Snapshot(), res, model.Hints{})
			model := res.ByPath("/locks/secret")
			return n == 0 && (model == nil || len(model.Claims) == 0) || model != nil && len(model.Claims) == n
		})
	}
	shows(1, "the first claim to show")
	if c := res.ByPath("/locks/secret").Claims[0]; c.Owner() == "" || c.Owner() == "hidden" || c.Role() != model.Holder {
		t.Fatalf("the holder shows as %q, %s", c.Owner(), c.Role())
	}
	claim("1")
	shows(2, "the second claim to come")
	if err := owner.Delete(ctx, first, zkc.AnyVersion); err != nil {
		t.Fatal(err)
	}
	shows(1, "the first claim to go")
	owner.Close()
	shows(0, "the last claim to go with its session")
}
