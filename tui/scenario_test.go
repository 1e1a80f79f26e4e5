package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/keys"
)

const (
	sA znode.SessionID = 0x10000a1b2c30001
	sB znode.SessionID = 0x10000a1b2c30002
	sC znode.SessionID = 0x20000a1b2c30003
	sD znode.SessionID = 0x20000a1b2c30004
)

func curator(n string) string { return "_c_0a1b2c3d-0000-4000-8000-00000000000" + n + "-" }

// town is a stage with a bit of everything: a phantom on orders, a revocable lock, readers and a writer, two
// elections.
func town() *stage {
	s := newStage()
	o := "/locks/orders/" + curator("1")
	s.add(o+"lock-0000000004", sA, 192*time.Second, "web-1")
	s.add(o+"lock-0000000005", sA, 151*time.Second, "web-1") // made by the same call to create
	s.add(strings.Replace(o, "0001-", "0003-", 1)+"lock-0000000006", sC, 58*time.Second, "web-3")
	s.add(strings.Replace(o, "0001-", "0004-", 1)+"lock-0000000007", sD, 12*time.Second, "job-9")
	s.add("/locks/orders/config", 0, time.Hour, "x")
	n := "/locks/nightly/0a1b2c3d-0000-4000-8000-00000000000"
	s.add(n+"1-lock-0000000011", sB, 41*time.Minute, "batch-1")
	s.add(n+"2-lock-0000000012", sC, 3*time.Minute, "batch-2")
	r := "/rw/catalog/0a1b2c3d-0000-4000-8000-00000000000"
	s.add(r+"1-read-0000000001", sA, 9*time.Second, "reader-1")
	s.add(r+"2-read-0000000002", sB, 8*time.Second, "reader-2")
	s.add(r+"3-write-0000000003", sC, 4*time.Second, "writer-1")
	s.add(r+"4-read-0000000004", sD, 2*time.Second, "reader-3")
	e := "/election/scheduler/" + curator("1")
	s.add(e+"latch-0000000000", sA, 6*24*time.Hour, "sched-1")
	s.add(strings.Replace(e, "0001-", "0002-", 1)+"latch-0000000001", sB, 5*24*time.Hour, "sched-2")
	s.add(strings.Replace(e, "0001-", "0003-", 1)+"latch-0000000002", sC, time.Hour, "sched-3")
	return s
}

func TestTheAnswerComesFirst(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.See("4 recipes", "1 urgent", "phantom-claim", "/locks/orders", "web-1", "HOLDER", "WATCHES", "disarmed", "zk2:2181")
	d.Frame("overview-120x40")
	d.Press("j", "j").See("batch-1").Frame("nightly-120x40")
}

func TestSmallAndLargeScreens(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
	}{{"60x16", 60, 16}, {"80x24", 80, 24}, {"200x60", 200, 60}} {
		drive(t, town(), c.w, c.h).Frame("overview-" + c.name)
	}
	drive(t, town(), 40, 10).See("terminal too small (need 60x12)")
}

func TestFilterFindsAndEscClears(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("sched").See("/sched_", "1 of 4 recipes", "/election/scheduler").SeeNot("/locks/nightly")
	d.Press("enter").See("sched-1", "LEAD", "esc clears")
	d.Press("esc").See("/locks/nightly")
	d.Press("/").Type("nothing like it").See("no recipe matches").Press("esc").See("/locks/nightly")
}

func TestQuitIsQAndNeverEsc(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("esc", "alt+esc", "esc")
	if d.quit {
		t.Fatal("esc quit")
	}
	d.Press("/").Type("q").Press("esc")
	if d.quit {
		t.Fatal("a q in the filter quit")
	}
	if d.Press("q"); !d.quit {
		t.Fatal("q did not quit")
	}
}

func TestHelpListsEveryKey(t *testing.T) {
	for _, w := range []int{60, 80, 120, 200} {
		d := drive(t, town(), w, 40)
		d.Press("?").See("HERE AND NOW")
		var all []string
		for _, l := range d.app.helpLines(w) {
			all = append(all, l.Text())
		}
		text := collapsed(strings.Join(all, "\n"))
		for _, s := range keys.Default().Sections() {
			for _, b := range s.Keys {
				if words := strings.Fields(b.Help().Desc); !strings.Contains(text, keys.Spelled(b.Keys())+" "+words[0]) {
					t.Errorf("%d cells: no %s, %s", w, keys.Spelled(b.Keys()), b.Help().Desc)
				}
			}
		}
		d.Press("esc").See("Recipes")
	}
}

