package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// What ended without a connection is told as such, and how long it took is no figure among those that were seen.
func TestAGapStaysAGap(t *testing.T) {
	s := newStage()
	lock := func(i int) string { return fmt.Sprintf("/locks/a/lock-%010d", i) }
	for i := range 4 {
		s.add(lock(i+1), znode.SessionID(i+1), time.Minute, fmt.Sprintf("web-%d", i+1))
	}
	d := drive(t, s, 160, 40)
	s.now = s.now.Add(10 * time.Second)
	s.del(lock(1))
	d.Sync() // web-1 is gone; web-2 acquired after 70 s, which is seen
	s.lost, s.link.Server = s.now, ""
	d.Sync().Wait(25 * time.Second)
	s.gap, s.lost, s.link.Server = znode.Gap{From: s.lost, To: s.now}, time.Time{}, "zk1:2181"
	s.del(lock(2))
	s.link.Happened = []story.Event{{At: s.now, Path: "/", What: "reconnected", Text: "connected to zk1:2181, no longer to zk2:2181, as session 0x7"}}
	s.link.Count = 1
	d.Sync().Sync().Press("5").See("between 12:00:10 and 12:00:35 (not seen): web-2 is gone, held at most 25s", "≤1m3",
		"between 12:00:10 and 12:00:35 (not seen): no connection: what came and went is ",
		"connected to zk1:2181, no longer to zk2:2181, as session 0x7", "the connection is lost")
	d.Press("esc", "e").See("waited  p50 1m10s", "1 more ended without a connection: how long they took is not counted",
		"held    not once seen from beginning to end yet; 1 more ended without a connection")
	if n := len(d.app.shown.Log.Events); d.app.shown.Heard != 1 || n != 7 {
		t.Errorf("%d events, %d of the link", n, d.app.shown.Heard)
	}
}

func TestTheAgeOfWhatIsShownIsSaid(t *testing.T) {
	s := town()
	d := drive(t, s, 160, 40)
	s.link.Delay, s.link.Old = 4*time.Second, 8*time.Second
	d.Sync().See("answers take 4s, data up to 9s old") // the link was looked at up to a second ago
	s.link.Delay, s.link.Old = 1200*time.Millisecond, 3100*time.Millisecond
	d.Sync().See("answers take 1s, data up to 5s old")
	s.link.Delay, s.link.Late, s.lost = 0, true, s.now
	d.Sync().Wait(12 * time.Second).See("zk2:2181 HAS ANSWERED NO READ for 12s, data as of 12:00:00").SeeNot("DISCONNECTED")
}
