package tui

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/chart"
)

// turns is a lock that changes hands: each owner has it for so many seconds, the next one waits meanwhile.
type turns struct {
	*driver
	kind string // of the claims' names
	next int
}

func (s *turns) node(i int) string {
	return fmt.Sprintf("/run/%ss/hot/%s%s-%010d", s.kind, curator("1"), s.kind, i)
}

// join lets an owner stand in line.
func (s *turns) join(owner string) {
	s.stage.add(s.node(s.next), znode.SessionID(0x10000+s.next), 0, owner)
	s.next++
}

// first lets whoever is first go, after a while.
func (s *turns) first(after time.Duration) {
	s.Wait(after).Sync()
	for i := range s.next {
		if _, there := s.stage.nodes[s.node(i)]; there {
			s.stage.del(s.node(i))
			break
		}
	}
	s.Sync()
}

// changing is a console that watched a line of a kind from before its first claim.
func changing(t *testing.T, kind string, w, h int) *turns {
	s := newStage()
	s.add("/other/"+curator("9")+"lock-0000000001", sD, time.Hour, "other")
	d := drive(t, s, w, h)
	return &turns{driver: d, kind: kind}
}

func (s *turns) look() *turns {
	s.t.Helper()
	s.Press("/").Type("hot").Press("enter", "esc")
	return s
}

func TestALocksPicturesTellWhoHadItWhen(t *testing.T) {
	s := changing(t, "lock", 200, 60)
	s.Wait(2 * time.Second)
	s.join("web-1")
	s.Sync().Wait(2 * time.Second)
	s.join("web-2")
	s.Sync()
	s.first(2 * time.Second) // web-1 held for 4s, web-2 waited for 2s
	s.first(3 * time.Second) // web-2 held for 3s
	s.Wait(2 * time.Second)
	s.join("web-1")
	s.Sync().Wait(3 * time.Second)
	s.look().See("holder ··a━━━b━━··a━━━", "waiting ····██········· max 1", "12:00:00 1 cell = 1s", "hold p50 3.0s p95 4.0s max 4.0s (n=2)", "wait p50 2.0s p95 2.0s max 2.0s (n=1)",
		"RECENT OWNERS HELD WAITED UNTIL", "a web-1 3.0s - now", "b web-2 3.0s 2.0s 12:00:09", "a web-1 4.0s - 12:00:06", "a web-1 0002")
}

// What happened while there was no connection is drawn as not seen, and nothing that began or ended then counts as measured.
func TestAGapIsDrawnAsNotSeen(t *testing.T) {
	s := changing(t, "lock", 200, 60)
	s.join("web-1")
	s.Sync().Wait(5 * time.Second).Sync()
	s.stage.lost = s.stage.now
	s.Sync().Wait(10 * time.Second)
	s.stage.gap = znode.Gap{From: s.stage.lost, To: s.stage.now}
	s.stage.lost = time.Time{}
	s.stage.del(s.node(0))
	s.join("web-2")
	s.Sync().Wait(5 * time.Second).Sync()
	s.look().See("holder a━━━━░░░░░░░░░░b━━━━", "░ not seen", "b web-2 ≥5.0s ? now", "a web-1 ≤15s - 12:00:15").SeeNot("hold p50")
}

// A lock that changes hands all the time is told by rate and shares. Who went is no row, and the age of whoever holds moves
// once a second at most.
func TestAHotLockIsSummedUp(t *testing.T) {
	s := changing(t, "lock", 200, 60)
	for i := range 4 {
		s.join(fmt.Sprint("app-", i%2))
	}
	s.Sync().Wait(time.Second).Sync()
	s.look()
	for i := range 60 {
		s.join(fmt.Sprint("app-", i%2))
		s.first(250 * time.Millisecond)
	}
	s.See("rate ≥3.8/s hand-overs, last 16s", "short holds between two looks are missed", "OWNERS, LAST 16s HOLDS SHARE p50 p95", "a app-0", "30 49% 0.2s 0.2s", "hold p50 0.2s", "LINE 3").SeeNot("RECENT OWNERS", "0s ago")
	ages := map[string]bool{}
	for range 10 {
		s.join("app-0")
		s.first(100 * time.Millisecond)
		for _, l := range strings.Split(s.Text(), "\n") {
			if i := strings.Index(l, "│"); i >= 0 && strings.Contains(l[i:], " 0x1") && !strings.Contains(l[i:], "?") {
				f := strings.Fields(l[i:])
				ages[f[len(f)-2]] = true
			}
		}
	}
	if len(ages) > 2 {
		t.Errorf("within a second the age of the holder was %v", ages)
	}
}

