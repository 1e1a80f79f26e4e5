package mirror

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// virtual runs a test in virtual time with a mirror of an in-process server and a connection that writes.
func virtual(t *testing.T, so zkserver.Options, o Options, test func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(so)
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		m := start(t, pipeTo(s), o)
		await(t, m, 30*time.Second, "the first load", func(s *znode.Snapshot) bool { return s.Complete || len(s.Partial) > 0 })
		test(t, s, m, c)
	})
}

func TestFollowsEveryKindOfChange(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		ctx := t.Context()
		step := func(what string, do func() error) {
			t.Helper()
			if err := do(); err != nil {
				t.Fatal(what, err)
			}
			agree(t, m, c, time.Second)
		}
		step("create", func() error { _, err := c.Create(ctx, "/a", nil, 0, nil); return err })
		step("create below", func() error { _, err := c.Create(ctx, "/a/b", []byte("x"), 0, nil); return err })
		step("deep", func() error {
			_, err := c.Multi(ctx, zkc.CreateOf("/a/b/c", []byte{}, 0), zkc.CreateOf("/a/b/c/d", nil, 0), zkc.CreateOf("/a/b/c/d/e", []byte("deep"), 0))
			return err
		})
		step("set", func() error { _, err := c.Set(ctx, "/a/b", []byte("y"), -1); return err })
		step("ephemeral", func() error {
			_, err := c.Create(ctx, "/a/e-", []byte("z"), wire.FlagEphemeralSequence, nil)
			return err
		})
		step("delete and create in one", func() error {
			_, err := c.Multi(ctx, zkc.DeleteOf("/a/b/c/d/e", -1), zkc.CreateOf("/a/b/c/d/e", nil, 0))
			return err
		})
		step("delete a subtree", func() error {
			_, err := c.Multi(ctx, zkc.DeleteOf("/a/b/c/d/e", -1), zkc.DeleteOf("/a/b/c/d", -1), zkc.DeleteOf("/a/b/c", -1))
			return err
		})
		step("set the root", func() error { _, err := c.Set(ctx, "/", []byte("root"), -1); return err })
		if st := m.Status(); st.Loads != 1 || st.Missed != 0 || st.Counters.Watches != 1 {
			t.Errorf("%+v", st)
		}
	})
}

func TestUnchangedSubtreesKeepTheirPointer(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		fill(t, c, 5, 5)
		agree(t, m, c, time.Second)
		before := m.Snapshot()
		copyOf := fmt.Sprint(lines(before))
		if _, err := c.Set(t.Context(), "/walk/d00002/contender-name-of-31-bytes-0003", []byte("new"), -1); err != nil {
			t.Fatal(err)
		}
		agree(t, m, c, time.Second)
		shared := func(now *znode.Snapshot, path string) bool { return before.At(path) == now.At(path) }
		now := m.Snapshot()
		if !shared(now, "/walk/d00001") || !shared(now, "/walk/d00003") || !shared(now, "/walk/d00002/contender-name-of-31-bytes-0001") {
			t.Error("an unchanged subtree was copied")
		}
		if shared(now, "/walk/d00002") || shared(now, "/walk") || now.Root == before.Root {
			t.Error("a changed directory keeps its pointer")
		}
		s.DropConnections()
		await(t, m, 30*time.Second, "a second load", func(s *znode.Snapshot) bool { return m.Status().Loads == 2 && complete(s) })
		if again := m.Snapshot(); again.Root != now.Root {
			t.Error("reading everything again without a change copies the tree")
		}
		if fmt.Sprint(lines(before)) != copyOf {
			t.Error("a published snapshot has changed")
		}
	})
}

