package e2e

import (
	"context"
	"crypto/sha1"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// guarded is a server with a client that makes claims, and an actor.
type guarded struct {
	t     *testing.T
	conn  *zkc.Conn
	actor *actions.Actor

	servers []string // of the actor
	audit   *actions.Audit
}

func guardedOn(t *testing.T, addr string) *guarded { return guardedVia(t, addr, addr) }

// guardedVia has the actor reach the server another way than the client.
func guardedVia(t *testing.T, addr, via string) *guarded {
	return guardedFor(t, 20*time.Second, addr, via)
}

// guardedFor has an actor whose orders are good for so long: the less, the sooner one grows old.
func guardedFor(t *testing.T, fresh time.Duration, addr, via string) *guarded {
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
	a, err := actions.NewActor(actions.Config{Conn: recipes.Config{Servers: []string{via}}, Name: "drill", Audit: audit, Fresh: fresh, Patience: fresh + 20*time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return &guarded{t, conn, a, []string{via}, audit}
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
		Target: actions.Target{Path: path, Czxid: znode.Zxid(st.Czxid), Owner: znode.SessionID(st.EphemeralOwner), Version: st.Version}}
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
	t.Parallel()
	ctx := context.Background()
	onBothServers(t, func(t *testing.T, g *guarded) {
		g.create("/l", "", 0)
		for name, c := range map[string]struct {
			between func(path string)
			says    string
		}{
			"gone":       {func(p string) { must(t, g.conn.Delete(ctx, p, -1)) }, "already gone"},
			"made again": {func(p string) { must(t, g.conn.Delete(ctx, p, -1)); g.create(p, "x", wire.FlagEphemeral) }, "another znode is there"},
			"written":    {func(p string) { _, err := g.conn.Set(ctx, p, []byte("y"), -1); must(t, err) }, "changed meanwhile"},
			"of another session": {func(p string) {
				must(t, g.conn.Delete(ctx, p, -1))
				g.create(p, "x", wire.FlagPersistent)
			}, "another znode is there"},
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
	})
}

// TestRightsAreToldByTheirNames has a parent and a claim that only people with a password may change.
func TestRightsAreToldByTheirNames(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	onBothServers(t, func(t *testing.T, g *guarded) {
		for path, acl := range map[string][]wire.ACL{
			"/world":  {{Perms: wire.PermRead, Scheme: "world", ID: "anyone"}},
			"/digest": {{Perms: wire.PermAll, Scheme: "digest", ID: "ops:" + hashed("ops:secret")}, {Perms: wire.PermRead, Scheme: "world", ID: "anyone"}},
		} {
			g.create(path, "", 0)
			g.create(path+"/claim", "x", wire.FlagEphemeral)
			_, err := g.conn.SetACL(ctx, path, acl, -1)
			must(t, err)
			g.denied(g.breaking(path+"/claim"), "no DELETE on "+path+" (have r)", "no permission: deleting it takes DELETE on its parent "+path)
			_, err = g.conn.SetACL(ctx, path+"/claim", acl, -1)
			must(t, err)
			g.denied(g.writing(path+"/claim", "unlock"), "no WRITE on "+path+"/claim (have r)", "no permission: writing it takes WRITE on the znode itself")
		}
		ops, err := actions.NewActor(actions.Config{Conn: recipes.Config{Servers: g.servers, Auth: []recipes.Credential{{Scheme: "digest", Token: []byte("ops:secret")}}}, Audit: g.audit})
		must(t, err)
		defer ops.Close()
		p := g.breaking("/digest/claim")
		if why, err := ops.Rights(ctx, p); err != nil || why != "" {
			t.Errorf("with the password: %q %v", why, err)
		}
		if r := ops.Apply(ctx, p); r.Outcome != actions.Done {
			t.Errorf("with the password: %s", r.Text)
		}
	})
}

// hashed is how a server keeps a digest credential.
func hashed(credential string) string {
	sum := sha1.Sum([]byte(credential))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// denied expects that a plan's missing right is seen before, and named by the server's refusal.
func (g *guarded) denied(p actions.Plan, before, after string) {
	g.t.Helper()
	if why, err := g.actor.Rights(context.Background(), p); err != nil || why != before {
		g.t.Errorf("rights: %q %v; want %q", why, err, before)
	}
	if r := g.actor.Apply(context.Background(), p); r.Outcome != actions.Refused || !strings.Contains(r.Text, after) {
		g.t.Errorf("%s: %s; want %q", r.Outcome, r.Text, after)
	}
	if got := g.holds(p.Target.Path); got != "x" {
		g.t.Errorf("%s holds %q", p.Target.Path, got)
	}
}

// TestAnOldOrderIsNotCarriedOut has the server stand still while a break is confirmed, for longer than the order is
// good for: when it goes on, the claim stands.
func TestAnOldOrderIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{})
	g := guardedFor(t, 3*time.Second, s.Addr, s.Addr)
	g.create("/first", "x", 0)
	g.create("/second", "x", 0)
	p := g.breaking("/second")
	if r := g.actor.Apply(context.Background(), g.breaking("/first")); r.Outcome != actions.Done { // it is connected now
		t.Fatal(r.Text)
	}
	s.Pause()
	r := g.actor.Apply(context.Background(), p)
	s.Resume()
	if r.Outcome != actions.Refused || !strings.Contains(r.Text, "no answer within 3s") || !strings.Contains(r.Text, "a plan this old is not carried out: look again") {
		t.Errorf("%s: %s", r.Outcome, r.Text)
	}
	must(t, g.conn.Sync(context.Background(), "/"))
	if got := g.holds("/second"); got != "x" {
		t.Errorf("it holds %q", got)
	}
}

// TestBreaksRacingWithNewClaimsDeleteNoWrongOne breaks a sequential claim while its owner lets go and claims again.
func TestBreaksRacingWithNewClaimsDeleteNoWrongOne(t *testing.T) {
	t.Parallel()
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
