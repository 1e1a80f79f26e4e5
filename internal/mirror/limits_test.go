package mirror

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestTooManyChildrenAreCountedNotListed(t *testing.T) {
	virtual(t, zkserver.Options{Record: true}, Options{MaxChildren: 20, Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 2, 15)
		agree(t, m, c, time.Second)
		for i := range 6 {
			create(t, c, fmt.Sprintf("/walk/d00000/x%d", i), "", 0)
		}
		over := func(s *znode.Snapshot) bool {
			n := s.At("/walk/d00000")
			return n.Has(znode.NotListed) && n.NumChildren == 21 && len(n.Children) == 0
		}
		snap := await(t, m, time.Second, "the limit is hit", over)
		if snap.Complete || fmt.Sprint(snap.Partial) != "[/walk/d00000: 21 children, not listed]" {
			t.Fatalf("%v %q", snap.Complete, snap.Partial)
		}
		time.Sleep(time.Second) // its names are looked at once
		s.ForgetRequests()
		s.DropConnections()
		await(t, m, 10*time.Second, "a second load", func(s *znode.Snapshot) bool { return m.Status().Loads == 2 && s.LostSince.IsZero() && over(s) })
		if once, err := Load(t.Context(), c, Options{MaxChildren: 20}); err != nil || once.Complete || !over(once) {
			t.Fatal(once, err)
		}
		if n := lists(s, "/walk/d00000"); n != 1 { // the one that Load needs to see that the names are no line
			t.Fatalf("it is listed %d times all the same", n)
		}
		for i := range 6 {
			if err := c.Delete(t.Context(), fmt.Sprintf("/walk/d00000/x%d", i), -1); err != nil {
				t.Fatal(err)
			}
		}
		agree(t, m, c, 3*time.Second) // listed again, and complete
	})
}

// lists counts the requests for the children of a directory.
func lists(s *zkserver.Server, path string) (n int) {
	for _, r := range s.Requests() {
		for _, p := range r.SubOps {
			if p.Path == path && (p.Op == wire.OpGetChildren || p.Op == wire.OpGetChildren2) {
				n++
			}
		}
	}
	return n
}

func TestLongDataIsNotKept(t *testing.T) {
	virtual(t, zkserver.Options{Record: true}, Options{MaxData: 1000}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		create(t, c, "/big", strings.Repeat("x", 1001), 0)
		create(t, c, "/fits", strings.Repeat("x", 1000), 0)
		big := func(s *znode.Snapshot) *znode.Node { return s.At("/big") }
		snap := await(t, m, time.Second, "both are there", func(s *znode.Snapshot) bool { return big(s) != nil && s.At("/fits") != nil })
		if n := big(snap); n.Data != nil || n.DataLength != 1001 || !n.Has(znode.DataOmitted) || len(snap.At("/fits").Data) != 1000 || !snap.Complete {
			t.Fatalf("%+v", n)
		}
		s.ForgetRequests()
		if _, err := c.Set(t.Context(), "/big", []byte(strings.Repeat("y", 2000)), -1); err != nil {
			t.Fatal(err)
		}
		await(t, m, time.Second, "the new length", func(s *znode.Snapshot) bool { return big(s).DataLength == 2000 && big(s).Has(znode.DataOmitted) })
		s.DropConnections()
		await(t, m, 10*time.Second, "a second load", func(s *znode.Snapshot) bool { return m.Status().Loads == 2 && complete(s) })
		for _, r := range s.Requests() {
			for _, p := range r.SubOps {
				if p.Op == wire.OpGetData && p.Path == "/big" {
					t.Fatal("long data is fetched again and again")
				}
			}
		}
		if _, err := c.Set(t.Context(), "/big", []byte("small"), -1); err != nil {
			t.Fatal(err)
		}
		agree(t, m, c, time.Second)
	})
}

