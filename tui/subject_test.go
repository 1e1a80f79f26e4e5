package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/picture"
)

func TestAKeyOnADeadlockBreaksTheSuggestedClaimInEveryView(t *testing.T) {
	s := asked(newStage())
	open := map[string][]string{"recipes": nil, "overview": {"2"}, "waits": {"3"}}
	for name, keys := range open {
		d := drive(t, s, 140, 40)
		d.Press("g").Press(keys...)
		if len(d.app.shown.Waits.Cycles) != 1 {
			t.Fatal("the stage has no deadlock")
		}
		c := &d.app.shown.Waits.Cycles[0]
		want := c.Breaks[c.Victim]
		if name == "overview" {
			for range 20 {
				if it := d.app.pageItem(); it != nil && it.Finding != nil && it.Finding.Code == model.CodeDeadlock {
					break
				}
				d.Press("j")
			}
		}
		d.Press("b")
		if p := d.app.box(); p == nil || p.Plan.Target.Path != want.Claim.Path() || !strings.Contains(p.Title, want.Claim.Owner()) || !strings.Contains(p.Title, want.Path) {
			t.Errorf("%s: b is about %+v, want %s\n%s", name, p, want.Claim.Path(), d.Text())
		}
	}
}

// lost is a lock in which the second of two waiters has no watch.
func lost() *stage {
	s := asked(newStage())
	s.log, s.done = nil, nil
	for i, who := range []znode.SessionID{sA, sB, sC} {
		s.add(fmt.Sprintf("/locks/orders/%slock-%010d", curator(fmt.Sprint(i+1)), i+1), who, time.Minute, fmt.Sprintf("web-%d", i+1))
	}
	yes := true
	for _, id := range []znode.SessionID{sB, sC} {
		s.sessions[id] = znode.Session{ID: id, Timeout: 30 * time.Second, Server: "zk1:2181", Connected: &yes}
	}
	for i := range s.servers {
		s.servers[i].Answered, s.servers[i].Tier = true, "admin"
	}
	s.watch = map[string][]znode.SessionID{"/locks/orders/" + curator("1") + "lock-0000000001": {sB}}
	for _, l := range []string{"a", "b"} {
		s.del("/locks/" + l + "/" + curator("7") + "lock-0000000000").del("/locks/" + l + "/" + curator("8") + "lock-0000000001")
	}
	return s
}

func TestAKeyOnALostWaiterActsOnThatWaiter(t *testing.T) {
	for name, keys := range map[string][]string{"recipes": nil, "overview": {"2"}, "waits": {"3"}} {
		d := drive(t, lost(), 140, 40)
		d.Sync().Press("g").Press(keys...)
		if name != "recipes" {
			d.Press("/").Type("lost").Press("enter")
			if name == "waits" {
				d.Press("esc", "g")
			}
		} else {
			d.See("lost-waiter")
		}
		d.Press("b").See("break the claim of web-3 on /locks/orders")
	}
}

func TestSeveralNamedClaimsAreAskedFor(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("orders").Press("enter", "esc", "b").See("break: which of these?", "1  web-1 (0004), HOLD of /locks/orders", "2  web-1 (0005), wait of /locks/orders")
	d.Press("2").See("break the claim of web-1")
	if got := d.app.box().Plan.Target.Path; !strings.HasSuffix(got, "lock-0000000005") {
		t.Error(got)
	}
}

func TestAFindingThatEndsKeepsTheSelection(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.Press("esc", "g").See("▸▲ phantom-claim")
	s.del("/locks/orders/" + curator("1") + "lock-0000000005")
	d.Sync().See("▸▲-phantom-claim", "/locks/orders", "cleared", "cleared at 12:00:00: web-1 holds and also")
	for _, k := range []string{"b", "r", "a", " "} {
		d.Press(k).See("phantom-claim of /locks/orders has cleared: select something that is there").SeeNot("only if")
	}
	d.Wait(time.Minute).Sync().See("▸▲-phantom-claim").Press("j").Sync()
	if m := d.app.desk.Model(); m == nil {
		t.Error("the selection does not move on")
	}
	d.Wait(time.Second).SeeNot("-phantom-claim")
}