// A text is searched: the line that is found comes into sight, n and N go on, and esc in the search forgets it.
func TestATextIsSearched(t *testing.T) {
	d := drive(t, town(), 80, 24)
	d.Press("?", "/").Type("half a page up").See(" /half a page up_").Press("enter").See("half a page up", "n N next, before")
	at := d.lineOf("half a page up")
	d.Press("n").See("half a page up")
	if d.lineOf("half a page up") != at {
		t.Error("the only line that has it is not stayed at")
	}
	d.Press("/").Type("x").Press("esc").SeeNot("n N next").Press("/").Type("no such thing").Press("enter").See("not found: no such thing")
	d.Press("esc").See("Recipes")
	if len(d.app.watched) > 0 {
		t.Error("n asked for a notification")
	}
}

func TestTheSelectionFollowsTheClaim(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.Press("/").Type("orders").Press("enter", "enter", "G")
	if c := subjectClaim(d.app); c.Owner() != "job-9" {
		t.Fatalf("selected %s", c.Owner())
	}
	s.del("/locks/orders/" + curator("1") + "lock-0000000004")
	d.Sync()
	if c := subjectClaim(d.app); c.Owner() != "job-9" {
		t.Fatalf("the selection moved to %s when the line did", c.Owner())
	}
}

func TestPausedMeansPaused(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.Press("p").See("PAUSED, 0 changes behind")
	s.del("/election/scheduler/" + curator("1") + "latch-0000000000")
	d.Sync().See("sched-1").SeeNot("PAUSED, 0 changes")
	d.Press("p").SeeNot("PAUSED")
	d.Press("/").Type("sched").Press("enter").See("sched-2").SeeNot("LEAD 0000  sched-1")
}

func TestDisconnectedIsUnmistakable(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	s.lost = s.now
	s.link.Server = ""
	d.Sync().Wait(12*time.Second).See("DISCONNECTED 12s, data as of 12:00:00", "web-1")
	d.Press("b").See("not connected")
}

func TestNoKeyActsByItself(t *testing.T) {
	s := town()
	s.apply = func(p actions.Plan) actions.Result {
		t.Fatalf("applied %s", p.Title)
		return actions.Result{}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	for _, sec := range keys.Default().Sections() {
		for _, b := range sec.Keys {
			for _, k := range b.Keys() {
				if k != "ctrl+c" && k != "q" {
					d.Hammer(k, "enter", "enter", "enter", "esc", "esc")
					d.Hammer(k, "y", "y", "enter", "y", "esc", "esc")
					d.Press(k, "enter", "esc", "esc")
				}
			}
		}
	}
}

func TestDisarmedShowsThePlanAndNoMore(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("nightly").Press("enter", "b").See("break the claim of batch-1", "next to hold is batch-2", "only a preview", "[ Close ]").SeeNot("[ Break ")
	d.Press("enter").SeeNot("only a preview")
}

func TestBreakTakesTheTypedName(t *testing.T) {
	s := town()
	var done []actions.Plan
	s.apply = func(p actions.Plan) actions.Result {
		done = append(done, p)
		s.del(p.Target.Path)
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "broke the claim of batch-1", At: s.now}
	}
	d := drive(t, s, 120, 40)
	d.Press("W").See("arm the console on zk1,zk2,zk3/prod").Press("tab", "enter").See("[ARMED 10:00]")
	d.Press("/").Type("nightly").Press("enter", "b").See("type batch-1").Frame("dialog-break-120x40")
	d.Type("batch-2").Press("enter").See("that is not batch-1").Press("tab", "tab").See("▸[ Cancel ]").Press("shift+tab", "shift+tab").See("type batch-1")
	if len(done) != 0 {
		t.Fatal("a wrong name confirmed")
	}
	for range "batch-2" {
		d.Press("backspace")
	}
	d.Type("batch-1")
	if len(done) != 0 {
		t.Fatal("the name alone must not act")
	}
	d.Press("enter")
	if len(done) != 1 || done[0].Name != "batch-1" {
		t.Fatalf("applied %v", done)
	}
	d.See("applied, waiting to see it").Sync().See("you: broke the claim of batch-1").SeeNot("waiting to see it")
	if n := strings.Count(d.Text(), "you: broke"); n != 1 {
		t.Errorf("one break shows as %d", n)
	}
	d.Wait(11 * time.Minute).See("disarmed")
}

func TestRevokeIsFollowedToItsEnd(t *testing.T) {
	s := town()
	s.apply = func(p actions.Plan) actions.Result {
		s.set(p.Target.Path, "unlock")
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "asked batch-1 to let go", At: s.now}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "r").See("ask batch-1 to let go", "if it lets go: next to hold is batch-2").Press("ctrl+g").See(`overwrites "batch-1"`).Frame("dialog-revoke-120x40")
	d.Press("tab", "enter").Sync().Wait(9 * time.Second).See("asked batch-1 to let go: still held for 9s")
	s.del("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000001-lock-0000000011")
	d.Sync().See("batch-1 let go after 9s")
}

