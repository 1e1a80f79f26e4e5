package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/view"
)

// calmTown is two locks in good order; the first of the list is billing.
func calmTown() *stage {
	s := newStage()
	s.add("/locks/billing/"+curator("1")+"lock-0000000001", sA, time.Minute, "bill-1")
	s.add("/locks/orders/"+curator("2")+"lock-0000000001", sB, time.Minute, "web-1")
	return s
}

// phantom gives orders a finding: one call to create made two znodes, and the session stands in line twice.
func phantom(s *stage) {
	s.add("/locks/orders/"+curator("2")+"lock-0000000002", sB, 0, "web-1")
}

func TestAFindingThatTakesTheSelectionDoesNotTakeTheNextKey(t *testing.T) {
	for _, k := range []string{"r", "b", "a", "J", "v", "u", "n", "o", "O", "x", " ", "U", "y"} {
		s := calmTown()
		d, j := joining(t, s)
		if d.Fresh().See("▸ lock billing"); d.app.desk.Model().Path != "/locks/billing" {
			t.Fatal(d.app.desk.Model().Path)
		}
		phantom(s)
		d.Sync()
		if d.app.desk.Model().Path != "/locks/orders" {
			t.Fatal(d.app.desk.Model().Path)
		}
		d.Hammer(k).See("/locks/orders", "the selection has just moved to", "press again", "▸")
		if a := d.app; act.Busy(&a.stack) || len(a.hand.Marks)+len(a.watched)+len(j.taken) > 0 || a.desk.Sorting.Order != view.ByKind || a.desk.Sorting.Reverse {
			t.Errorf("%q did something", k)
		}
	}
}

func TestTheSelectionIsSeenFromTheFirstFrameOn(t *testing.T) {
	d := drive(t, calmTown(), 120, 40)
	d.Fresh().See("▸ lock billing").Press("j").See("▸ lock orders")
	d = drive(t, calmTown(), 120, 40)
	d.Fresh().See("▸ lock billing").Press("k").See("▸ lock billing")
}

func TestAFindingMovesTheSelectionInTheFirstMomentOnly(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 120, 40).Fresh()
	phantom(s)
	d.Wait(time.Second).Sync().See("▸▲+phantom-claim 0s orders") // the servers have told a moment later
	s.del("/locks/orders/" + curator("2") + "lock-0000000002")
	d.Wait(time.Second).Sync().See("▸ lock billing")
	phantom(s)
	d.Wait(3*time.Second).Sync().See("▲+phantom-claim 0s orders", "▸ lock billing")
}

func TestTheFirstKeyThatActsIsAboutWhatIsSeen(t *testing.T) {
	s := calmTown()
	d, _ := joining(t, s)
	phantom(s)
	d.Fresh().Sync().Wait(2*time.Second).See("▸▲+phantom-claim").Press("J").See("take a place in a recipe", "/locks/orders")
	d.Press("esc")
	s.add("/locks/aaa/"+curator("1")+"lock-0000000001", sC, 0, "x").add("/locks/aaa/"+curator("2")+"lock-0000000002", sC, 0, "x")
	d.Sync().Hammer("J").See("take a place in a recipe", "/locks/orders") // from then on nothing takes the selection
}

func TestMovementViewsAndHelpAreNeverHeldBack(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 120, 40)
	phantom(s)
	d.Sync().Hammer("j").SeeNot("just moved").Hammer("?").See("HERE AND NOW").Hammer("esc", "4").See("sessions").Hammer("1", "/").See("enter keeps").Hammer("esc", "q")
	if !d.quit {
		t.Error("q does not quit")
	}
}

func TestAClaimThatGoesFromUnderTheCursorIsNotReplacedUnderTheKey(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.Press("enter", "j", "b").See("break").Press("esc")
	s.del("/locks/orders/" + curator("1") + "lock-0000000005")
	for _, k := range []string{"b", "r", "a", " ", "u"} {
		d.Sync().Hammer(k).See("▸- web-1 0005", "web-1 in /locks/orders is gone: select something that is there").SeeNot("only if")
	}
	d.Press("n").See("notification for /locks/orders;") // that is about the recipe, which is there
	d.Press("J").SeeNot("is gone: select")
	d.Wait(time.Minute).Sync().See("▸- web-1 0005") // it does not fade while it is selected
	d.Press("j", "b").See("break the claim of web-3")
}

