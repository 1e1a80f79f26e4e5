package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// city is a stage with every kind of recipe.
func city() *stage {
	s := town()
	id := func(n int) string { return fmt.Sprintf("0a1b2c3d-0000-4000-8000-%012d", n) }
	s.add("/sem/uploads", 0, time.Hour, "3").add("/sem/uploads/leases", 0, time.Hour, "").add("/sem/uploads/locks", 0, time.Hour, "")
	for i, n := range []string{"up-1", "up-2"} {
		s.add(fmt.Sprintf("/sem/uploads/leases/_c_%s-lease-%010d", id(i), i), sA+znode.SessionID(i), time.Duration(90-i)*time.Second, n)
	}
	s.add("/barriers/release", 0, 12*time.Minute, "")
	for i := range 3 {
		s.add(fmt.Sprintf("/jobs/load/%s", id(i)), sA+znode.SessionID(i), time.Duration(50-i*7)*time.Second, "")
	}
	for i := range 5 {
		s.add(fmt.Sprintf("/queues/mail/queue-%010d", i+20), 0, time.Duration(300-i*40)*time.Second, "job")
	}
	for i, pri := range []string{"01", "01", "05"} {
		s.add(fmt.Sprintf("/queues/print/queue-%s%010d", pri, i), 0, time.Duration(60-i)*time.Second, "page")
	}
	s.add("/app/tx1", 0, 40*time.Second, "transfer 100")
	for i, v := range []string{"commit", "", "commit", "abort"} {
		s.add(fmt.Sprintf("/app/tx1/s_%d", i+1), sA+znode.SessionID(i), time.Duration(39-i)*time.Second, v)
	}
	for i, n := range []string{"web-1", "web-2", "web-3"} {
		s.add("/members/web/"+n, sA+znode.SessionID(i), time.Duration(100-i*40)*time.Minute, "")
	}
	s.add("/services", 0, time.Hour, "").add("/services/pay", 0, time.Hour, "")
	s.add("/services/pay/"+id(9), sB, time.Hour, `{"name":"pay","id":"`+id(9)+`","address":"10.0.0.9","port":8080,"serviceType":"DYNAMIC"}`)
	s.add("/config/limits", 0, 3*time.Hour, `{"rate": 100, "burst": 20, "tiers": ["a","b"]}`)
	s.add("/rendezvous/startup", 0, time.Minute, "")
	s.add("/counters/ids", 0, time.Hour, "1204")
	s.hints = hinted
	return s
}

// hinted are the paths that nothing but a hint tells of.
var hinted = model.Hints{Rules: []model.Hint{
	{Path: "/app/tx1", Kind: layout.TwoPhase}, {Path: "/jobs/load", Kind: layout.DoubleBarrier, Needed: 5}, {Path: "/counters/*", Kind: layout.Counter},
	{Path: "/sem/uploads", Kind: layout.Semaphore, Dialect: layout.Curator, Limit: 3}, {Path: "/queues/print", Kind: layout.PriorityQueue},
}}

func TestEveryKindHasItsPanel(t *testing.T) {
	for _, c := range []struct {
		path string
		kind layout.Kind
		see  []string
	}{
		{"/sem/uploads", layout.Semaphore, []string{"LEASE 2 SEQ SESSION HELD", "up-1 0000 0x10000a1b2c30001 ≤1m30s", "leases ██░ 2 of 3"}},
		{"/barriers/release", layout.Barrier, []string{"ZNODE SINCE", "release 12m", "gate", "closed  who waits leaves no znode"}},
		{"/jobs/load", layout.DoubleBarrier, []string{"IN SINCE", "0x10000a1b2c30001 50s", "gathering → inside → leaving", "3 of 5", "MISSING 2, names not known", "NEEDED 5 as configured"}},
		{"/queues/mail", layout.Queue, []string{"5 items", "# AGE SIZE DATA", "1 5m 3 B job", "5 2m20s 3 B job"}},
		{"/queues/print", layout.PriorityQueue, []string{"# PRIO AGE SIZE DATA", "3 5 58s 4 B page", "priority", "1: 2", "5: 1"}},
		{"/app/tx1", layout.TwoPhase, []string{"SITE VOTE SESSION FOR", "s_1 ✓ commit", "s_2 ? no vote", "s_4 ✗ abort"}},
		{"/members/web", layout.Membership, []string{"MEMBER SESSION SINCE", "web-1 0x10000a1b2c30001 1h40m", "came", "first 1h40m ago, last 20m ago"}},
		{"/services/pay", layout.Service, []string{"INSTANCE", "10.0.0.9"}},
		{"/config/limits", layout.Config, []string{"value", `"rate": 100,`}},
		{"/rendezvous/startup", layout.Rendezvous, []string{"nobody has filled it"}},
		{"/counters/ids", layout.Counter, []string{"stands at 1204"}},
		{"/rw/catalog", layout.SharedLock, []string{"HOLDER 2 MODE SEQ HELD", "reader-1 read 0001 ≤9s", "LINE 2 MODE SEQ WAITED WATCHES", "3 writer-1 write 0003 4s 0002+1 ?",
			"write - ◂ 3 writer-1", "read 1 reader-1 2 reader-2 ◂ 4 reader-3"}},
		{"/election/scheduler", layout.Election, []string{"LEADER SEQ HELD", "sched-1 0000 ≤6d", "STANDBY 2 SEQ FOR WATCHES", "2 sched-2 0001 5d 0000 ?"}},
		{"/locks/orders", layout.Lock, []string{"HOLDER SEQ HELD", "web-1 0004 ≤3m12s", "LINE 3 SEQ WAITED WATCHES", "4 job-9 0007 12s 0006 ?"}},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			d := drive(t, city(), 140, 40)
			d.Press("/").Type(c.path).Press("enter")
			if m := d.app.desk.Model(); m == nil || m.Path != c.path || m.Kind != c.kind {
				t.Fatalf("shown: %+v\n%s", m, d.Text())
			}
			d.See(c.see...)
		})
	}
}

