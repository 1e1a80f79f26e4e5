package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/paint"
)

func (d *driver) mouse(x, y int, b tea.MouseButton) *driver {
	_, cmd := d.app.Update(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
	d.run(cmd)
	return d
}

// lineOf is the row of the screen that a text stands in.
func (d *driver) lineOf(text string) int {
	d.t.Helper()
	for y, l := range strings.Split(d.Text(), "\n") {
		if strings.Contains(l, text) {
			return y
		}
	}
	d.t.Fatalf("%q is not on the screen\n%s", text, d.Text())
	return 0
}

func TestTheMouseIsTheTerminalsUntilAskedFor(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.mouse(3, d.lineOf("lock     /locks/nightly"), tea.MouseButtonLeft)
	if m := d.app.desk.Model(); m.Path != "/locks/orders" {
		t.Fatal("a click selected without being asked for")
	}
	d.Press(":").Type("mouse").Press("enter").See("the mouse scrolls", "disarmed mouse")
	d.mouse(3, d.lineOf("lock     /locks/nightly"), tea.MouseButtonLeft).See("/locks/nightly lock")
	d.mouse(75, d.lineOf("2 batch-2"), tea.MouseButtonLeft)
	if c := subjectClaim(d.app); d.app.desk.Focus != desk.OnClaims || c.Owner() != "batch-2" {
		t.Fatalf("selected %v", c.Owner())
	}
	d.mouse(75, d.lineOf("│    batch-1"), tea.MouseButtonLeft) // who holds stands in a table of its own
	if c := subjectClaim(d.app); c.Owner() != "batch-1" {
		t.Fatalf("selected %v", c.Owner())
	}
	d.mouse(3, 10, tea.MouseButtonWheelDown)
	if d.app.desk.Model().Path == "/locks/nightly" || d.app.desk.Focus != desk.OnClaims {
		t.Error("the wheel scrolls the pane below it and leaves the focus")
	}
	d.Press("4").mouse(strings.Index(strings.Split(d.Text(), "\n")[1], "3 Waits"), 1, tea.MouseButtonLeft).See("waits: ")
	d.Press(":").Type("mouse").Press("enter").See("the terminal's again").SeeNot("disarmed mouse")
}

func TestTheMouseConfirmsNothing(t *testing.T) {
	s := town()
	s.apply = func(actions.Plan) actions.Result { t.Fatal("applied"); return actions.Result{} }
	d := drive(t, s, 120, 40)
	d.app.hand.Armed, d.app.mouse = true, true
	d.Press("/").Type("nightly").Press("enter", "r", "tab")
	for y := range 40 {
		for x := 0; x < 120; x += 2 {
			d.mouse(x, y, tea.MouseButtonLeft)
		}
	}
	d.See("ask batch-1 to let go")
}

func TestSuspendingDisarms(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("W", "tab", "enter").See("ARMED")
	d.Press("b").See("break: which of these?").Press("1").See("break the claim")
	_, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyCtrlZ})
	if _, ok := cmd().(tea.SuspendMsg); !ok {
		t.Fatal("not suspended")
	}
	_, cmd = d.app.Update(tea.ResumeMsg{})
	if cmd == nil {
		t.Fatal("the screen is not drawn anew")
	}
	d.See("back; disarmed, since you were away: W arms again").SeeNot("break the claim of")
}

func TestAPlaceIsNotLostBySuspending(t *testing.T) {
	d, j := joining(t, town())
	d.Press("J", "tab", "enter")
	j.taken[0].state.Phase = actions.JoinHolding
	if _, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyCtrlZ}); cmd != nil {
		t.Fatal("suspended")
	}
	d.See("not suspended: your place in /locks/orders would be lost")
}

func TestANotificationIsSeen(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("j", "n").See("♪lock /locks/nightly", "n again turns it off").Press("k").See("♪ 1 notification on")
	d.Press("j", "n").See("notification for /locks/nightly is off").SeeNot("♪")
	a := driveTheme(t, town(), 80, 24, paint.New(term.ASCII(), termenv.Ascii))
	a.Press("j", "n").See("nlock /locks/nightly")
}

func TestTheReasonGoesToTheAuditLog(t *testing.T) {
	for _, needed := range []bool{false, true} {
		s := town()
		var why []string
		s.apply = func(p actions.Plan) actions.Result {
			why = append(why, p.Reason)
			return actions.Result{Plan: p, Outcome: actions.Done, Text: "asked", At: s.now}
		}
		d := drive(t, s, 120, 40)
		d.app.hand.Armed, d.app.hand.Means.NeedReason = true, needed
		d.Press("/").Type("nightly").Press("enter", "r").See("audit log")
		if needed {
			d.Press("tab", "enter")
			if len(why) > 0 || d.app.box() == nil {
				t.Fatal("went on without a reason")
			}
			d.Type("stuck since noon").See("enter does it").Press("enter")
		} else {
			d.Press("tab", "tab").Type("stuck since noon").Press("enter")
		}
		if len(why) != 1 || why[0] != "stuck since noon" {
			t.Errorf("needed %v: reasons %q", needed, why)
		}
	}
}

