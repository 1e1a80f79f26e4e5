package zkserver_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestConcurrentUse has clients write and watch at random while connections are lost, sessions expire and the server hangs,
// and then checks that tree, sessions and watches agree with each other.
func TestConcurrentUse(t *testing.T) {
	s := zkserver.New(zkserver.Options{ReapInterval: 10 * time.Millisecond})
	defer s.Close()
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() { randomClient(s, rand.New(rand.NewPCG(2, uint64(i))), 800) })
	}
	done := make(chan struct{})
	go func() { clients.Wait(); close(done) }()
	r := rand.New(rand.NewPCG(3, 3))
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(2 * time.Millisecond):
			disturb(s, r)
		}
	}
	s.Resume()
	s.DropConnections()
	peers.WaitFor(t, patience, "no connections", func() bool {
		return strings.Contains(s.FourLetter("mntr"), "zk_num_alive_connections\t0\n")
	})
	if !strings.Contains(s.FourLetter("mntr"), "zk_watch_count\t0\n") || !strings.HasPrefix(s.FourLetter("wchs"), "0 connections watching 0 paths") {
		t.Error("watches without connections:", s.FourLetter("mntr"))
	}
	consistent(t, s)
	for _, ses := range s.Sessions() {
		s.ExpireSession(ses.ID)
	}
	for path, n := range s.Tree() {
		if n.Stat.EphemeralOwner != 0 {
			t.Errorf("%s outlives its session", path)
		}
	}
}

func disturb(s *zkserver.Server, r *rand.Rand) {
	sessions := s.Sessions()
	if len(sessions) == 0 {
		return
	}
	id := sessions[r.IntN(len(sessions))].ID
	switch r.IntN(8) {
	case 0:
		s.DropConnections()
	case 1, 2:
		s.Drop(id)
	case 3:
		s.ExpireSession(id)
	case 4:
		s.Pause()
	default:
		s.Resume()
	}
	for _, word := range []string{"dump", "cons", "wchp", "wchc", "stat", "mntr"} {
		s.FourLetter(word)
	}
}

// randomClient sends n random requests, on as many connections and sessions as it takes.
func randomClient(s *zkserver.Server, r *rand.Rand, n int) {
	g := generator{r}
	sc := &script{t: new(testing.T), ids: map[int64]string{}}
	c := &raw{name: "r", dial: func() (net.Conn, error) { return s.Dial(context.Background()) }}
	for i := 0; i < n; {
		req := wire.ConnectRequest{Timeout: 30_000, SessionID: c.id, Passwd: c.passwd, HasReadOnly: true}
		resp, _, err := c.connect(req)
		if err == nil && resp.SessionID != 0 {
			c.id, c.passwd = resp.SessionID, resp.Passwd
		} else {
			c.id, c.passwd, err = 0, make([]byte, 16), errClosed
		}
		for ; i < n && err == nil; i++ {
			cmd := []string{g.write(), g.write(), g.batch(), g.watch(), g.read(), "create /t x"}[g.IntN(6)]
			op, body, _ := sc.request(fields(cmd))
			_, err = c.ask(op, body, func(wire.Event) {})
		}
		c.nc.Close()
	}
}

// consistent checks what must hold of every tree.
func consistent(t *testing.T, s *zkserver.Server) {
	t.Helper()
	tree := s.Tree()
	kids, owned := map[string]int32{}, map[int64][]string{}
	for path, n := range tree {
		parent := path[:strings.LastIndexByte(path, '/')]
		if parent == "" {
			parent = "/"
		}
		if path != "/" {
			kids[parent]++
			if _, ok := tree[parent]; !ok {
				t.Errorf("%s has no parent", path)
			}
		}
		if n.Stat.EphemeralOwner != 0 {
			owned[n.Stat.EphemeralOwner] = append(owned[n.Stat.EphemeralOwner], path)
		}
	}
	for path, n := range tree {
		if n.Stat.NumChildren != kids[path] || n.Stat.DataLength != int32(len(n.Data)) || (n.Stat.Cversion+n.Stat.NumChildren)%2 != 0 {
			t.Errorf("%s: %d children, %d bytes, %+v", path, kids[path], len(n.Data), n.Stat)
		}
	}
	for _, ses := range s.Sessions() {
		slices.Sort(owned[ses.ID])
		if fmt.Sprint(owned[ses.ID]) != fmt.Sprint(ses.Ephemerals) {
			t.Errorf("session %#x owns %q, lists %q", ses.ID, owned[ses.ID], ses.Ephemerals)
		}
		delete(owned, ses.ID)
	}
	if len(owned) > 0 {
		t.Errorf("ephemerals of sessions that are gone: %v", owned)
	}
}
