package tui

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// What the members answered is as old as it is, and one that does not answer now is not told to answer.
func TestAnswersAreAsOldAsTheyAre(t *testing.T) {
	s, yes := calmTown(), true
	for _, addr := range []string{"zk1:2181", "zk2:2181", "zk3:2181"} {
		s.servers = append(s.servers, znode.Server{Addr: addr, Tier: "4lw", Answered: true})
	}
	s.sessions = map[znode.SessionID]znode.Session{sA: {ID: sA, Connected: &yes}, sB: {ID: sB, Connected: &yes}}
	s.askedAt = noon.Add(-time.Second)
	d := drive(t, s, 120, 32)
	d.See("on 3 of 3 servers").Press("6").See("3 of 3 answered, asked 1s ago").SeeNot("3 of 3 answer,")
	s.link.Silent = 5 * time.Second
	d.Wait(4*time.Second).See("3 of 3 answered, asked 5s ago", "zk2:2181 role unknown silent for 5s")
	d.Press("esc", "2").See("no problem found").Press("esc").See("zk2:2181: silent for 5s").SeeNot("on 3 of 3 servers")
	s.link.Silent = 0
	d.Wait(20*time.Second).See("nothing needs attention", "3 of 3 servers answered, asked 25s ago")
	s.askedAt = s.now.Add(-2 * time.Second)
	d.Sync().See("on 3 of 3 servers").SeeNot("asked 2s ago")
}
