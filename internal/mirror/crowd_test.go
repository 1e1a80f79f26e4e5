package mirror

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// throng makes n sequential znodes with the session of c.
func throng(t *testing.T, c *zkc.Conn, prefix string, n int) {
	t.Helper()
	for range n {
		create(t, c, prefix, "host-1", wire.FlagEphemeralSequence)
	}
}

// known counts the children of a crowd of which more than the name is known.
func known(n *znode.Node) (out int) {
	for _, c := range n.Children {
		if !c.Has(znode.NameOnly) {
			out++
		}
	}
	return out
}

// reads counts what was asked of single znodes below a directory.
func reads(s *zkserver.Server, dir string) (n int) {
	for _, r := range s.Requests() {
		for _, p := range r.SubOps {
			if strings.HasPrefix(p.Path, dir+"/") && (p.Op == wire.OpGetData || p.Op == wire.OpExists) {
				n++
			}
		}
	}
	return n
}

func TestACrowdIsKnownByNameAndItsHeadIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{Record: true})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		create(t, c, "/crowd", "", 0)
		throng(t, c, "/crowd/lock-", 300)
		s.ForgetRequests()
		snap, err := Load(t.Context(), c, Options{MaxChildren: 200})
		if err != nil {
			t.Fatal(err)
		}
		n := snap.At("/crowd")
		if len(n.Children) != 300 || known(n) != headRead || !n.Has(znode.NamesRead) || n.Has(znode.NotListed) {
			t.Fatalf("%d children, %d known, flags %b", len(n.Children), known(n), n.Flags)
		}
		if head, tail := n.Children[0], n.Children[299]; head.Owner == 0 || string(head.Data) != "host-1" || tail.Flags != nameOnly || tail.Owner != 0 {
			t.Errorf("head %+v, tail %+v", head, tail)
		}
		if snap.Complete || fmt.Sprint(snap.Partial) != "[/crowd: 300 children, of most only the names were read]" {
			t.Errorf("complete %v, %q", snap.Complete, snap.Partial)
		}
		if r, l := reads(s, "/crowd"), lists(s, "/crowd"); r != headRead || l != 1 {
			t.Errorf("%d reads, %d lists", r, l)
		}
	})
}

func TestACrowdThatIsNoLineIsCountedUnlessAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		fill(t, c, 1, 300)
		const dir = "/walk/d00000"
		for asked, want := range map[string]int{"/walk": 0, dir: 300, dir + "/contender-name-of-31-bytes-0250": 300} {
			snap, err := Load(t.Context(), c, Options{MaxChildren: 200, Asked: []string{asked}})
			if err != nil {
				t.Fatal(err)
			}
			n, at := snap.At(dir), snap.At(asked)
			if len(n.Children) != want || n.Has(znode.NotListed) != (want == 0) || at == nil || at.Has(znode.NoStat) {
				t.Errorf("%s asked for: %d children, %+v", asked, len(n.Children), at)
			}
		}
	})
}

func TestACrowdStaysLive(t *testing.T) {
	virtual(t, zkserver.Options{Record: true}, Options{MaxChildren: 200, Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		create(t, c, "/crowd", "", 0)
		throng(t, c, "/crowd/lock-", 201) // it becomes one while it is watched
		crowd := func(all, first int) func(*znode.Snapshot) bool {
			return func(snap *znode.Snapshot) bool {
				n := snap.At("/crowd")
				if n == nil || len(n.Children) != all || known(n) < min(all, headRead) {
					return false
				}
				for _, c := range n.Children[:headRead] {
					if c.Has(znode.NameOnly) {
						return false
					}
				}
				return n.Children[0].Name == fmt.Sprintf("lock-%010d", first)
			}
		}
		await(t, m, 10*time.Second, "the names of a crowd", crowd(201, 0))
		throng(t, c, "/crowd/lock-", 99)
		await(t, m, 10*time.Second, "those who came", crowd(300, 0))
		s.ForgetRequests()
		s.DropConnections()
		await(t, m, 20*time.Second, "a second load", func(snap *znode.Snapshot) bool { return m.Status().Loads == 2 && snap.LostSince.IsZero() })
		if n := m.Snapshot().At("/crowd"); known(n) != headRead || len(n.Children) != 300 {
			t.Fatalf("%d of %d known after a load", known(n), len(n.Children))
		}
		for i := range 5 {
			if err := c.Delete(t.Context(), fmt.Sprintf("/crowd/lock-%010d", i), -1); err != nil {
				t.Fatal(err)
			}
		}
		await(t, m, 10*time.Second, "the head moves on", crowd(295, 5))
		time.Sleep(5 * time.Minute)
		if r, l := reads(s, "/crowd"), lists(s, "/crowd"); r > headRead+30 || l > 3 {
			t.Errorf("%d reads and %d lists to follow five changes", r, l)
		}
		for i := range 150 {
			if err := c.Delete(t.Context(), fmt.Sprintf("/crowd/lock-%010d", i+5), -1); err != nil {
				t.Fatal(err)
			}
		}
		agree(t, m, c, time.Minute) // it is small now, and read in full
	})
}