func TestThemes(t *testing.T) {
	for on, colours := range map[paint.Ground][]string{paint.Dark: {"30;103m", "\x1b[96m"}, paint.Light: {"30;103m", "\x1b[34m"}, paint.Mono: nil} {
		s := town()
		d := driveTheme(t, s, 120, 40, paint.On(on, term.Unicode(), termenv.ANSI))
		d.Press("?").Press("esc", "b", "esc", "p")
		frame := d.app.View()
		for _, c := range colours {
			if !strings.Contains(frame, c) {
				t.Errorf("ground %d: no %q", on, c)
			}
		}
		if on == paint.Mono && strings.Contains(frame, "\x1b[3") {
			t.Error("mono has colours")
		}
		if !strings.Contains(frame, "\x1b[1m") || !strings.Contains(frame, "\x1b[7m") {
			t.Errorf("ground %d: nothing is bold or reversed", on)
		}
	}
}

func TestAConsoleThatNothingBringsBackIsNotSuspended(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.app.opts.Stays = "no shell started it"
	if _, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyCtrlZ}); cmd != nil {
		t.Fatal("suspended")
	}
	d.See("not suspended: no shell started it")
}

// Two values are marked and the form for the first is left: the second is left alone as well, also when something else has
// been done meanwhile.
func TestAFormThatIsLeftLeavesTheOtherMarksAlone(t *testing.T) {
	s := newStage()
	s.hints = model.Hints{Rules: []model.Hint{{Path: "/conf/a", Kind: layout.Config}, {Path: "/conf/b", Kind: layout.Config}}}
	s.add("/conf/a", 0, time.Minute, "one").add("/conf/b", 0, time.Minute, "two")
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("g", "tab", " ", "tab", "j", "tab", " ").See("2 marked")
	d.Press("a", "t").See("set the value of /conf/a").Press("esc").See("1 marked are left alone")
	d.app.Update(act.ResultMsg{Result: actions.Result{Outcome: actions.Done, At: s.now}})
	d.SeeNot("set the value of /conf/b")
}

// What is typed is edited where the cursor stands, and what was there and is not touched stays to the byte.
func TestAValueIsEditedWithinAndKeepsItsLines(t *testing.T) {
	s := newStage()
	s.hints = model.Hints{Rules: []model.Hint{{Path: "/conf/a", Kind: layout.Config}}}
	s.add("/conf/a", 0, time.Minute, "port: 80\n\tname: x\r\n")
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	var wrote []byte
	s.apply = func(p actions.Plan) actions.Result {
		wrote = p.NewData
		return actions.Result{Plan: p, Outcome: actions.Done, At: s.now}
	}
	d.Press("a", "t").See("set the value of /conf/a")
	d.app.Update(tea.KeyMsg{Type: tea.KeyHome})
	for range len("port: 8") {
		d.Press("right")
	}
	d.Press("8").Press("enter").See("set /conf/a", "writes 1 znode")
	if want, _ := d.app.box().Demands(); want != "" {
		d.Type(want).Press("enter")
	} else {
		d.Press("tab")
	}
	d.Press("enter")
	if string(wrote) != "port: 880\n\tname: x\r\n" {
		t.Errorf("wrote %q\n%s", wrote, d.Text())
	}
}

// The filter and a command are edited within as well.
func TestTypedLinesHaveACursor(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("nihtly").Press("left", "left", "left", "left").Type("g").See(" /nig").Press("enter").See("/nightly")
	d.Press("esc", "esc", ":").Type("sort eld").Press("left", "left", "left").Type("h").Press("enter").See("[held]")
}

// A line of the past leads to its recipe although its claim is gone: what is selected there is what keys act on.
func TestALineOfAClaimThatIsGoneLeadsToOneThatIsThere(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.Press("enter", "j")
	s.del("/locks/orders/" + curator("3") + "lock-0000000006")
	d.Wait(time.Second).Sync().Wait(time.Minute).Sync()
	d.app.goTo("/locks/orders", model.ClaimID{Path: firstOrder + "9", Czxid: 99})
	sel, gone := d.app.desk.Claims.List.Current()
	if gone != nil || sel == nil || sel.ID() != d.app.desk.Claims.List.Selected() {
		t.Errorf("selected %v, the cursor is on %v, gone %v", d.app.desk.Claims.List.Selected(), sel, gone)
	}
}
