package tui

import (
	"strings"
	"testing"
	"time"
)

// One row of titles over those who hold and those who wait names every column.
func TestALowPanelNamesEveryColumn(t *testing.T) {
	d := drive(t, asked(town()), 80, 24)
	d.Press("/").Type("catalog").Press("enter", "esc").See("HOLDER 2 MODE SEQ SESSION FOR WATCHES CONNECTED", "3 writer-1 write 0003")
}

// However low and narrow a box is, the key that unfolds it is in sight.
func TestTheKeyThatUnfoldsIsNotCut(t *testing.T) {
	for _, w := range []int{60, 80} {
		d := drive(t, town(), w, 24)
		d.app.hand.Armed = true
		d.Press("/").Type("nightly").Press("enter", "b").See("ctrl+g how: deletes 1 znode")
	}
}

// Names that differ only in their ends differ where they are cut.
func TestNamesAreCutInTheirMiddle(t *testing.T) {
	s := newStage()
	for _, p := range []string{"a", "b"} {
		s.add("/locks/"+p+"/"+curator("1")+"lock-0000000001", sA, time.Minute, "app-03.eu1.example.com:pid100"+p)
	}
	d := drive(t, s, 80, 24).See("app-03", "pid100a", "pid100b")
	s.add("/locks/c/"+curator("1")+"lock-0000000001", sB, time.Minute, "app-04.eu1.example.com:pid100c")
	d.Sync().Press("4").See("app-04.", "d100c")
}

// How many watches a session has is not said as a fact where the server that it may be connected to gave no answer; nor how
// long it has where that time is over.
func TestASessionIsNotToldMoreOfThanIsKnown(t *testing.T) {
	d := drive(t, asked(town()), 120, 40)
	d.Press("4", "enter").See("NOT CONNECTED, expires in 12s", "0 watches seen: 1 of 3 servers gave no answer and may have more")
	d.Wait(20 * time.Second).Sync().See("NOT CONNECTED, due to expire").SeeNot("expires in 0s")
	d.Press(":").Type("session " + sA.String()).Press("enter").See("connected to zk1:2181").SeeNot("watches seen")
}

// What looks like a deadlock is not called one where threads of a process could look the same.
func TestTheVerdictOnADeadlockIsNoSurerThanItsEvidence(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	asked(s)
	d.Wait(10 * time.Second).Sync().Wait(10 * time.Second).Sync()
	d.Press("/").Type("/locks/a").Press("enter", "w").See("this looks like a deadlock").SeeNot("this is a deadlock")
}

// The overview and the events tell of a deadlock by who is in it, and not twice.
func TestADeadlockIsToldOnce(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	asked(s)
	d.Wait(10 * time.Second).Sync().Wait(10 * time.Second).Sync()
	d.Press("2").See("deadlock", "pair-a ⇄ pair-b", "KIND RECIPES CLAIMS HOW THEY STAND")
	if text := d.Press("5").Text(); strings.Contains(text, "deadlock: looks like a deadlock") {
		t.Errorf("told twice:\n%s", text)
	}
}

// Where the ids of sessions have no column, a session without a name is told by its id.
func TestEverySessionCanBeTold(t *testing.T) {
	d := drive(t, asked(city()), 60, 24)
	d.Press("4").See("0x10000…c30003", "0x10000…c30004")
}

// On a low screen a dialog gives up blank lines before it has to be scrolled.
func TestALowDialogIsReadAtOnce(t *testing.T) {
	d := drive(t, asked(town()), 60, 16)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "b").See("its session expires", "ctrl+g how", "type batch-1", "[ Break the claim of batch-1 ]").SeeNot("pgdn")
}
