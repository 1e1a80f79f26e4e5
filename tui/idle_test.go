package tui

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/picture"
)

// News of sessions alone leave the rows as they are: an idle console does not lay out a hundred thousand of them anew every
// few seconds.
func TestNewsOfSessionsAloneKeepTheRows(t *testing.T) {
	s, yes := newStage(), true
	told := func(expires time.Duration) {
		s.servers = []znode.Server{{Addr: "zk1:2181", Mode: "standalone", Tier: "4lw", Answered: true}}
		s.sessions = map[znode.SessionID]znode.Session{7: {ID: 7, Addr: "10.0.0.7:4711", Connected: &yes, Timeout: 30 * time.Second, ExpiresAt: s.now.Add(expires)}}
	}
	told(30 * time.Second)
	s.add("/locks/a/lock-0000000001", 7, time.Minute, "web-1")
	d := drive(t, s, 120, 30)
	rows, first := d.app.desk.List.Rows(), *d.app.shown.Result.Snapshot
	s.now = s.now.Add(5 * time.Second)
	told(30 * time.Second)
	first.Sessions, first.TakenAt = s.sessions, s.now // of the same tree
	m := picture.Decode(s, d.app.opts.Hints, d.app.shown.LiveWaits, &first, s.link)
	d.app.Update(m)
	d.See("/locks/a", "web-1")
	if len(rows) == 0 || &rows[0] != &d.app.desk.List.Rows()[0] || !d.app.shown.Result.Snapshot.Sessions[7].ExpiresAt.Equal(noon.Add(35*time.Second)) {
		t.Errorf("%d rows before, %d now; %v", len(rows), len(d.app.desk.List.Rows()), d.app.shown.Result.Snapshot.Sessions)
	}
	s.add("/locks/b/lock-0000000001", 7, time.Minute, "web-2")
	d.Sync().See("/locks/a", "/locks/b", "web-2", "2 recipes")
}