// Members of kazoo's that came when ready was there are not counted among those inside.
func TestWhoMayBeOutsideIsNotShownInside(t *testing.T) {
	s := newStage()
	s.add("/jobs/barrier/ready", 0, time.Hour, "")
	for i, id := range []string{strings.Repeat("1", 32), strings.Repeat("2", 32)} {
		s.add("/jobs/barrier/"+id, sA+znode.SessionID(i), time.Minute, fmt.Sprintf("host-%d-4711", i))
	}
	d := drive(t, s, 160, 40)
	d.See("2 there, inside or not", "phase 2 of 2 inside or not, which is not known")
	d.Press("2").See("inside 0", "not known 1")
}

func TestAQueueShowsWhichWayItGoes(t *testing.T) {
	s := newStage()
	for i := range 4 {
		s.add(fmt.Sprintf("/queues/mail/queue-%010d", i), 0, time.Minute, "job")
	}
	d := drive(t, s, 160, 40)
	for i := range 6 {
		s.add(fmt.Sprintf("/queues/mail/queue-%010d", i+10), 0, 0, "job")
		d.Wait(6 * time.Second).Sync()
	}
	d.See("10 now, up 6 in the last 36s", "▃")
}

func TestEveryPanelAtEverySize(t *testing.T) {
	for _, path := range []string{"/locks/orders", "/rw/catalog", "/election/scheduler", "/sem/uploads", "/barriers/release", "/jobs/load", "/queues/mail",
		"/queues/print", "/app/tx1", "/members/web", "/services/pay", "/config/limits", "/rendezvous/startup", "/counters/ids"} {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
			for name, theme := range map[string]paint.Theme{"colour": paint.New(term.Unicode(), termenv.ANSI), "ascii": paint.New(term.ASCII(), termenv.Ascii)} {
				d := driveTheme(t, asked(city()), size[0], size[1], theme)
				d.Press("/").Type(path).Press("enter", "enter")
				squared(t, d.app.View(), size[0], size[1])
				golden(t, fmt.Sprintf("panels/%s-%dx%d-%s", strings.ReplaceAll(path[1:], "/", "-"), size[0], size[1], name), strings.ReplaceAll(d.app.View(), "\x1b", "^"))
			}
		}
	}
}

// Sites whose vote is missing stand last, and the first of them is selected: what it waits for is a key away.
func TestMissingVotesStandLast(t *testing.T) {
	s := newStage()
	for i, vote := range []string{"", "commit", "", "commit"} {
		s.add(fmt.Sprintf("/app/tx1/s_%d", i+1), znode.SessionID(0x700+i), time.Minute, vote)
	}
	s.hints.Rules = []model.Hint{{Path: "/app/tx1", Kind: layout.TwoPhase}}
	d := drive(t, s, 120, 40)
	d.Press("j")
	at := -1
	for _, site := range []string{" s_2 ", " s_4 ", "▸  s_1 ", " s_3 "} {
		i := strings.Index(d.Text(), site)
		if i <= at {
			t.Fatalf("%q is not in its place\n%s", site, d.Text())
		}
		at = i
	}
	s.set("/app/tx1/s_1", "abort")
	d.Sync().See("▸ s_1 ✗ abort")
}