func TestNodeBudget(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{MaxNodes: 100, Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 10, 20)
		snap := await(t, m, 5*time.Second, "the budget is hit", func(s *znode.Snapshot) bool { return !s.Complete })
		if got := count(snap.Root); got > 100 || got < 90 || !strings.Contains(snap.Partial[0], "stopped at 100 znodes") {
			t.Fatalf("%d znodes, %q", got, snap.Partial)
		}
		once, err := Load(t.Context(), c, Options{MaxNodes: 100})
		if err != nil || once.Complete || count(once.Root) > 100 {
			t.Fatal(count(once.Root), once.Partial, err)
		}
		late := 0
		for _, f := range inspect.Decode(once, nil, model.Hints{}).Findings {
			if f.Code == model.CodeTooLarge {
				t.Errorf("nothing here is large: %s", f.Text)
			}
			if f.Code == model.CodePartial && strings.Contains(f.Text, "as many znodes as it may") {
				late++
			}
		}
		if late != 1 {
			t.Errorf("%d findings say that the budget is used up", late)
		}
		time.Sleep(time.Minute) // it does not read in circles
		if st := m.Status(); st.Counters.Requests > 100 || st.Nodes > 100 {
			t.Fatalf("%+v", st)
		}
	})
}

func TestRootBelowAndSystem(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{Root: "/app/x"}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		snap := m.Snapshot()
		if snap.Complete || !snap.Root.Has(znode.NoStat) || fmt.Sprint(snap.Partial) != "[/app/x does not exist]" || snap.Base != "/app/x" || snap.Root.Name != "x" {
			t.Fatalf("%+v %+v", snap, snap.Root)
		}
		if _, err := Load(t.Context(), c, Options{Root: "/app/x"}); !errors.Is(err, zkc.ErrNoNode) || err.Error() != "load /app/x: znode does not exist" {
			t.Fatal(err)
		}
		create(t, c, "/app", "", 0)
		create(t, c, "/app/xy", "", 0)
		create(t, c, "/app/x", "here", 0)
		create(t, c, "/app/x/kid", "", 0)
		agree(t, m, c, time.Second)
		for _, p := range []string{"/app/x/kid", "/app/x"} {
			if err := c.Delete(t.Context(), p, -1); err != nil {
				t.Fatal(err)
			}
		}
		await(t, m, time.Second, "it is gone", func(s *znode.Snapshot) bool { return !s.Complete && s.Root.Has(znode.NoStat) })
	})
	virtual(t, zkserver.Options{}, Options{IncludeSystem: true}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		if m.Snapshot().At("/zookeeper/config") == nil {
			t.Fatal("/zookeeper was asked for")
		}
	})
}

func TestChrootHidesItselfAndHasNoSystemZnodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		top := dial(t, pipeTo(s))
		create(t, top, "/prod", "", 0)
		create(t, top, "/prod/zookeeper", "not the server's", 0)
		cfg := pipeTo(s)
		cfg.Chroot = "/prod"
		m := start(t, cfg, Options{})
		snap := await(t, m, time.Second, "the load", complete)
		if n := snap.At("/zookeeper"); n == nil || string(n.Data) != "not the server's" {
			t.Fatalf("%+v", snap.Root)
		}
		create(t, top, "/prod/prod", "x", 0)
		await(t, m, time.Second, "the event's path is mapped", func(s *znode.Snapshot) bool { return s.At("/prod") != nil })
	})
}

func TestTerminalErrorsAreInStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		cfg := pipeTo(s)
		cfg.Chroot = "/nowhere"
		m := start(t, cfg, Options{})
		for m.Status().Err == nil {
			<-m.Changed()
		}
		if err := m.Status().Err; !errors.Is(err, zkc.ErrNoChroot) {
			t.Fatal(err)
		}
		if s := m.Snapshot(); s.Complete || s.Root == nil {
			t.Fatalf("%+v", s)
		}
		cfg.Servers = nil
		if _, err := Start(t.Context(), cfg, Options{}); err == nil {
			t.Fatal("no servers")
		}
	})
}

// TestListThatKillsTheConnection has a server that hangs up on the list of one directory.
func TestListThatKillsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		fill(t, c, 1, bigList+1)
		create(t, c, "/ok", "x", 0)
		killed := 0
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			for _, p := range r.SubOps {
				if p.Op == wire.OpGetChildren && p.Path == "/walk/d00000" {
					killed++
					return zkserver.Action{Drop: zkserver.DropBefore}
				}
			}
			return zkserver.Action{}
		})
		m := start(t, pipeTo(s), Options{})
		snap := await(t, m, time.Minute, "the rest is shown", func(s *znode.Snapshot) bool { return s.LostSince.IsZero() && len(s.Partial) > 0 })
		time.Sleep(5 * time.Minute)
		if killed > maxStrike || snap.At("/ok") == nil || snap.Complete || !snap.At("/walk/d00000").Has(znode.NotListed) {
			t.Fatalf("%d connections killed, %q", killed, m.Snapshot().Partial)
		}
	})
}