func TestAFindingThatComesDoesNotMoveTheCursor(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 120, 40)
	was := d.app.desk.List.Selected()
	phantom(s)
	d.Sync().See("phantom-claim")
	if d.app.desk.List.Selected() != was {
		t.Errorf("the cursor went from %v to %v", was, d.app.desk.List.Selected())
	}
}

func TestALineOfAPageStaysSelectedWhenItGoes(t *testing.T) {
	s := asked(town())
	d := drive(t, s, 140, 40)
	d.Press("3", "G")
	for range 10 {
		if it := d.app.pageItem(); it != nil && strings.HasPrefix(it.ID, "wait") && strings.Contains(it.ID, "lock-0000000007") {
			break
		}
		d.Press("k")
	}
	before := d.app.pageItem().ID
	s.del("/locks/orders/" + strings.Replace(curator("1"), "0001-", "0004-", 1) + "lock-0000000007")
	d.Sync()
	if it := d.app.pageItem(); it == nil || it.ID != before || !d.app.page().Lost() {
		t.Fatalf("selected %+v\n%s", it, d.Text())
	}
	d.Press("b").See("the selected line is gone: select something that is there").SeeNot("only if")
	d.Wait(time.Minute).Sync()
	if it := d.app.pageItem(); it == nil || !d.app.page().Lost() {
		t.Error("it faded under the cursor")
	}
	d.Press("k")
	if it := d.app.pageItem(); it == nil || d.app.page().Lost() {
		t.Error("the cursor does not leave it")
	}
}

// A wait behind two roots stands below each of them: each line is one to select.
func TestEachWaitIsALineOfItsOwn(t *testing.T) {
	d := drive(t, asked(town()), 140, 40)
	d.Press("3", "g")
	seen, last := map[string]bool{}, ""
	for range 40 {
		it := d.app.pageItem()
		if it == nil || it.ID == last {
			break
		}
		if seen[it.ID] {
			t.Fatalf("two lines are %s\n%s", it.ID, d.Text())
		}
		seen[it.ID], last = true, it.ID
		d.Press("j")
	}
	if len(seen) < 10 {
		t.Errorf("%d lines", len(seen))
	}
}

func TestAMarkThatVanishesIsSaid(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.Press("enter", " ", " ")
	if len(d.app.hand.Marks) != 2 {
		t.Fatal(d.app.hand.Marks)
	}
	s.del(firstOrder)
	d.Sync().See("web-1 in /locks/orders, marked, is gone; 1 mark is left")
}

func TestKeysTypedAheadOfADialogAreRefusedVisibly(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "esc")
	_, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("bxyz")})
	d.run(cmd)
	d.See("3 keys were pressed before this could be read, and not taken: press again")
	d.Press("esc", "b").Hammer("tab", "enter").See("2 keys were pressed before this could be read")
	d.Wait(time.Second).Press("tab").SeeNot("could be read")
}

func TestKeysThatComeTogetherAreAllTaken(t *testing.T) {
	d := drive(t, town(), 120, 40)
	_, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("8?")}) // the first one has a command
	d.run(cmd)
	if layer.Top[*layer.Sheet](&d.app.stack) == nil {
		t.Error("the second key was dropped")
	}
}

func TestEventsOfWhatIsFilteredCanBeSeenAlone(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.Press("/").Type("nightly").Press("enter").See("Events with nightly")
	s.del(firstOrder).del("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000002-lock-0000000012")
	d.Sync().See("batch-2 left the line").SeeNot("web-1 is gone → web-1")
	d.Press("5").See("events with nightly, as the recipes are filtered", "batch-2 left").SeeNot("web-1 is gone")
	d.Press("1", "/", "esc").See("web-1 is gone → web-1", "─ Events ─")
}

