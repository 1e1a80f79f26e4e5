package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// stage is an ensemble of one server, zk1:2181, in virtual time: clients of the library stand in its recipes, at
// addresses and times that are the same whenever it is set up. It is there for one fixture, in a folder of its own.
type stage struct {
	t      *testing.T
	ctx    context.Context
	server *zkserver.Server
	hosts  map[string]bool // that are reached
	env    map[string]string
	names  map[int64]string // who is behind a session
	hand   *recipes.Session // by which directions are carried out
	next   int              // the last byte of the next client's address
}

// curtain is when the first command line is run.
var curtain = time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)

// newStage sets the stage up. It has to be called within a bubble.
func newStage(t *testing.T) *stage {
	s := &stage{t: t, ctx: t.Context(), hosts: map[string]bool{"zk1:2181": true}, names: map[int64]string{}, next: 7,
		env: map[string]string{"XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config", "HOME": "."}}
	time.Sleep(time.Until(curtain.Add(-10*time.Minute - 250*time.Millisecond))) // no client pings in the moment of a command
	s.server = zkserver.New(zkserver.Options{})
	s.hand = s.session("operator")
	s.locks()
	s.others()
	time.Sleep(time.Until(curtain))
	return s
}

// Close ends everybody.
func (s *stage) Close() {
	s.server.Close()
	synctest.Wait()
}

// dialFrom reaches the server from an address.
func (s *stage) dialFrom(from string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if !s.hosts[addr] {
			return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		}
		return s.server.DialFrom(ctx, from)
	}
}

// session is one that lives as long as the stage.
func (s *stage) session(name string) *recipes.Session {
	s.t.Helper()
	c, err := recipes.Dial(s.ctx, recipes.Config{Servers: []string{"zk1:2181"}, Timeout: 40 * time.Second,
		Dial: s.dialFrom(fmt.Sprintf("10.0.0.%d:40112", s.next))})
	s.check(err)
	s.next++
	s.names[int64(c.ID())] = name
	s.t.Cleanup(c.Close)
	return c
}

// stand has somebody take a place half a minute later, held or waiting. Who is asked to let go does so after three
// seconds.
func (s *stage) stand(take func(context.Context) (*recipes.Claim, error)) {
	time.Sleep(30 * time.Second)
	go func() {
		c, err := take(s.ctx)
		if err != nil {
			return // the stage is closed, or somebody broke it
		}
		select {
		case <-c.Revoked():
			s.wait(3*time.Second + 50*time.Millisecond) // between two looks of who follows
			_ = c.Release(s.ctx)
		case <-c.Lost():
		case <-s.ctx.Done():
		}
	}()
	synctest.Wait()
}

// locks are a contended one, one whose holder can be asked to let go, and one that is shared.
func (s *stage) locks() {
	for _, name := range []string{"web-1", "web-2", "web-3"} {
		s.stand(s.session(name).Lock("/locks/orders", recipes.Options{Dialect: recipes.Kazoo, Name: name}).Acquire)
	}
	for _, name := range []string{"batch-1", "batch-2"} {
		s.stand(s.session(name).Lock("/locks/nightly", recipes.Options{Name: name, Revocable: true}).Acquire)
	}
	shared := func(name string) recipes.SharedLock {
		return s.session(name).SharedLock("/rw/report", recipes.Options{Name: name})
	}
	s.stand(shared("reader-1").Read)
	s.stand(shared("writer-1").Write)
}

// others are an election, barriers, a queue, a transaction and values.
func (s *stage) others() {
	for _, name := range []string{"sched-1", "sched-2"} {
		s.stand(s.session(name).Election("/election/scheduler", recipes.Options{Dialect: recipes.Curator, Name: name}).Campaign)
	}
	s.stand(s.session("loader-1").DoubleBarrier("/barriers/loaded", 3, recipes.Options{Name: "loader-1"}).Enter)
	s.check(s.hand.Barrier("/barriers/start", recipes.Options{Name: "director"}).Close(s.ctx))
	for _, item := range []string{`{"to":"user-1"}`, `{"to":"user-2"}`} {
		s.check(s.hand.Queue("/queues/mail", recipes.QueueOptions{}).Put(s.ctx, []byte(item)))
	}
	tx := s.hand.TwoPhase("/tx/transfer", recipes.TwoPhaseOptions{})
	s.check(tx.Begin(s.ctx, []byte("move 100 from a to b"), []string{"s_1", "s_2"}))
	s.check(tx.Vote(s.ctx, "s_1", recipes.Commit))
	s.check(s.hand.Configuration("/config/limits").Set(s.ctx, []byte(`{"rate":100}`), recipes.AnyVersion))
}

// deadlock is two sessions that take two locks in opposite order.
func (s *stage) deadlock() {
	a, b := s.session("pay-1"), s.session("pay-2")
	for _, x := range []struct {
		s          *recipes.Session
		path, name string
	}{{a, "/pair/debit", "pay-1"}, {b, "/pair/credit", "pay-2"}, {a, "/pair/credit", "pay-1"}, {b, "/pair/debit", "pay-2"}} {
		s.stand(x.s.Lock(x.path, recipes.Options{Name: x.name}).Acquire)
	}
}

// direct carries out a direction of a fixture, and returns what there is to see.
func (s *stage) direct(words []string) string {
	s.t.Helper()
	switch words[0] {
	case "tree":
		return s.tree(words[1])
	case "cat":
		b, err := os.ReadFile(words[1])
		s.check(err)
		return string(b)
	case "wait":
		s.wait(s.duration(words[1]))
	case "after": // after DURATION DIRECTION...
		go func() {
			if s.wait(s.duration(words[1])) {
				s.direct(words[2:])
			}
		}()
	case "write": // write PATH DATA, of a configuration
		s.check(s.hand.Configuration(words[1]).Set(s.ctx, []byte(words[2]), recipes.AnyVersion))
	case "expire":
		for id, name := range s.names {
			if name == words[1] && !s.server.ExpireSession(id) {
				s.t.Errorf("%s has no session", name)
			}
		}
	case "deadlock":
		s.deadlock()
	case "refuse":
		s.server.RefuseConnections(true)
		s.server.DropConnections()
	case "admit":
		s.server.RefuseConnections(false)
	default:
		s.t.Fatalf("there is no direction %q", words)
	}
	return ""
}

// wait waits; false where the stage is closed meanwhile.
func (s *stage) wait(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.ctx.Done():
		return false
	}
}

func (s *stage) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	s.check(err)
	return d
}

// tree is what stands at a path and below it.
func (s *stage) tree(path string) string {
	all := s.server.Tree()
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if p != path && !strings.HasPrefix(p, strings.TrimSuffix(path, "/")+"/") {
			continue
		}
		n := all[p]
		fmt.Fprintf(&b, "%s %q, czxid %d", p, n.Data, n.Stat.Czxid)
		if id := n.Stat.EphemeralOwner; id != 0 {
			name := s.names[id]
			if name == "" {
				name = "somebody else"
			}
			b.WriteString(", of " + name)
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}

func (s *stage) check(err error) {
	s.t.Helper()
	if err != nil && !errors.Is(err, context.Canceled) {
		s.t.Fatal(err)
	}
}

// props are the files beside which every fixture is run.
func props(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"deadlock.jsonl": clitest.Deadlocked}
	entries, err := os.ReadDir("testdata/files")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile("testdata/files/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(b)
	}
	return out
}