func TestAnElectionsTermsAreTold(t *testing.T) {
	s := changing(t, "latch", 200, 60)
	s.join("sched-1")
	s.Sync()
	s.first(4 * time.Second)
	s.Wait(3 * time.Second)
	s.join("sched-2")
	s.Sync().Wait(5 * time.Second)
	s.look().See("leader a━━━···b━━━━", "TERMS LED VACANT ELECTED", "b sched-2 5.0s - 12:00:07", "a sched-1 4.0s 3.0s 12:00:00", "LEADER SEQ", "led p50 4.0s").SeeNot("ENDED BY") // nobody told how
	s = changing(t, "latch", 200, 60)
	s.join("sched-1")
	s.join("sched-2")
	s.Sync()
	s.first(6 * time.Second)
	s.look().See("TERMS LED ELECTED", "b sched-2 0.0s 12:00:06", "a sched-1 6.0s 12:00:00").SeeNot("VACANT") // it never was
}

// How a leader's term ended is told where the servers tell of its session, and left blank where they do not.
func TestHowATermEndedIsTold(t *testing.T) {
	s := changing(t, "latch", 200, 60)
	yes := true
	live := map[znode.SessionID]znode.Session{}
	for i := range 4 {
		live[znode.SessionID(0x10000+i)] = znode.Session{ID: znode.SessionID(0x10000 + i), Connected: &yes, Timeout: 30 * time.Second}
	}
	s.stage.sessions = maps.Clone(live)
	s.stage.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	for i := range 4 {
		s.join(fmt.Sprintf("sched-%d", i+1))
	}
	s.Sync()
	s.first(4 * time.Second) // its session goes on
	s.stage.sessions = nil   // from here on nobody tells
	s.first(3 * time.Second)
	s.look().See("TERMS LED ELECTED ENDED BY", "c sched-3 0.0s 12:00:07", "b sched-2 3.0s 12:00:04 ", "a sched-1 4.0s 12:00:00 let go").SeeNot("session ended")
}

func TestReadersAndWritersHaveLanes(t *testing.T) {
	s := town()
	d := drive(t, s, 200, 60)
	r := "/rw/catalog/0a1b2c3d-0000-4000-8000-00000000000"
	d.Wait(6 * time.Second)
	s.del(r + "1-read-0000000001").del(r + "2-read-0000000002")
	d.Sync().Wait(4 * time.Second)
	d.Press("/").Type("catalog").Press("enter", "esc").See("inside r━━━━━W━━━", "write 1 writer-1", "read - ◂ 2 reader-3", "W writer-1 4.0s 10s now", "▸ W writer-1 write 0003", "waiting ██████▄▄▄▄▄ max 2")
}

// Who was in a barrier and left while it filled is known to be missing; of others no name is made up.
func TestWhoIsMissingIsNamedWhereThatWasSeen(t *testing.T) {
	s := city()
	d := drive(t, s, 140, 40)
	d.Press("/").Type("jobs/load").Press("enter", "esc").See("MISSING 2, names not known")
	s.del("/jobs/load/0a1b2c3d-0000-4000-8000-000000000000")
	d.Wait(7*time.Second).Sync().See("MISSING 3 0x10000a1b2c30001, left at 12:00:07", "2 of 5")
	s.add("/jobs/load/0a1b2c3d-0000-4000-8000-000000000000", sA, 0, "")
	d.Wait(time.Second).Sync().See("MISSING 2, names not known", "3 of 5")
}

func TestAnItemShowsTheFirstWordsOfItsData(t *testing.T) {
	s := newStage()
	for i, data := range []string{"{\"to\":\n  \"o.ruiz\"}", "\x78\x9c\xed\x00", "", "red \x1b[2J\u202e", strings.Repeat("é", 5000)} {
		s.add(fmt.Sprintf("/queues/mail/queue-%010d", i), 0, time.Duration(400-i*100)*time.Second, data)
	}
	drive(t, s, 120, 40).See("# AGE SIZE DATA", `1 6m40s 18 B {"to": "o.ruiz"}`, "2 5m 4 B (binary) 78 9c ed 00", "3 3m20s 0 B empty", `4 1m40s 11 B red \x1b[2J\u202e`, "5 0s 10.0 kB éééé").SeeNot("..0000")
	for i := range 1200 {
		s.add(fmt.Sprintf("/queues/mail/queue-%010d", i+5), 0, time.Duration(1200-i)*time.Second, "job")
	}
	drive(t, s, 120, 40).See("1205 1s 3 B job", "more", "0-1m", "1m-5m", "5m-15m", "5m-15m █████████████████████████ 602")
}