// Servers without recursive watches tell that the children have changed, not which: a crowd is listed at a bounded rate.
func TestACrowdIsListedNowAndThenWithoutRecursiveWatches(t *testing.T) {
	virtual(t, zkserver.Options{Record: true, NoAddWatch: true, NoMultiRead: true}, Options{MaxChildren: 200, Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		create(t, c, "/crowd", "", 0)
		throng(t, c, "/crowd/lock-", 300)
		there := func(n int) func(*znode.Snapshot) bool {
			return func(snap *znode.Snapshot) bool {
				dir := snap.At("/crowd")
				return dir != nil && len(dir.Children) == n && dir.Has(znode.NamesRead)
			}
		}
		await(t, m, time.Minute, "the names", there(300))
		s.ForgetRequests()
		for range 100 {
			throng(t, c, "/crowd/lock-", 1)
			time.Sleep(100 * time.Millisecond)
		}
		await(t, m, time.Minute, "those who came", there(400))
		if l := lists(s, "/crowd"); l > 14 {
			t.Errorf("%d lists in 10 s", l)
		}
	})
}

// What is asked for by name is read below parents that may not be listed, beyond the budget and among the hidden.
func TestAskedForByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		cfg := pipeTo(s)
		cfg.Auth = []zkc.Auth{{Scheme: "digest", Token: []byte("bob:secret")}}
		bob := dial(t, cfg)
		c := dial(t, pipeTo(s))
		if _, err := bob.Create(context.Background(), "/vault", nil, 0, secret()); err != nil {
			t.Fatal(err)
		}
		create(t, bob, "/vault/locks", "", 0)
		create(t, bob, "/vault/locks/lock-", "bob", wire.FlagEphemeralSequence)
		const claim = "/vault/locks/lock-0000000000"
		fill(t, bob, 5, 20)
		for _, asked := range []string{claim, "/walk/d00004/contender-name-of-31-bytes-0011", "/zookeeper/config"} {
			snap, err := Load(t.Context(), c, Options{MaxNodes: 30, Asked: []string{asked}})
			if err != nil {
				t.Fatal(err)
			}
			if n, why := snap.Known(asked); n == nil || n.Has(znode.NoStat) {
				t.Errorf("%s: %+v, %q", asked, n, why)
			}
		}
		snap, err := Load(t.Context(), c, Options{Asked: []string{"/vault/none", "/vault/no/such"}})
		if err != nil {
			t.Fatal(err)
		}
		for path, absent := range map[string]bool{"/vault/none": true, "/vault/no/such": true, "/vault/other": false, "/walk/none": true} {
			if n, why := snap.Known(path); n != nil || absent != (why == "") {
				t.Errorf("%s: %+v, %q", path, n, why)
			}
		}
	})
}

// A list that kills the connection must not keep one read from ending.
func TestLoadGoesOnWithoutAListThatKillsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		create(t, c, "/crowd", "", 0)
		for i := 0; i < bigList+1; i += 1000 {
			var ch []zkc.Change
			for j := range 1000 {
				ch = append(ch, zkc.CreateOf(fmt.Sprintf("/crowd/lock-%010d", i+j), nil, 0))
			}
			if _, err := c.Multi(context.Background(), ch...); err != nil {
				t.Fatal(err)
			}
		}
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			for _, p := range r.SubOps {
				if p.Op == wire.OpGetChildren && p.Path == "/crowd" {
					return zkserver.Action{Drop: zkserver.DropBefore}
				}
			}
			return zkserver.Action{}
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		snap, err := Load(ctx, c, Options{MaxChildren: 1000})
		if err != nil || !snap.At("/crowd").Has(znode.NotListed) {
			t.Fatal(snap, err)
		}
	})
}

// The changes of a crowd are gathered, since each has the whole line worked out anew; that is no lost watch.
func TestChangesOfACrowdAreGathered(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{MaxChildren: 200, Reconcile: 500 * time.Millisecond}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		create(t, c, "/crowd", "", 0)
		throng(t, c, "/crowd/lock-", 300)
		await(t, m, 10*time.Second, "the names", func(snap *znode.Snapshot) bool {
			n := snap.At("/crowd")
			return n != nil && len(n.Children) == 300 && n.Has(znode.NamesRead)
		})
		time.Sleep(10 * time.Second)
		before := m.Status().Snapshots
		for range 500 {
			throng(t, c, "/crowd/lock-", 1)
			time.Sleep(20 * time.Millisecond)
		}
		await(t, m, 10*time.Second, "those who came", func(snap *znode.Snapshot) bool { return len(snap.At("/crowd").Children) == 800 })
		if st := m.Status(); st.Missed != 0 || st.Loads != 1 || st.Snapshots-before > 150 {
			t.Errorf("%d snapshots of 500 changes; %+v", st.Snapshots-before, st)
		}
	})
}

// A connection that is lost before the names of a new crowd have come must not leave it unlisted.
func TestACrowdIsLookedAtAfterALostConnection(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{MaxChildren: 200, Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		dropped := false
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			for _, p := range r.SubOps {
				if p.Path == "/crowd" && p.Op == wire.OpGetChildren && !dropped {
					dropped = true
					return zkserver.Action{Drop: zkserver.DropBefore}
				}
			}
			return zkserver.Action{}
		})
		create(t, c, "/crowd", "", 0)
		throng(t, c, "/crowd/lock-", 300)
		await(t, m, time.Minute, "the names", func(snap *znode.Snapshot) bool {
			n := snap.At("/crowd")
			return n != nil && n.Has(znode.NamesRead) && len(n.Children) == 300
		})
	})
}
