package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
)

// hears makes the holder of billing one that listens, or one that does not: a revocable znode of Curator's has no data.
func hears(s *stage, yes bool) {
	path, data := "/locks/billing/"+curator("1")+"lock-0000000001", "bill-1"
	if yes {
		data = ""
	}
	n := *s.nodes[path]
	n.Data, n.DataLength = []byte(data), int32(len(data))
	s.nodes[path] = &n
}

func TestAnOpenReasonIsTheOneOfNow(t *testing.T) {
	d, _ := joining(t, calmTown())
	d.Press("r").See("cannot revoke: bill-1", "shows no sign of listening")
	hears(d.stage, true)
	d.Sync().See("revoke can be done now: bill-1", "it can be done: close this and choose it again").SeeNot("shows no sign", "cannot")
	hears(d.stage, false)
	d.Sync().See("cannot revoke: bill-1", "shows no sign of listening").SeeNot("revoke can be done now")
	hears(d.stage, true)
	d.Sync().See("revoke can be done now")
	d.Press("tab", "enter").SeeNot("cannot revoke").Press("r").See("ask 0x10000a1b2c30001 to let go", "[ Ask 0x10000a1b2c30001 to let go ]")
}

func TestAnOpenPlanIsTheOneOfNow(t *testing.T) {
	s := town()
	d, _ := joining(t, s)
	d.Press("/").Type("nightly").Press("enter", "esc", "r").See("if it lets go: next to hold is batch-2").Press("tab")
	if !d.app.box().OnDo() {
		t.Fatal("revoke has not the focus")
	}
	for p := range s.nodes {
		if strings.Contains(p, "/locks/nightly/") && strings.HasSuffix(p, "12") {
			s.del(p)
		}
	}
	d.Wait(3 * time.Second).Sync().SeeNot("next to hold is batch-2").See("this is newer than what it said when it opened: it changed at 12:00:03")
	if d.app.box().OnDo() {
		t.Error("a plan that was not read yet can be confirmed with one key")
	}
	d.Hammer("tab", "enter")
	if d.app.box() == nil || d.app.box().OnDo() {
		t.Error("keys are taken the moment that the plan changes")
	}
}

func TestAPlanThatCannotBeDoneAnyMoreSaysWhy(t *testing.T) {
	s := calmTown()
	hears(s, true)
	d, _ := joining(t, s)
	d.Press("r").See("[ Ask 0x10000a1b2c30001 to let go ]")
	hears(s, false)
	d.Wait(time.Second).Sync().See("shows no sign of listening")
	if d.Press("tab"); d.app.box().Ready() {
		t.Error("it can be confirmed still")
	}
}

func TestTheReasonsOfAnOpenMenuAreThoseOfNow(t *testing.T) {
	d, _ := joining(t, calmTown())
	d.Press("a").See("ask to let go: bill-1 shows no sign")
	hears(d.stage, true)
	d.Sync().SeeNot("shows no sign").Press("r").See("ask 0x10000a1b2c30001 to let go")
}

// A name that was typed for one outcome does not confirm another.
func TestANameIsTypedAnewForAPlanThatChanged(t *testing.T) {
	s := town()
	d, _ := joining(t, s)
	d.Press("/").Type("nightly").Press("enter", "b").See("next to hold is batch-2").Type("batch-1").See("enter does it")
	for p := range s.nodes {
		if strings.Contains(p, "/locks/nightly/") && strings.HasSuffix(p, "12") {
			s.del(p)
		}
	}
	d.Wait(3 * time.Second).Sync().See("this is newer than what it said when it opened")
	if _, typed := d.app.box().Demands(); typed != "" || d.app.box().Ready() {
		t.Errorf("%q confirms what was not read", typed)
	}
	d.Wait(time.Second).Press("enter").See("type batch-1 to go on")
}

// A countdown in a plan is no other plan: it goes on, and the key that confirms is taken. What was said of a plan that
// did change goes like other messages.
func TestACountdownIsNoOtherPlan(t *testing.T) {
	s := asked(town())
	s.servers = s.servers[:2] // all that there are answer
	applied := 0
	s.apply = func(p actions.Plan) actions.Result {
		applied++
		return actions.Result{Plan: p, Outcome: actions.Done, At: s.now}
	}
	d, _ := joining(t, s)
	d.Press("/").Type("nightly").Press("enter", "b").See("session expires, in 12s (12:00:12Z)")
	for range 3 { // a picture comes between every two keys
		d.Wait(time.Second).Sync()
	}
	d.See("session expires, in 9s (12:00:12Z)").SeeNot("this is newer")
	if !d.app.box().Ready() {
		t.Fatal(d.Text())
	}
	d.Wait(time.Second).Sync().key("y")
	if d.app.box() != nil || applied != 1 {
		t.Errorf("the key was not taken:\n%s", d.Text())
	}
}

func TestThatAPlanChangedIsToldForAWhile(t *testing.T) {
	s := asked(town())
	s.servers = s.servers[:2]
	d, _ := joining(t, s)
	d.Press("/").Type("nightly").Press("enter", "b").See("next to hold is batch-2")
	for p := range s.nodes {
		if strings.Contains(p, "/locks/nightly/") && strings.HasSuffix(p, "12") {
			s.del(p)
		}
	}
	d.Wait(3 * time.Second).Sync().See("this is newer than what it said when it opened")
	d.key("y")
	d.See("1 key was pressed before this could be read")
	d.Wait(9*time.Second).SeeNot("this is newer", "before this could be read")
	if d.app.box() == nil {
		t.Error("it was confirmed unread")
	}
}
