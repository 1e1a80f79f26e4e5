package tui

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// A session without a name of its own goes by what its host is known as; its page tells both; and the filter finds it.
func TestSessionsAreShownWithTheNamesOfTheirHosts(t *testing.T) {
	s, yes := newStage(), true
	s.servers = []znode.Server{{Addr: "zk1:2181", Mode: "standalone", Tier: "4lw", Answered: true}}
	s.sessions = map[znode.SessionID]znode.Session{7: {ID: 7, Addr: "10.0.0.7:4711", Known: "pod-7f9c", Connected: &yes, Server: "zk1:2181", Timeout: 30 * time.Second}}
	s.add("/locks/a/lock-0000000001", 7, time.Minute, "")
	d := drive(t, s, 120, 30)
	d.Press("4").See("pod-7f9c", "10.0.0.7:4711")
	d.Press("enter").See("10.0.0.7:4711 (pod-7f9c)")
}
