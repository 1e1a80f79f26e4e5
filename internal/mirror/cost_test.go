package mirror

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestStormIsMergedNotQueued makes a thousand changes a second for ten seconds.
func TestStormIsMergedNotQueued(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 1, 50)
		agree(t, m, c, time.Second)
		before := m.Status()
		const changes, seconds = 10_000, 10
		for i := range changes {
			path := fmt.Sprintf("/walk/d00000/contender-name-of-31-bytes-%04d", i%50)
			if _, err := c.Set(t.Context(), path, fmt.Append(nil, i), -1); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second * seconds / changes)
		}
		agree(t, m, c, time.Second)
		after := m.Status()
		if n := after.Snapshots - before.Snapshots; n > 20*seconds+5 || n < 15*seconds {
			t.Errorf("%d snapshots in %d s", n, seconds)
		}
		if n := after.Requests - before.Requests; n > changes/2 {
			t.Errorf("%d requests for %d changes", n, changes)
		}
		if n := after.Events - before.Events; n != changes {
			t.Errorf("%d events for %d changes", n, changes)
		}
	})
}

// TestPublishesAtOnceWhenIdle looks at the virtual time between a change and the snapshot that shows it.
func TestPublishesAtOnceWhenIdle(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{Reconcile: -1}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		for i := range 20 {
			time.Sleep(time.Second)
			begun := time.Now()
			path := fmt.Sprintf("/x%d", i)
			create(t, c, path, "", 0)
			await(t, m, time.Second, "the change", func(s *znode.Snapshot) bool { return s.At(path) != nil })
			if took := time.Since(begun); took > 0 {
				t.Fatalf("the snapshot came after %v of virtual time", took)
			}
		}
	})
}

func TestMirrorNeverWrites(t *testing.T) {
	virtual(t, zkserver.Options{Record: true}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 3, 10)
		agree(t, m, c, time.Second)
		s.DropConnections()
		time.Sleep(time.Minute)
		session := m.Status().State.Session
		m.Close()
		seen := 0
		for _, r := range s.Requests() {
			if r.Session != session {
				continue
			}
			seen++
			switch r.Op {
			case wire.OpCreateSession, wire.OpMultiRead, wire.OpAddWatch, wire.OpPing, wire.OpCheckWatches, wire.OpClose:
			default:
				t.Errorf("the mirror sent operation %d on %s", r.Op, r.Path)
			}
		}
		if seen < 10 {
			t.Errorf("only %d requests were seen", seen)
		}
	})
}

// goroutinesHere counts the goroutines of mirrors and their connections.
func goroutinesHere() (n int) {
	buf := make([]byte, 1<<20)
	for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "internal/mirror.(*") || strings.Contains(g, "internal/zkc.") || strings.Contains(g, "go-zookeeper") {
			n++
		}
	}
	return n
}

func TestReconnectionsLeakNothing(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 2, 10)
		before := 0
		for i := range 21 {
			time.Sleep(2 * time.Second)
			if i%3 == 2 {
				s.ExpireSession(m.Status().State.Session)
			} else {
				s.Drop(m.Status().State.Session)
			}
			await(t, m, 10*time.Second, "one more load", func(s *znode.Snapshot) bool { return m.Status().Loads == uint64(i+2) && complete(s) })
			time.Sleep(time.Second)
			if n := goroutinesHere(); i == 0 {
				before = n
			} else if n != before {
				t.Fatalf("%d goroutines after %d reconnections, %d before", n, i+1, before)
			}
		}
		if st := m.Status(); st.Counters.Watches != 1 || st.State.Expirations != 7 {
			t.Errorf("%+v", st)
		}
	})
}

func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		m := start(t, pipeTo(s), Options{})
		await(t, m, time.Second, "the load", complete)
		s.Pause()
		begun := time.Now()
		m.Close()
		m.Close()
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("closed after %v", took)
		}
		if !m.Snapshot().Complete || m.Status().State.Phase != zkc.Closed {
			t.Error("the last snapshot stays")
		}
		s.Resume()
	})
}

// TestLoadStartsOverAfterALostConnection loses the connection in the middle of a load.
func TestLoadStartsOverAfterALostConnection(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{Root: "/none"}, func(t *testing.T, s *zkserver.Server, _ *Mirror, c *zkc.Conn) {
		fill(t, c, 20, 200)
		batches := 0
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op == wire.OpMultiRead && len(r.SubOps) > 10 {
				if batches++; batches == 5 {
					return zkserver.Action{Drop: zkserver.DropAfter}
				}
			}
			return zkserver.Action{}
		})
		snap, err := Load(t.Context(), c, Options{})
		if err != nil || !snap.Complete || batches < 10 {
			t.Fatal(err, batches)
		}
		if diff := differences(lines(snap), truth(t, c, "/")); diff != "" {
			t.Fatal(diff)
		}
	})
}
