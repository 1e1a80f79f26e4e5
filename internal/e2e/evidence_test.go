package e2e

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

//go:embed testdata/kazoo_actor.py
var kazooActor string

//go:embed testdata/Actor.java
var curatorActor string

// contender is a client of some library that takes locks as it is told.
type contender interface {
	hold(path string)
	want(path string)
	got(path string, limit time.Duration)
	id() string
}

// proc is a contender in a process of its own.
type proc struct {
	p       *peers.Proc
	session string
}

func newKazoo(t *testing.T, servers, name string, timeout string) *proc {
	p := peers.Kazoo(t, kazooActor, servers, name, timeout)
	return &proc{p, p.Expect("SESSION", 60*time.Second)}
}

func newCurator(t *testing.T, servers string) *proc {
	p := peers.Java(t, "Actor", curatorActor, servers, "curator", "10000")
	return &proc{p, p.Expect("SESSION", 90*time.Second)}
}

func (p *proc) hold(path string)                 { p.p.Say("hold " + path); p.p.Expect("HELD "+path, 30*time.Second) }
func (p *proc) want(path string)                 { p.p.Say("want " + path); p.p.Expect("WANTS "+path, 30*time.Second) }
func (p *proc) got(path string, d time.Duration) { p.p.Expect("GOT "+path, d) }
func (p *proc) id() string                       { return p.session }

// goLocks is go-zookeeper's own lock.
type goLocks struct {
	t    *testing.T
	conn *zk.Conn
	done map[string]chan error
}

func newGo(t *testing.T, server string) *goLocks {
	t.Helper()
	conn, _, err := zk.Connect([]string{server}, 10*time.Second, zk.WithLogger(mute{}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	g := &goLocks{t, conn, map[string]chan error{}}
	peers.WaitFor(t, 20*time.Second, "go-zookeeper's session", func() bool { return conn.State() == zk.StateHasSession })
	return g
}

func (g *goLocks) hold(path string) {
	g.t.Helper()
	if err := zk.NewLock(g.conn, path, zk.WorldACL(zk.PermAll)).LockWithData([]byte("go-client")); err != nil {
		g.t.Fatal(err)
	}
}

func (g *goLocks) want(path string) {
	g.t.Helper()
	before, _, err := g.conn.Children(path)
	if err != nil {
		g.t.Fatal(err)
	}
	done := make(chan error, 1)
	g.done[path] = done
	go func() { done <- zk.NewLock(g.conn, path, zk.WorldACL(zk.PermAll)).Lock() }()
	peers.WaitFor(g.t, 20*time.Second, "a place in line at "+path, func() bool {
		now, _, err := g.conn.Children(path)
		return err == nil && len(now) > len(before)
	})
}

func (g *goLocks) got(path string, limit time.Duration) {
	g.t.Helper()
	select {
	case err := <-g.done[path]:
		if err != nil {
			g.t.Fatal(err)
		}
	case <-time.After(limit):
		g.t.Fatalf("%s is not granted", path)
	}
}

func (g *goLocks) id() string { return fmt.Sprintf("0x%x", uint64(g.conn.SessionID())) }

// run runs a command line of zkscope in this process.
func run(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = cli.Run(args, cli.World{In: strings.NewReader(""), Out: &o, Err: &e, Getenv: func(string) string { return "" }, Now: time.Now})
	return code, o.String(), e.String()
}

// graphOf runs zkscope graph.
func graphOf(t *testing.T, servers string, more ...string) *story.GraphReport {
	t.Helper()
	code, out, errs := run(append([]string{"graph", servers, "-o", "json"}, more...)...)
	var g story.GraphReport
	if err := json.Unmarshal([]byte(out), &g); code != 0 || err != nil {
		t.Fatalf("exit %d: %s %v", code, errs, err)
	}
	return &g
}

// view is what the console sees: the live tree and what the ensemble says every five seconds.
type view struct {
	t    *testing.T
	m    *mirror.Mirror
	w    *ensemble.Watcher
	last *model.Result
}

func watching(t *testing.T, every time.Duration, servers ...string) *view {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	m, err := mirror.Start(ctx, zkc.Config{Servers: servers, ReadOnly: true}, mirror.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	ens, err := ensemble.Open(ensemble.Config{Servers: servers, Admin: []string{"off"}})
	if err != nil {
		t.Fatal(err)
	}
	v := &view{t: t, m: m, w: ensemble.Watch(ens, every)}
	t.Cleanup(v.w.Close)
	return v
}

// look decodes what is there now.
func (v *view) look() *waits.Waits {
	snap := v.m.Snapshot()
	if st := v.w.Status(); st != nil {
		snap = st.Onto(snap)
	}
	v.last = inspect.Decode(snap, v.last, model.Hints{})
	return waits.Of(v.last, nil)
}

// until looks again and again until something holds, and returns how long that took.
func (v *view) until(what string, ok func(*waits.Waits) bool) time.Duration {
	v.t.Helper()
	start := time.Now()
	peers.WaitFor(v.t, time.Minute, what, func() bool { return ok(v.look()) })
	return time.Since(start)
}

// entangle makes the two-lock deadlock.
func entangle(a, b contender) {
	a.hold("/dl/one")
	b.hold("/dl/two")
	a.want("/dl/two")
	b.want("/dl/one")
}

func TestDeadlocksOfRealClients(t *testing.T) {
	t.Parallel()
	pairs := []struct {
		name string
		make func(t *testing.T, addr string) (a, b contender)
	}{
		{"kazoo", func(t *testing.T, addr string) (contender, contender) {
			return newKazoo(t, addr, "kz-A", "10"), newKazoo(t, addr, "kz-B", "10")
		}},
		{"go-zookeeper", func(t *testing.T, addr string) (contender, contender) { return newGo(t, addr), newGo(t, addr) }},
		{"Curator", func(t *testing.T, addr string) (contender, contender) {
			return newCurator(t, addr), newCurator(t, addr)
		}},
		{"kazoo and go-zookeeper", func(t *testing.T, addr string) (contender, contender) {
			return newKazoo(t, addr, "kz-A", "10"), newGo(t, addr)
		}},
		{"Curator and go-zookeeper", func(t *testing.T, addr string) (contender, contender) { return newCurator(t, addr), newGo(t, addr) }},
	}
	for i, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			server := peers.ZooKeeper(t, peers.Options{})
			a, b := p.make(t, server.Addr)
			every := time.Second
			if i == 0 {
				every = ensemble.DefaultInterval // as the console asks
			}
			v := watching(t, every, server.Addr)
			v.until("the first answers", func(*waits.Waits) bool { return v.w.Status() != nil })
			entangle(a, b)
			took := v.until("a proven deadlock", func(w *waits.Waits) bool { return len(w.Cycles) == 1 && w.Cycles[0].Proof == model.Proven })
			still := v.until("it to stand still", func(w *waits.Waits) bool { return len(w.Cycles) == 1 && w.Cycles[0].Severity == model.High })
			t.Logf("proven on the console's path %v after it formed, high %v later", took.Round(10*time.Millisecond), still.Round(10*time.Millisecond))
			breakIt(t, server.Addr, checkDeadlock(t, server.Addr, a, b), a, b)
			v.until("the deadlock to be gone", func(w *waits.Waits) bool { return len(w.Cycles) == 0 })
		})
	}
}

