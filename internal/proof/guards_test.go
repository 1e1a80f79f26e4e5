package proof

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// guarded is a server with a client that makes claims, and an actor.
type guarded struct {
	t     *testing.T
	conn  *zkc.Conn
	actor *actions.Actor
}

func guardedOn(t *testing.T, addr string) *guarded { return guardedVia(t, addr, addr) }

// guardedVia has the actor reach the server another way than the client.
func guardedVia(t *testing.T, addr, via string) *guarded {
	t.Helper()
	conn, err := zkc.Dial(context.Background(), zkc.Config{Servers: []string{addr}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	audit, err := actions.OpenAudit(filepath.Join(t.TempDir(), "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := actions.NewActor(actions.Config{Servers: []string{via}, Name: "drill", Audit: audit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return &guarded{t, conn, a}
}

func (g *guarded) create(path, data string, flags int32) zkc.Created {
	g.t.Helper()
	made, err := g.conn.Create(context.Background(), path, []byte(data), flags, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	return made
}

// breaking is a plan that breaks what stands at a path now.
func (g *guarded) breaking(path string) actions.Plan {
	g.t.Helper()
	data, st, err := g.conn.Get(context.Background(), path)
	if err != nil {
		g.t.Fatal(err)
	}
	return actions.Plan{Verb: actions.VerbBreak, Op: actions.Remove, Name: "drill", OldData: data,
		Target: actions.Target{Path: path, Czxid: inspect.Zxid(st.Czxid), Owner: inspect.SessionID(st.EphemeralOwner), Version: st.Version}}
}

func onBothServers(t *testing.T, run func(t *testing.T, g *guarded)) {
	atBothServers(t, func(t *testing.T, addr string) { run(t, guardedOn(t, addr)) })
}

func atBothServers(t *testing.T, run func(t *testing.T, addr string)) {
	t.Run("real", func(t *testing.T) { run(t, peers.ZooKeeper(t, peers.Options{}).Addr) })
	t.Run("embedded", func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		addr, err := s.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		run(t, addr.String())
	})
}

// TestEveryGuardHoldsOnRealServers lets each guard of a break fail on purpose.
func TestEveryGuardHoldsOnRealServers(t *testing.T) {
	ctx := context.Background()
	onBothServers(t, func(t *testing.T, g *guarded) {
		g.create("/l", "", 0)
		for name, c := range map[string]struct {
			between func(path string)
			says    string
		}{
			"gone":       {func(p string) { must(t, g.conn.Delete(ctx, p, -1)) }, "already gone"},
			"made again": {func(p string) { must(t, g.conn.Delete(ctx, p, -1)); g.create(p, "x", wire.FlagEphemeral) }, "another znode stands there"},
			"written":    {func(p string) { _, err := g.conn.Set(ctx, p, []byte("y"), -1); must(t, err) }, "changed meanwhile"},
			"of another session": {func(p string) {
				must(t, g.conn.Delete(ctx, p, -1))
				g.create(p, "x", wire.FlagPersistent)
			}, "another znode stands there"},
		} {
			path := "/l/" + strings.ReplaceAll(name, " ", "-")
			g.create(path, "x", wire.FlagEphemeral)
			p := g.breaking(path)
			c.between(path)
			if r := g.actor.Apply(ctx, p); r.Outcome != actions.Nothing || !strings.Contains(r.Text, c.says) {
				t.Errorf("%s: %s %s", name, r.Outcome, r.Text)
			}
		}
		g.create("/dir", "", 0)
		p := g.breaking("/dir")
		g.create("/dir/child", "", 0)
		if r := g.actor.Apply(ctx, p); r.Outcome != actions.Nothing || !strings.Contains(r.Text, "children") {
			t.Errorf("children: %s %s", r.Outcome, r.Text)
		}
		locked := []wire.ACL{{Perms: wire.PermRead, Scheme: "world", ID: "anyone"}}
		if _, err := g.conn.Create(ctx, "/shut", nil, wire.FlagPersistent, nil); err != nil {
			t.Fatal(err)
		}
		g.create("/shut/claim", "x", wire.FlagEphemeral)
		if _, err := g.conn.SetACL(ctx, "/shut", locked, -1); err != nil {
			t.Fatal(err)
		}
		p = g.breaking("/shut/claim")
		if why, err := g.actor.Rights(ctx, p); err != nil || why != "no DELETE on /shut (have r)" {
			t.Errorf("rights: %q %v", why, err)
		}
		if r := g.actor.Apply(ctx, p); r.Outcome != actions.Refused || !strings.Contains(r.Text, "DELETE on its parent /shut") {
			t.Errorf("rights: %s %s", r.Outcome, r.Text)
		}
	})
}

// TestBreaksRacingWithNewClaimsDeleteNoWrongOne breaks a sequential claim while its owner lets go and claims again.
func TestBreaksRacingWithNewClaimsDeleteNoWrongOne(t *testing.T) {
	turns := 500 // on each of the two servers
	if os.Getenv("ZKSCOPE_LONG") != "" {
		turns = 5000
	}
	ctx := context.Background()
	onBothServers(t, func(t *testing.T, g *guarded) {
		g.create("/l", "", 0)
		mine := g.create("/l/x-lock-", "me", wire.FlagEphemeralSequence).Path
		outcomes := map[actions.Outcome]int{}
		for i := range turns {
			p := g.breaking(mine)
			again := make(chan string)
			go func() {
				for range i % 5 { // meet the break at each of its steps
					_ = g.conn.Sync(ctx, "/l")
				}
				_ = g.conn.Delete(ctx, mine, -1) // the break may have been faster
				made, err := g.conn.Create(ctx, "/l/x-lock-", []byte("me"), wire.FlagEphemeralSequence, nil)
				if err != nil {
					t.Error(err)
				}
				again <- made.Path
			}()
			r := g.actor.Apply(ctx, p)
			outcomes[r.Outcome]++
			if mine = <-again; r.Outcome != actions.Done && r.Outcome != actions.Nothing {
				t.Fatalf("%s: %s", r.Outcome, r.Text)
			}
			if _, there, err := g.conn.Exists(ctx, mine); err != nil || !there {
				t.Fatalf("the new claim %s is gone: %v (%s)", mine, err, r.Text)
			}
		}
		t.Logf("outcomes: %v", outcomes)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
