package tui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
)

// However low the panel is, those of a line who are not in sight are counted.
func TestWhoIsNotInSightIsCounted(t *testing.T) {
	s := newStage()
	for i := range 6 {
		s.add(fmt.Sprintf("/locks/long/%slock-%010d", curator(fmt.Sprint(i+1)), i), znode.SessionID(0x100+i), time.Hour, fmt.Sprintf("app-%d", i))
	}
	drive(t, s, 80, 20).See("4 app-3  +2 more")
}

// Of an event the path gives way, in its middle, before who it happened to and what; of a hand-over neither name is lost.
func TestAnEventSaysToWhomItHappened(t *testing.T) {
	host := "app-03.eu1.example.com:pid100"
	path := "/prod/orders/fulfilment/warehouse-stock-list-region-007/" + curator("1")
	s := newStage().add(path+"lock-0000000001", sA, time.Minute, host+"1").add(path+"lock-0000000002", sB, time.Minute, host+"2")
	s.add("/locks/x/"+curator("2")+"lock-0000000001", sC, time.Minute, host+"3")
	d := drive(t, s, 80, 24)
	s.del(path + "lock-0000000001").del("/locks/x/" + curator("2") + "lock-0000000001")
	s.add("/locks/y/"+curator("2")+"lock-0000000001", sD, 0, host+"4")
	d.Wait(time.Second).Sync().Press("5").See("app-03.…id1001 is gone → app-03.…id1002", "region-007", ":pid1003 is gone", ":pid1004 acquired")
}

// An alarm of a deadlock names who is in it.
func TestAnEventOfADeadlockNamesItsSessions(t *testing.T) {
	s := town()
	d := drive(t, s, 80, 24)
	asked(s)
	proved(d).Press("5").See("▲ looks like a deadlock: pair-a ⇄ pai")
}

// A dialog that breaks a claim says how long its session was not heard, and when it expires, as time goes on; that is no other
// question. What would have followed is not said any more once the znode is gone.
func TestABreakSaysWhenTheSessionExpires(t *testing.T) {
	s := asked(town())
	d := drive(t, s, 80, 24)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "b").See("its session expires in 12s: not connected, last heard 18s ago", "who is woken")
	d.Type("bat").Wait(5*time.Second).See("its session expires in 7s: not connected, last heard 23s ago", "batch-1 bat_").SeeNot("newer than")
	s.del("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000001-lock-0000000011")
	d.Sync().See("is gone", "esc closes").SeeNot("who is woken", "heard")

	now := &d.app.shown
	quiet := &znode.Snapshot{TakenAt: now.Now, Servers: s.servers, Sessions: map[znode.SessionID]znode.Session{
		sA: {Timeout: 30 * time.Second, Server: "zk1:2181", Connected: new(true), ExpiresAt: now.Now.Add(8 * time.Second)},
		sB: {Timeout: 30 * time.Second, Server: "zk1:2181", Connected: new(true), ExpiresAt: now.Now.Add(28 * time.Second)},
		sC: {Connected: new(false)}, sD: {},
	}}
	for id, want := range map[znode.SessionID]string{0: "", sA: "its session expires in 8s unless it is heard: connected, silent for 22s", sB: "its session is connected to zk1:2181, heard ≤2s ago",
		sC: "its session is not connected; when it expires is not known", sD: "whether its session is connected is not known", 9: "whether its session is connected is not known"} {
		if got := now.SessionNow(quiet, id); got != want {
			t.Errorf("of %v: %q, want %q", id, got, want)
		}
	}
}

// Events say how far back they go.
func TestEventsSayHowFarBackTheyGo(t *testing.T) {
	s := lines(1)
	d := drive(t, s, 80, 24)
	lock := "/prod/locks/l0/" + curator("2") + "lock-0000000002"
	for range 2500 {
		s.add(lock, 0x999, 0, "late")
		d.Sync()
		s.del(lock)
		d.Wait(time.Second).Sync()
	}
	d.Press("5").See("Events since 12:00:00, all of them since 12:").Wait(20 * time.Hour).See("Events since 11-27 12:00:00, all of them since 11-27 12:")
	drive(t, lines(1), 80, 24).Press("5").See("Events since 12:00:00 ─")
}

// On the list of places their keys do what they do on a place's own page, and say so.
func TestAPlaceIsGivenBackFromTheList(t *testing.T) {
	d, j := joining(t, town())
	d.Press("8", "c").See("you have no place to give back").Press("1", "J", "tab", "enter")
	d.moves(j.taken[0], func(st *actions.JoinState) { st.Phase, st.Text = actions.JoinHolding, "holding" })
	d.Press("8").See("c release").Press("c").See("giving it back")
	if got := j.taken[0].ends; len(got) != 1 || got[0] {
		t.Errorf("ends %v", got)
	}
	d.moves(j.taken[0], func(st *actions.JoinState) { st.Phase, st.Text = actions.JoinLeft, "left" }).SeeNot("c release").Press("c").See("that place is over already")
}

// What takes a while to be found in a recording is said to be looked for.
func TestARecordingIsSearched(t *testing.T) {
	s, r := night()
	d := screen(t, s, r)
	for _, look := range []func() tea.Cmd{func() tea.Cmd { return d.app.goTime("12:00:40") }, func() tea.Cmd { return d.app.jump(1, aFinding) }} {
		cmd := look()
		d.See("searching the recording")
		d.run(cmd)
		d.SeeNot("searching")
	}
}