// checkDeadlock checks what the commands say of a deadlock, and returns it.
func checkDeadlock(t *testing.T, addr string, a, b contender) story.CycleReport {
	t.Helper()
	g := graphOf(t, addr)
	if len(g.Cycles) != 1 || g.Cycles[0].Proof != model.Proven || len(g.Cycles[0].Sessions) != 2 || len(g.Cycles[0].Breaks) != 2 {
		t.Fatalf("cycles %+v", g.Cycles)
	}
	for _, e := range g.Edges {
		if e.Proof != model.Proven {
			t.Errorf("edge %+v", e)
		}
	}
	said := strings.Join(g.Cycles[0].Sessions, " ")
	if !strings.Contains(said, a.id()) || !strings.Contains(said, b.id()) {
		t.Errorf("sessions %s, want %s and %s", said, a.id(), b.id())
	}
	for _, br := range g.Cycles[0].Breaks {
		if br.Next == nil {
			t.Errorf("nobody gets %s", br.Path)
		}
	}
	if sev := g.Cycles[0].Severity; sev != "high" || g.Cycles[0].Because == "" {
		t.Errorf("graph says %s: %s", sev, g.Cycles[0].Because)
	}
	var asked sync.WaitGroup // at the same time: each looks until it has seen the deadlock stand still
	for _, q := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"check", addr}, 3, []string{"HIGH      deadlock", "nothing of theirs moved for 5s"}},
		{[]string{"ls", addr, "-o", "json"}, 0, []string{`"deadlock"`}},
		{[]string{"why", "/dl/one", addr}, 0, []string{"deadlock", "zkscope break /dl/", "--czxid", "--session 0x"}},
		{[]string{"graph", addr, "-o", "dot"}, 0, []string{"color=red"}},
	} {
		asked.Go(func() {
			code, out, errs := run(q.args...)
			for _, text := range q.says {
				if code != q.code || !strings.Contains(out, text) {
					t.Errorf("%s: exit %d, no %q in\n%s%s", q.args[0], code, text, out, errs)
				}
			}
		})
	}
	asked.Wait()
	return g.Cycles[0]
}

// breakIt breaks the claim that is suggested, as an operator would with the printed command, and sees the other go on.
func breakIt(t *testing.T, addr string, c story.CycleReport, a, b contender) {
	t.Helper()
	for _, br := range c.Breaks {
		if br.Session != c.Victim {
			continue
		}
		code, out, errs := run("break", br.Claim, addr, "--czxid", fmt.Sprint(*br.Czxid), "--session", br.Session, "--yes")
		if code != 0 {
			t.Fatalf("break: exit %d\n%s%s", code, out, errs)
		}
		other := a
		if br.Session == a.id() {
			other = b
		}
		other.got(br.Path, 30*time.Second)
	}
}

func TestADeadlockWithoutEvidenceIsLikely(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{NoFourLW: true})
	a, b := newGo(t, server.Addr), newGo(t, server.Addr)
	entangle(a, b)
	g := graphOf(t, server.Addr)
	if len(g.Cycles) != 1 || g.Cycles[0].Proof != model.Likely {
		t.Fatalf("cycles %+v", g.Cycles)
	}
	if *g.Sources.Asked != 1 || *g.Sources.Answered != 1 || *g.Sources.Tier != "none" {
		t.Errorf("sources %d/%d by %s", *g.Sources.Answered, *g.Sources.Asked, *g.Sources.Tier)
	}
	_, out, _ := run("doctor", server.Addr)
	if !strings.Contains(out, "4lw.commands.whitelist=srvr,") || !strings.Contains(out, "admin.enableServer=true") {
		t.Errorf("doctor does not say what to open:\n%s", out)
	}
	_, out, _ = run("why", "/dl/one", server.Addr)
	if !strings.Contains(out, "Not known\n") {
		t.Errorf("why hides what is not known:\n%s", out)
	}
}
