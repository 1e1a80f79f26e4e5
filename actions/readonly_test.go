package actions

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// TestAServerThatLosesItsQuorumIsNotWrittenTo: the Actor's session is not served, and nothing is offered on what a
// read-only server shows.
func TestAServerThatLosesItsQuorumIsNotWrittenTo(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Fresh = 500 * time.Millisecond })
	path := r.contend("web-1", "web-2")[0]
	p := r.plan(VerbBreak, path)
	r.writes()
	r.server.SetReadOnly(true)
	r.want(r.apply(p), Refused, "has lost its quorum", "takes no writes", "plan this old")
	if w := r.writes(); len(w) != 0 {
		t.Fatalf("writes were sent: %v", w)
	}
	s := r.scene(path)
	s.Result.Snapshot.Servers = []znode.Server{{Addr: "zk1:2181", Mode: "read-only", Answered: true}, {Addr: "zk2:2181"}}
	for _, o := range Offers(s) {
		if !strings.Contains(o.Disabled, "lost their quorum") && !strings.Contains(o.Disabled, "listen") {
			t.Errorf("%s: %q", o.Verb, o.Disabled)
		}
	}
	s.Result.Snapshot.Servers[1] = znode.Server{Addr: "zk2:2181", Mode: "leader", Answered: true}
	if o, _ := Find(s, VerbBreak); o.Disabled != "" {
		t.Errorf("one of them leads: %s", o.Disabled)
	}
}

func TestZooKeepersOwnZnodesAreLeftAlone(t *testing.T) {
	r := newRig(t, nil)
	r.writes()
	for _, path := range []string{"/zookeeper", "/zookeeper/config"} {
		r.want(r.apply(Plan{Verb: VerbSet, Op: Write, Target: Target{Path: path}}), Refused, path+" belongs to ZooKeeper itself")
	}
	if w := r.writes(); len(w) != 0 {
		t.Fatalf("writes were sent: %v", w)
	}
	if why := Reserved("/prod", "/zookeeper/config"); why != "" {
		t.Errorf("below a chroot: %s", why)
	}
	if why := Reserved("", "/zookeeperish"); why != "" {
		t.Error(why)
	}
}
