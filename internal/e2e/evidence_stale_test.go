package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/peers"
)

// report runs a command with -o json.
func report(t *testing.T, args ...string) *story.Report {
	t.Helper()
	code, out, errs := run(append(args, "-o", "json")...)
	var r story.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("exit %d: %s %v", code, errs, err)
	}
	return &r
}

func findingOf(r *story.Report, code string) *story.FindingReport {
	for _, list := range r.Recipes {
		for i := range list.Findings {
			if list.Findings[i].Code == code {
				return &list.Findings[i]
			}
		}
	}
	for i := range r.Findings {
		if r.Findings[i].Code == code {
			return &r.Findings[i]
		}
	}
	return nil
}

func makePath(t *testing.T, c *zk.Conn, path string, flags int32) string {
	t.Helper()
	made, err := c.Create(path, []byte("raw"), flags, zk.WorldACL(zk.PermAll))
	if err != nil && err != zk.ErrNodeExists {
		t.Fatal(err)
	}
	return made
}

// lockName is kazoo's spelling of a claim.
func lockName(dir string, n int, word string) string {
	return fmt.Sprintf("%s/%032x__%s__", dir, n, word)
}

func watchNode(t *testing.T, c *zk.Conn, path string) {
	t.Helper()
	if _, _, _, err := c.ExistsW(path); err != nil {
		t.Fatal(err)
	}
}

// A reader that watches a reader behind it instead of the writer ahead, and a waiter that watches nothing, wake too late
// or never. (One that watches a writer behind it may be of an old kazoo, which waits for that: see the kazoo test.)
func TestWaitersThatWatchTheWrongZnodeAreLost(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{})
	var conns []*zk.Conn
	for range 4 {
		conns = append(conns, newGo(t, server.Addr).conn)
	}
	for _, dir := range []string{"/rw", "/lk"} {
		makePath(t, conns[0], dir, 0)
	}
	const seq = zk.FlagEphemeral | zk.FlagSequence
	w0 := makePath(t, conns[0], lockName("/rw", 1, "lock"), seq)
	r1 := makePath(t, conns[1], lockName("/rw", 2, "rlock"), seq)
	r2 := makePath(t, conns[2], lockName("/rw", 3, "rlock"), seq)
	watchNode(t, conns[1], r2) // no writer, and behind
	watchNode(t, conns[2], w0)
	l0 := makePath(t, conns[0], lockName("/lk", 1, "lock"), seq)
	l1 := makePath(t, conns[1], lockName("/lk", 2, "lock"), seq)
	l2 := makePath(t, conns[2], lockName("/lk", 3, "lock"), seq)
	watchNode(t, conns[2], l1)
	r := report(t, "ls", server.Addr)
	lost := map[string]bool{}
	for _, m := range r.Recipes {
		for _, c := range m.Claims {
			if c.Proof != nil && *c.Proof == model.Refuted {
				lost[c.Path] = true
			}
		}
		if f := findingOf(&story.Report{Recipes: []story.RecipeReport{m}}, model.CodeLostWaiter); f == nil || f.Severity != "high" {
			t.Errorf("%s: no lost waiter", m.Path)
		}
	}
	if len(lost) != 2 || !lost[r1] || !lost[l1] {
		t.Errorf("lost: %v, want %s and %s; %s %s %s", lost, r1, l1, w0, l0, l2)
	}
	if _, out, _ := run("graph", server.Addr); strings.Count(out, "lost waiter: ") != 2 {
		t.Errorf("graph:\n%s", out)
	}
	if code, _, _ := run("check", server.Addr, "--fail-on", "high"); code != 3 {
		t.Errorf("check: exit %d", code)
	}
	watchNode(t, conns[1], w0)
	watchNode(t, conns[1], l0)
	if f := findingOf(report(t, "ls", server.Addr), model.CodeLostWaiter); f != nil {
		t.Errorf("still lost once they watch: %+v", f)
	}
}

// sessionLine is what zkscope sessions says of one.
type sessionLine struct {
	ID, Name  string
	Connected *bool
	ExpiresAt *time.Time
	WithinMs  *int64
	Addr      *string
}

// sessionsOf runs zkscope sessions.
func sessionsOf(t *testing.T, args ...string) map[string]sessionLine {
	t.Helper()
	code, out, errs := run(append([]string{"sessions", "-o", "json"}, args...)...)
	var rep struct{ Sessions []sessionLine }
	if err := json.Unmarshal([]byte(out), &rep); code != 0 || err != nil {
		t.Fatalf("exit %d: %s %v", code, errs, err)
	}
	by := map[string]sessionLine{}
	for _, s := range rep.Sessions {
		by[s.ID] = s
	}
	return by
}

// A client that is killed keeps its lock until its session expires: the countdown says when, to a tick.
func TestAKilledHolderIsCountedDown(t *testing.T) {
	t.Parallel()
	for _, tier := range []string{"4lw", "admin"} {
		t.Run(tier, func(t *testing.T) { killedHolder(t, tier) })
	}
}

