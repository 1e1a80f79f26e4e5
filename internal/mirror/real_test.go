package mirror

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

// storm lets several connections change a tree until the context ends.
func storm(t *testing.T, ctx context.Context, servers []string, dirs int) (wait func()) {
	t.Helper()
	const writers = 4
	ended := make(chan struct{}, writers)
	for i := range writers {
		c := dial(t, zkc.Config{Servers: servers, Session: 6 * time.Second})
		r := rand.New(rand.NewPCG(uint64(i), 7))
		go func() {
			defer func() { ended <- struct{}{} }()
			for ctx.Err() == nil {
				churn(c, r, dirs, 20, func() { time.Sleep(time.Millisecond) })
			}
		}()
	}
	return func() {
		for range writers {
			<-ended
		}
	}
}

// moreEvents waits until a mirror has heard of so many more changes.
func moreEvents(t *testing.T, m *Mirror, n uint64) {
	t.Helper()
	before := m.Status().Events
	defer func() {
		if t.Failed() {
			t.Logf("%+v", m.Status())
		}
	}()
	peers.WaitFor(t, 2*time.Minute, "events come in", func() bool { return m.Status().Events >= before+n })
}

func TestRandomChangesWithKills(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	c := dial(t, zkc.Config{Servers: []string{s.Addr}})
	m := start(t, zkc.Config{Servers: []string{s.Addr}, Session: 6 * time.Second}, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	wait := storm(t, ctx, []string{s.Addr}, 20)
	moreEvents(t, m, 150)
	s.Kill()
	s.Restart()
	moreEvents(t, m, 150)
	cancel()
	wait()
	agree(t, m, c, 20*time.Second)
	st := m.Status()
	t.Logf("%d events, %d coalesced, %d requests (%.2f per event), %d snapshots, %d loads, %d znodes", st.Events, st.Coalesced, st.Requests,
		float64(st.Requests)/float64(st.Events), st.Snapshots, st.Loads, st.Nodes)
	if st.Missed != 0 || st.Loads < 2 {
		t.Errorf("%+v", st)
	}
}

func TestRandomChangesOnAnEnsemble(t *testing.T) {
	members := peers.Ensemble(t, 3, peers.Options{})
	var servers []string
	for _, s := range members {
		servers = append(servers, s.Addr)
	}
	c := dial(t, zkc.Config{Servers: servers, Session: 6 * time.Second})
	m := start(t, zkc.Config{Servers: servers, Session: 6 * time.Second}, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	wait := storm(t, ctx, servers, 20)
	moreEvents(t, m, 150)
	for _, s := range members {
		if s.Mode() == "leader" {
			s.Kill()
			moreEvents(t, m, 150)
			s.Restart()
			break
		}
	}
	peers.Quorum(t, members...) // or there would be none without the next
	for i, s := range members {
		if s.Addr == m.Status().State.Server {
			s.Pause()
			on := func() bool { st := m.Status().State; return st.Phase == zkc.Connected && st.Server == s.Addr }
			peers.WaitFor(t, 20*time.Second, "the mirror leaves a hung member", func() bool { return !on() })
			peers.Quorum(t, slices.Delete(slices.Clone(members), i, i+1)...) // it may have led; until then nobody takes the mirror
			peers.WaitFor(t, 20*time.Second, "another member serves the mirror", func() bool { return m.Status().State.Phase == zkc.Connected && !on() })
			moreEvents(t, m, 50)
			s.Resume()
			break
		}
	}
	peers.Quorum(t, members...) // before that the resumed one may tell of a tree that is no more
	cancel()
	wait()
	agree(t, m, c, 30*time.Second)
	st := m.Status()
	t.Logf("%d events, %d requests, %d snapshots, %d loads, %d znodes", st.Events, st.Requests, st.Snapshots, st.Loads, st.Nodes)
	if st.Missed != 0 || st.Loads < 2 {
		t.Errorf("%+v", st)
	}
}