// Two claims of one name are told apart by their ports, else by the ends of their sessions' ids; claims of one session are
// not.
func TestClaimsOfOneNameAreToldApart(t *testing.T) {
	s := newStage()
	for i, id := range []znode.SessionID{sA, sB, sB, sC} {
		s.add(fmt.Sprintf("/locks/a/%slock-%010d", curator(fmt.Sprint(i+1)), i), id, time.Minute, []string{"app-4", "app-4", "app-4", "app-5"}[i])
	}
	drive(t, s, 120, 40).See("app-4 …0001", "2 app-4 …0002", "3 app-4 …0002", "4 app-5 0003")
	yes := true
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	s.sessions = map[znode.SessionID]znode.Session{sA: {ID: sA, Addr: "10.0.0.7:4711", Server: "zk1:2181", Connected: &yes}, sB: {ID: sB, Addr: "10.0.0.8:4712", Server: "zk1:2181", Connected: &yes}}
	drive(t, s, 140, 40).See("app-4:4711", "2 app-4:4712", "✓ zk1")
}

// However low or narrow the panel is, the holder and the first three who wait are in it, and the gravest finding's first
// words; nothing is drawn beyond it.
func TestTheHolderAndTheFirstWaitersNeverGiveWay(t *testing.T) {
	s := newStage()
	for i := range 12 {
		s.add(fmt.Sprintf("/locks/long/%slock-%010d", curator(fmt.Sprint(i+1)), i), znode.SessionID(0x10000a1b2c30001+i%2*16), time.Minute, fmt.Sprint("app-", i))
	}
	no := false
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	s.sessions = map[znode.SessionID]znode.Session{0x10000a1b2c30001: {ID: 0x10000a1b2c30001, Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(time.Minute)}}
	d := drive(t, s, 200, 60)
	d.Press("/").Type("locks/long").Press("enter", "esc")
	d.Wait(20 * time.Second).Sync()
	everywhere(t, d, "app-0 ", "2 app-1 ", "3 app-2 ", "4 app-3 ", "▲ 6 owners", " w why")
	s.del(fmt.Sprintf("/locks/long/%slock-%010d", curator("1"), 0))
	d.Wait(time.Second).Sync()
	everywhere(t, d, "- app-0 ", "app-1 ", "2 app-2 ", "3 app-3 ", "4 app-4 ", "▲ no server has", " w why")
}

// everywhere fails unless texts are in the panel of the selected recipe at every size.
func everywhere(t *testing.T, d *driver, see ...string) {
	t.Helper()
	m := d.app.desk.Model()
	for w := 46; w <= 84; w++ {
		for h := 6; h <= 40; h++ {
			for _, focus := range []bool{false, true} {
				pen := chart.Pen{Theme: &d.app.shown.Theme, Model: m, Now: d.app.shown.AsOf(), W: w, H: h, Past: d.app.shown.Past.Of(m.Path), WhyKey: "w", Spanning: d.app.shown.SpanningOf(m)}
				lines := d.app.desk.Claims.Lines(d.app.shown.Panel(m.Kind), pen, focus, func(model.ClaimID) bool { return false })
				text := ""
				for _, l := range lines {
					for _, s := range l {
						text += s.Text
					}
					text += " \n"
				}
				for _, s := range see {
					if !strings.Contains(collapsed(text)+" ", collapsed(s)) {
						t.Fatalf("%d×%d, focus %v: no %q\n%s", w, h, focus, s, text)
					}
				}
				if len(lines) > h {
					t.Fatalf("%d×%d, focus %v: %d lines\n%s", w, h, focus, len(lines), text)
				}
			}
		}
	}
}

// While the console is paused nothing that happens meanwhile is drawn or counted.
func TestPicturesHoldStillWhilePaused(t *testing.T) {
	s := changing(t, "lock", 200, 60)
	for i := range 3 {
		s.join(fmt.Sprint("web-", i))
	}
	s.Sync()
	s.first(6 * time.Second)
	s.Wait(2 * time.Second)
	s.look()
	body := func() string {
		var out []string
		for _, l := range strings.Split(s.Text(), "\n") {
			if _, panel, beside := strings.Cut(l, "│"); beside {
				out = append(out, panel)
			}
		}
		return strings.Join(out, "\n")
	}
	s.Press("p")
	before := body()
	s.first(3 * time.Second)
	s.join("late")
	s.first(3 * time.Second)
	if now := body(); now != before {
		t.Errorf("was\n%s\nis\n%s", before, now)
	}
	s.Press("p").See("n=3", "c web-2 3.0s")
}