func TestADialogNoticesThatItsClaimChanged(t *testing.T) {
	s := town()
	s.apply = func(actions.Plan) actions.Result {
		t.Fatal("applied")
		return actions.Result{}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "r", "tab")
	s.del("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000001-lock-0000000011")
	d.Sync().See("the znode is gone: nothing is left to do").Press("tab", "enter").SeeNot("ask batch-1")
}

func TestReadOnlyCannotBeArmed(t *testing.T) {
	s := town()
	s.link.ReadOnly = true
	d := drive(t, s, 120, 40)
	d.See("READ-ONLY").Press("W").See("cannot arm: the console was started read-only")
}

func TestAnElectionChangesHands(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	s.del("/election/scheduler/" + curator("1") + "latch-0000000000")
	d.Sync().See("sched-2", "/election/scheduler").Frame("election-120x40")
}

func TestEmptyAndLoading(t *testing.T) {
	s := newStage()
	s.add("/app/data/a", 0, time.Hour, "x")
	drive(t, s, 120, 40).See("no recipe found among")
}

func TestKeysThatArriveTogetherCountOneByOne(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("g")
	first := d.app.desk.List.At()
	d.Press("jj")
	if d.app.desk.List.At() != first+2 {
		t.Errorf("two keys moved from row %d to %d", first, d.app.desk.List.At())
	}
	d.Press("/sched").See("/sched_").Press("esc")
	d.Press("bq").See("Close").Press("esc")
	d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Paste: true})
	d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("bW"), Paste: true})
	d.See("a paste is not taken as keys").SeeNot("Cancel", "Close")
	if d.quit {
		t.Error("a paste quit")
	}
}

func TestDisarmingCallsOffWhatIsNotSent(t *testing.T) {
	s := town()
	var ctx context.Context
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.app.hand.Means.Operator = hung{s, &ctx}
	d.Press("/").Type("nightly").Press("enter", "r", "tab")
	_, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyEnter})
	d.Wait(9*time.Second).See("applying for 9s: ask batch-1", "W calls it off")
	done := make(chan tea.Msg)
	go func() { done <- cmd() }()
	d.Press("W").See("disarmed")
	d.app.Update(<-done)
	if err := context.Cause(ctx); err == nil || err.Error() != "disarmed" {
		t.Errorf("the order went on: %v", err)
	}
	d.SeeNot("applying")
}

// hung is an operator whose server does not answer until the order is called off.
type hung struct {
	*stage
	ctx *context.Context
}

func (h hung) Apply(ctx context.Context, p actions.Plan) actions.Result {
	*h.ctx = ctx
	<-ctx.Done()
	return actions.Result{Plan: p, Outcome: actions.Refused, Text: "not done: called off", At: h.now}
}

func TestWhatDoesNotFitIsNotConfirmed(t *testing.T) {
	s := town()
	s.apply = func(actions.Plan) actions.Result { t.Fatal("applied"); return actions.Result{} }
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "r", "tab")
	d.app.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	d.See("lines 1–5 of 11; pgdn reads on: to the end, to confirm", "[ Cancel ]").Press("tab", "enter").SeeNot("Cancel")
}

// Of a dialog that is longer than the screen the buttons stay, it is said how much of it is in sight, and it can be confirmed
// once its end was.
func TestALongDialogScrolls(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 16}} {
		s, broken := town(), 0
		s.apply = func(p actions.Plan) actions.Result {
			broken++
			s.del(p.Target.Path)
			return actions.Result{Plan: p, Outcome: actions.Done, Text: "broke", At: s.now}
		}
		for i := range 9 {
			s.add(fmt.Sprintf("/locks/orders/"+curator("9")+"lock-%010d", 20+i), sC, time.Minute, fmt.Sprintf("late-%d", i))
		}
		d := drive(t, s, size[0], size[1])
		d.app.hand.Armed = true
		d.Press("/").Type("orders").Press("enter", "enter", "G", " ")
		for range 8 {
			d.Press("k", " ", "k")
		}
		d.Press("b").See("lines 1–", "pgdn reads on", "[ Cancel ]", "[ Break 9 ]", "1. Break the claim of late").SeeNot("9. Break")
		d.Press("y", "tab", "enter").See("nothing was done")
		for d.Press("b"); !strings.Contains(d.Text(), "y does it"); d.Press("pgdown") {
			d.See("[ Cancel ]", "[ Break 9 ]")
		}
		d.See("how: 9 changes", ", pgup pgdn", "[ Break 9 ]").Press("up", "up", "up").See("9. Break the claim of")
		if d.Press("y").Sync(); broken != 9 {
			t.Errorf("%v: %d broken\n%s", size, broken, d.Text())
		}
	}
}