func TestDisconnectionIsShownAndCaughtUp(t *testing.T) {
	virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
		create(t, c, "/a", "before", 0)
		create(t, c, "/gone", "", 0)
		agree(t, m, c, time.Second)
		tree := m.Snapshot().Root
		s.RefuseConnections(true)
		lostAt := time.Now()
		for _, ses := range s.Sessions() {
			if ses.ID == m.Status().State.Session {
				s.Drop(ses.ID)
			}
		}
		lost := await(t, m, 20*time.Second, "the loss is shown", func(s *znode.Snapshot) bool { return !s.LostSince.IsZero() })
		if lost.Root != tree || !lost.Complete || lostAt.Sub(lost.LostSince).Abs() > 10*time.Second {
			t.Fatalf("%+v", lost)
		}
		if _, err := c.Set(t.Context(), "/a", []byte("after"), -1); err != nil {
			t.Fatal(err)
		}
		if err := c.Delete(t.Context(), "/gone", -1); err != nil {
			t.Fatal(err)
		}
		create(t, c, "/new", "", 0)
		time.Sleep(5 * time.Second)
		if s := m.Snapshot(); s.Root != tree || !s.LostSince.Equal(lost.LostSince) {
			t.Fatal("what is shown while disconnected has changed")
		}
		s.RefuseConnections(false)
		back := await(t, m, 20*time.Second, "it is caught up", complete)
		if !back.Gap.From.Equal(lost.LostSince) || !back.Gap.To.Equal(back.TakenAt) || !lost.Gap.To.IsZero() {
			t.Errorf("lost since %v, then the gap %v at %v", lost.LostSince, back.Gap, back.TakenAt)
		}
		agree(t, m, c, 20*time.Second)
		s.ExpireSession(m.Status().State.Session)
		create(t, c, "/new2", "", 0)
		agree(t, m, c, 20*time.Second)
		if st := m.Status(); st.State.Expirations != 1 || st.Loads != 3 || st.Counters.Watches != 1 {
			t.Errorf("%+v", st)
		}
	})
}

// churn changes a tree at random, including operations that fail, until stop is closed.
func churn(c *zkc.Conn, r *rand.Rand, dirs, n int, pause func()) {
	ctx := context.Background()
	for range n {
		dir := fmt.Sprintf("/d%02d", r.IntN(dirs))
		node := fmt.Sprintf("%s/n%02d", dir, r.IntN(30))
		switch r.IntN(9) {
		case 0:
			_, _ = c.Create(ctx, dir, []byte("dir"), 0, nil)
		case 1:
			_, _ = c.Create(ctx, node, nil, 0, nil)
		case 2:
			_, _ = c.Create(ctx, node, []byte("e"), wire.FlagEphemeral, nil)
		case 3:
			_, _ = c.Create(ctx, dir+"/s-", []byte("seq"), wire.FlagEphemeralSequence, nil)
		case 4:
			_, _ = c.Set(ctx, node, fmt.Appendf(nil, "%d", r.Int64()), -1)
		case 5:
			_ = c.Delete(ctx, node, -1)
		case 6:
			_, _ = c.Create(ctx, node+"/deep", []byte{}, 0, nil)
		case 7:
			_ = c.Delete(ctx, node+"/deep", -1)
		case 8:
			_, _ = c.Multi(ctx, zkc.DeleteOf(node, -1), zkc.CreateOf(node, []byte("again"), 0))
		}
		pause()
	}
}

func TestRandomChangesInVirtualTime(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			virtual(t, zkserver.Options{}, Options{}, func(t *testing.T, s *zkserver.Server, m *Mirror, c *zkc.Conn) {
				r := rand.New(rand.NewPCG(seed, 1))
				for range 6 {
					churn(c, r, 8, 400, func() { time.Sleep(time.Duration(r.IntN(3)) * time.Millisecond) })
					switch r.IntN(4) {
					case 0:
						s.DropConnections()
					case 1:
						s.ExpireSession(m.Status().State.Session)
					case 2:
						s.Drop(m.Status().State.Session)
					}
				}
				agree(t, m, c, 20*time.Second)
				st := m.Status()
				if st.Missed != 0 || st.Events < 500 || st.Requests == 0 {
					t.Errorf("%+v", st)
				}
				t.Logf("%d events, %d requests, %d snapshots, %d loads", st.Events, st.Requests, st.Snapshots, st.Loads)
			})
		})
	}
}