func killedHolder(t *testing.T, tier string) {
	const tick = time.Second
	server := peers.ZooKeeper(t, peers.Options{Tick: tick, Admin: tier == "admin", NoFourLW: tier == "admin"})
	args := []string{server.Addr}
	if tier == "admin" {
		args = append(args, "--admin", net.JoinHostPort("127.0.0.1", strconv.Itoa(server.AdminPort)))
	}
	holder, next := newKazoo(t, server.Addr, "web-1", "10"), newKazoo(t, server.Addr, "web-2", "10")
	holder.hold("/locks/a")
	next.want("/locks/a")
	holder.p.Kill()
	var r *story.Report
	peers.WaitFor(t, 15*time.Second, "the holder to be seen without a connection", func() bool {
		r = report(t, append([]string{"show", "/locks/a"}, args...)...)
		return findingOf(r, model.CodeOwnerDisconnected) != nil || findingOf(r, model.CodeOwnerRestarted) != nil
	})
	_, out, _ := run(append([]string{"why", "/locks/a"}, args...)...)
	for _, w := range []string{"web-1", "in no server's connections (1/1", "its session expires in ", "zkscope break /locks/a/"} {
		if !strings.Contains(out, w) {
			t.Errorf("why does not say %q:\n%s", w, out)
		}
	}
	s := sessionsOf(t, append([]string{"--session", "web-1"}, args...)...)[holder.id()]
	if s.Connected == nil || *s.Connected || s.ExpiresAt == nil || s.WithinMs == nil {
		t.Fatalf("%+v", s)
	}
	next.got("/locks/a", 30*time.Second)
	off := time.Since(*s.ExpiresAt)
	t.Logf("by %s: due %v, gone %v after that; said to be within %dms", tier, s.ExpiresAt.Format("15:04:05.000"), off.Round(time.Millisecond), *s.WithinMs)
	within := tick + time.Duration(*s.WithinMs)*time.Millisecond
	if off < -within || off > within+tick {
		t.Errorf("counted down to %v, it went %v after that", s.ExpiresAt, off)
	}
}

func TestThreeMembersAreOnePicture(t *testing.T) {
	t.Parallel()
	servers := peers.Ensemble(t, 3, peers.Options{})
	var addrs []string
	for _, s := range servers {
		addrs = append(addrs, s.Addr)
	}
	all := strings.Join(addrs, ",")
	a, b, c := newGo(t, addrs[0]), newGo(t, addrs[1]), newGo(t, addrs[2])
	a.hold("/m/one")
	b.want("/m/one")
	c.want("/m/one")
	seen := sessionsOf(t, all)
	for i, g := range []*goLocks{a, b, c} {
		s, ok := seen[g.id()]
		if !ok || s.Connected == nil || !*s.Connected || s.Addr == nil {
			t.Errorf("the client of member %d: %+v", i+1, s)
		}
	}
	g := graphOf(t, all)
	if *g.Sources.Asked != 3 || *g.Sources.Answered != 3 || len(g.Edges) != 2 || g.Edges[0].Proof != model.Proven || g.Edges[1].Proof != model.Proven {
		t.Fatalf("%+v of %d/%d", g.Edges, *g.Sources.Answered, *g.Sources.Asked)
	}
	down := 0
	for servers[down].Mode() == "leader" {
		down++
	}
	servers[down].Kill()
	clients := []*goLocks{a, b, c}
	clients[down].conn.Close() // its process goes with its server
	peers.WaitFor(t, 30*time.Second, "2/3", func() bool {
		g = graphOf(t, all)
		return *g.Sources.Asked == 3 && *g.Sources.Answered == 2
	})
	for _, e := range g.Edges {
		if e.Proof == model.Refuted {
			t.Errorf("refuted without the third: %+v", e)
		}
	}
	r := report(t, "ls", all)
	for _, code := range []string{model.CodeOwnerDisconnected, model.CodeOrphanEphemeral, model.CodeLostWaiter, model.CodeOwnerRestarted} {
		if f := findingOf(r, code); f != nil {
			t.Errorf("claimed without the third: %+v", f)
		}
	}
	if _, out, _ := run("doctor", all); !strings.Contains(out, "2/3 servers answered") || !strings.Contains(out, addrs[down]) {
		t.Errorf("doctor:\n%s", out)
	}
}

func TestImpactOfAHost(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{})
	a, b := newKazoo(t, server.Addr, "web-1", "10"), newKazoo(t, server.Addr, "web-2", "10")
	a.hold("/locks/a")
	b.want("/locks/a")
	code, out, errs := run("impact", "web-1", server.Addr)
	if code != 0 || !strings.Contains(out, "next to hold is web-2") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	a.hold("/locks/b")
	code, out, errs = run("impact", a.id(), server.Addr)
	if code != 3 || !strings.Contains(out, "no successor") || !strings.Contains(errs, "not safe") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs = run("impact", "nobody-there", server.Addr); code != 4 {
		t.Errorf("exit %d %s", code, errs)
	}
	if code, out, _ = run("impact", "127.0.0.1", server.Addr, "-o", "json"); code != 3 || !strings.Contains(out, `"safe": false`) {
		t.Errorf("exit %d\n%s", code, out)
	}
}
