package ensemble

import (
	"testing"
	"time"
)

// A client that went from one member to another is still listed by the first for a while: its newest connection counts,
// in whatever order the members are asked.
func TestTheNewestConnectionOfASessionCounts(t *testing.T) {
	at := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	old := &door{addr: "zk1:2181", answers: answers{hasConns: true, conns: []connection{{session: 1, addr: "10.0.0.7:1", since: at.Add(-time.Hour)}}}}
	now := &door{addr: "zk2:2181", answers: answers{hasConns: true, conns: []connection{{session: 1, addr: "10.0.0.7:2", since: at.Add(-time.Second)}}}}
	for _, doors := range [][]*door{{old, now}, {now, old}} {
		e, p := &Ensemble{doors: doors}, &Picture{At: at}
		e.mergeConnections(p)
		if s := p.Sessions[1]; s.Server != "zk2:2181" || s.Addr != "10.0.0.7:2" {
			t.Errorf("%+v", s)
		}
	}
}