// gates is a barrier among locks.
func gates() *stage {
	s := calmTown()
	s.add("/barriers/release", 0, time.Minute, "")
	return s
}

func TestWhatIsSelectedStaysSelectedWhenItGoes(t *testing.T) {
	s := gates()
	d, j := joining(t, s)
	d.Press("/").Type("release").Press("enter", "esc", "/", "esc").See("barrier /barriers/release closed")
	s.del("/barriers/release")
	d.Wait(2*time.Second).Sync().See("▸ -barrier /barriers/release", "gone", "gone: since 12:00:02, 0s ago; was closed").SeeNot("▸ barrier")
	for _, k := range []string{"r", "b", "a", "J", "v", "u", "n", " ", "y"} {
		d.Press(k).See("/barriers/release is gone: select something that is there")
	}
	if act.Busy(&d.app.stack) || len(j.taken)+len(d.app.hand.Marks)+len(d.app.watched) > 0 {
		t.Error("acted on something")
	}
	d.Wait(time.Minute).Sync().See("▸ -barrier /barriers/release", "1m ago") // it does not fade while it is selected
	s.add("/barriers/release", 0, 0, "")
	d.Sync().See("barrier /barriers/release closed").SeeNot("gone:")
	if m := d.app.desk.Model(); m == nil || m.Path != "/barriers/release" {
		t.Fatalf("selected %v", m)
	}
	d.Press("n").See("notification for /barriers/release")
}

func TestMovingAwayFromWhatIsGoneLetsItGo(t *testing.T) {
	s := gates()
	d := drive(t, s, 120, 40)
	d.Press("/").Type("release").Press("enter", "esc", "/", "esc")
	s.del("/barriers/release")
	d.Sync().See("▸ -barrier /barriers/release").Press("k")
	if m := d.app.desk.Model(); m == nil || m.Path != "/locks/orders" {
		t.Fatalf("selected %v", m)
	}
	d.Wait(5 * time.Second).SeeNot("-barrier /barriers/release")
	s.add("/barriers/release", 0, 0, "")
	if d.Sync(); d.app.desk.Model().Path != "/locks/orders" {
		t.Error("the selection went back though the operator had moved")
	}
}

func TestAGoneRowNeverShowsItsOldState(t *testing.T) {
	s := gates()
	d := drive(t, s, 120, 40)
	d.Press("g")
	s.del("/barriers/release")
	d.Sync()
	if l := strings.Split(d.Text(), "\n")[d.lineOf("-barrier  /barriers/release")]; !strings.Contains(l, "gone") || strings.Contains(l, "closed") {
		t.Error(l)
	}
}

func TestEventsOfWhatIsGoneAreTold(t *testing.T) {
	s := gates()
	d := drive(t, s, 120, 40)
	d.Press("/").Type("release").Press("enter", "esc", "/", "esc")
	s.del("/barriers/release")
	d.Sync().Press("e").See("events", "/barriers/release")
}

func TestWhyAndItsEvidenceAreOfOneMoment(t *testing.T) {
	d := drive(t, asked(calmTown()), 120, 40)
	d.Press("/").Type("billing").Press("enter", "w").See("holds for ≤1m.", "✓ Session", "Not known").SeeNot("neither")
	d.Wait(18 * time.Second).See("holds for ≤1m18s.").SeeNot("≤1m.")
	d.stage.del("/locks/billing/" + curator("1") + "lock-0000000001")
	d.Sync().Wait(9*time.Second).Sync().See("gone: this is how it stood at 12:00:18", "holds for ≤1m18s.").SeeNot("b break")
	d.Press("b").See("/locks/billing has changed or gone since you read about it: nothing was done").SeeNot("only if")
}

func TestASheetActsOnlyOnWhatItIsAbout(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 120, 40)
	d.Press("w").See("why: /locks/billing")
	d.app.desk.List.Move(1, 10) // whatever moved it
	d.Press("b").See("break the claim of bill-1 on /locks/billing", "only if")
}
