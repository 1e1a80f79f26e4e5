package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// A grave finding is told as it comes and as it goes, and stands out.
func TestTheLogTellsOfGraveFindings(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 140, 40)
	again := "/locks/nested/00000000000000000000000000000002__lock__0000000003"
	s.add("/locks/nested/00000000000000000000000000000001__lock__0000000001", sA, 0, "a").add("/locks/nested/00000000000000000000000000000002__lock__0000000002", sB, 0, "b")
	d.Sync().Press("5").SeeNot("phantom-claim")
	s.add(again, sB, 0, "b")
	d.Wait(time.Second).Sync().See("▲ phantom-claim: b is in line more than once")
	s.del(again)
	d.Wait(time.Second).Sync().See("phantom-claim cleared")
}

// A hand-over says who let go and who took it; that a holder was lost is told by itself.
func TestALostHolderIsNoHandOver(t *testing.T) {
	s := asked(town())
	s.servers = s.servers[:2]
	d := drive(t, s, 120, 32)
	for p, n := range s.nodes {
		if n.Owner == sB {
			s.del(p)
		}
	}
	d.Wait(20*time.Second).Sync().Press("5").See("batch-1 lost by expiry", "it is the turn of batch-2").SeeNot("batch-1 → batch-2")
}

// A holder that froze and whose session expired since the servers were asked is told as likely lost, and its history is
// marked; one that was heard a moment before hands over. Where it may have expired and may not, it is gone.
func TestAFrozenHolderIsNoHandOver(t *testing.T) {
	const lock = "/locks/batch/0000000000000000000000000000000"
	for name, x := range map[string]struct {
		heard, gone time.Duration // before and after the servers were asked
		want, no    string
		marked      bool
	}{
		"frozen":  {7 * time.Second, 4 * time.Second, "batch-7 lost, likely by expiry", "batch-7 →", true},
		"unclear": {7 * time.Second, 9 * time.Second, "batch-7 is gone → wait-1", "lost", false},
		"heard":   {2 * time.Second, 4 * time.Second, "batch-7 → wait-1", "lost", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage().add(lock+"1__lock__0000000001", sA, time.Minute, "batch-7").add(lock+"2__lock__0000000002", sB, time.Minute, "wait-1")
			s.servers = []znode.Server{{Addr: "zk1:2181", Mode: "leader", Tier: "4lw", Answered: true}}
			s.askedAt = noon
			session := func(id znode.SessionID, heard time.Duration) znode.Session {
				return znode.Session{ID: id, Timeout: 10 * time.Second, Connected: new(true), ExpiresAt: noon.Add(10*time.Second - heard), Within: time.Second}
			}
			s.sessions = map[znode.SessionID]znode.Session{sA: session(sA, x.heard), sB: session(sB, time.Second)}
			d := drive(t, s, 120, 32)
			d.Wait(x.gone)
			s.del(lock + "1__lock__0000000001")
			d.Sync().Wait(2*time.Second).Press("/").Type("batch").Press("enter", "5").See(x.want).SeeNot(x.no)
			d.Press("1", "H").See("history of /locks/batch", "batch-7")
			if lane := strings.Split(d.Text(), "\n")[d.lineOf(" ┃")]; strings.Contains(lane, "✗") != x.marked || !strings.Contains(lane, "batch-7") {
				t.Errorf("marked, want %v: %s", x.marked, lane)
			}
		})
	}
}