func TestOneFindingDoesNotHideAnother(t *testing.T) {
	s := lost()
	d := drive(t, s, 140, 40)
	d.Sync().Press("g").See("lost-waiter")
	no := false
	s.sessions[sA] = znode.Session{ID: sA, Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(20 * time.Second)}
	d.Wait(time.Second).Sync().See("lost-waiter", "owner-disconnected 0s orders").SeeNot("-lost-waiter", "cleared")
}

func TestALineOfThePastActsOnNobody(t *testing.T) {
	s := town()
	d := drive(t, s, 140, 40)
	d.app.shown.Overtakes = []picture.Overtake{{At: noon, Path: "/locks/orders", Text: "web-9 got /locks/orders before web-3, who waited longer"}}
	d.Press("3", "/").Type("longer").Press("enter").See("▸12:00:00 web-9 got").Press("b").See("nothing is selected that could be acted on").SeeNot("only if")
}

func TestAKeyOnAPageActsOnTheClaimThatThePageNames(t *testing.T) {
	d := drive(t, lost(), 140, 40)
	d.Sync().Press("g", "w").See("why: /locks/orders", "keys act on", "web-3 (0003), wait of /locks/orders")
	d.app.desk.List.Move(1, 10) // whatever moved it
	d.Press("b").See("break the claim of web-3 on /locks/orders").Press("ctrl+g").See("lock-0000000003")
	d.Press("esc", "enter", "G", "w").See("keys act on", "web-3 (0003), wait of /locks/orders").Press("esc", "g", "w")
	d.See("keys act on", "web-1 (0001), HOLD of /locks/orders").Press("a").See("act on web-1")
}

func TestAPageThatNamesSeveralAsksWhich(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.Press("g", "w").See("why: /locks/orders", "keys ask which of", "web-1 (0004), HOLD", "web-1 (0005), wait")
	d.Press("a").See("act: which of these?").Press("2").See("act on web-1").Press("b").See("break the claim of web-1").Press("ctrl+g").See("lock-0000000005")
	d.Press("esc", "w", "r").See("revoke").SeeNot("which of these?") // only one of them can be asked
}

func TestAPageIsNotAboutWhatIsMarked(t *testing.T) {
	d := drive(t, lost(), 140, 40)
	d.Sync().Press("G", "enter", "g", " ", "esc", "g", "w", "b").See("break the claim of web-3 on /locks/orders")
	d.Press("esc", "w", "a", "b").See("break the claim of web-3 on /locks/orders")
}

func TestALowDeadlockAsksWhichClaimIsMeant(t *testing.T) {
	for name, keys := range map[string][]string{"recipes": {"g"}, "overview": {"2", "g"}} {
		for _, page := range []string{"", "w"} {
			_, d, work := stuckPair(t)
			if d.Press(keys...); name == "overview" {
				d.See("deadlock")
			}
			if work(); page != "" {
				d.Press(page).See("keys ask which of")
			}
			d.Press("b").See("break: which of these?", "pair-a (0000), HOLD of /locks/a", "pair-b (0000), HOLD of /locks/b")
			d.Press("2").See("break the claim of pair-")
		}
	}
}

func TestTheHelpActsOnNothing(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("?", "b").See("HERE AND NOW").Press("esc").SeeNot("break:", "only if")
}

func TestAPageAboutAClaimThatIsGoneActsOnWhatItAdvisesOnly(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.Press("enter", "j")
	s.del("/locks/orders/" + curator("1") + "lock-0000000005")
	d.Sync().See("▸- web-1 0005").Press("w").See("why: /locks/orders", "keys act on", "web-1 (0004), HOLD of /locks/orders")
	d.Press("r").See("/locks/orders has changed or gone since you read about it: nothing was done") // it advises no revoke
}
