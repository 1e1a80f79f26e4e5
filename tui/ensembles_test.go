package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
)

// fleetStage is a fleet of three.
type fleetStage struct {
	list    []backend.Ensemble
	asked   int
	err     error // why none can be prepared
	waited  context.Context
	follows bool
	closed  int
}

func newFleet() *fleetStage {
	return &fleetStage{list: []backend.Ensemble{
		{Name: "payments", Servers: "pay1:2181,pay2:2181", Production: true, At: noon.Add(-40 * time.Second), Recipes: 12, High: 1, Medium: 2, Low: 3},
		{Name: "prod", Servers: "zk1:2181"},
		{Name: "quiet", Servers: "q:2181", At: noon.Add(-5 * time.Second), Recipes: 3},
		{Name: "staging", Servers: "st:2181", ReadOnly: true, At: noon.Add(-70 * time.Second), Err: "no server answers: \x1b[2J"},
		{Name: "test", Servers: "t:2181"},
		{Name: "tests", Servers: "ts:2181", Asking: noon.Add(-3 * time.Second)}}}
}

func (f *fleetStage) Here() string                  { return "prod" }
func (f *fleetStage) Ensembles() []backend.Ensemble { return append([]backend.Ensemble{}, f.list...) }
func (f *fleetStage) Ask()                          { f.asked++ }
func (f *fleetStage) Follows()                      { f.follows = true }
func (f *fleetStage) Close()                        { f.closed++ }

func (f *fleetStage) Prepare(ctx context.Context, _ string) (backend.Prepared, error) {
	f.waited = ctx
	if f.err != nil {
		return nil, f.err
	}
	return f, nil
}

func driveFleet(t *testing.T) (*driver, *fleetStage) {
	s := newStage().add("/locks/orders/"+curator("1")+"lock-0000000001", sA, time.Minute, "web-1")
	d := drive(t, s, 160, 30)
	f := newFleet()
	d.app.opts.Fleet, d.app.shown.Fleet, d.app.opts.Name = f, f, "prod"
	return d, f
}

func (d *driver) command(text string) *driver { return d.Press(":").Type(text).Press("enter") }

func TestTheEnsemblesAreListedAsTheyStand(t *testing.T) {
	d, f := driveFleet(t)
	d.command("profiles").See("ensembles", "payments production 1 urgent, 2 warnings, 3 low 12 40s pay1:2181,pay2:2181", "prod ok",
		"shown", "quiet ok 3 5s", "staging read-only not read: no server answers: \\x1b[2J", "test not asked yet - -", "tests asking for 3s - -")
	if f.asked == 0 {
		t.Error("opening the list asked nobody")
	}
	asked := f.asked
	if d.Wait(time.Second); f.asked == asked {
		t.Error("while the list is shown nobody is asked again")
	}
	d.Press("esc")
	if asked = f.asked; f.asked == 0 {
		t.Error("nobody was asked")
	}
	if d.Wait(time.Minute); f.asked != asked {
		t.Error("somebody was asked while nobody looked")
	}
	d.command("profiles").Press("O")
	text := d.Text()
	if strings.Index(text, "tests") > strings.Index(text, "payments") {
		t.Errorf("not the other way round:\n%s", text)
	}
	d.Press("O", "o").See("HOW IT STANDS")
	if text = d.Text(); strings.Index(text, "staging") > strings.Index(text, "payments") || strings.Index(text, "payments") > strings.Index(text, "quiet") {
		t.Errorf("not the worst first:\n%s", text)
	}
}

func TestTheListOfEnsemblesGoesOnWhileThePictureIsHeld(t *testing.T) {
	d, f := driveFleet(t)
	d.Press("p").command("profiles").See("PAUSED", "test not asked yet")
	f.list[4].At, f.list[4].Recipes = noon, 7
	d.Wait(time.Second).See("test ok 7 1s")
}

func TestTheShownEnsembleIsToldByItsPicture(t *testing.T) {
	d, _ := driveFleet(t)
	d.stage.lost = noon
	d.stage.link.Cause = "zk1 is away"
	d.Sync().Wait(20 * time.Second).command("profiles").See("prod not read: zk1 is away - 20s")
}

func TestAnotherEnsembleFollows(t *testing.T) {
	for _, way := range []func(*driver){
		func(d *driver) { d.command("profile staging") },
		func(d *driver) { d.Press(":").Type("profile st").Press("tab", "enter") },
		func(d *driver) { d.command("profiles").Press("/").Type("staging").Press("enter", "enter") },
	} {
		d, f := driveFleet(t)
		if way(d); !d.quit || d.app.Next() != backend.Prepared(f) || !f.follows || f.closed != 0 {
			t.Errorf("quit %v, next %v, follows %v, closed %d\n%s", d.quit, d.app.Next(), f.follows, f.closed, d.Text())
		}
	}
}

func TestNamesOfEnsemblesAreCompletedAndChecked(t *testing.T) {
	d, _ := driveFleet(t)
	d.Press(":").Type("profile ").See("payments quiet staging test tests").Type("te").Press("tab").See(":profile test", "test tests")
	d.Press("esc").command("profile nowhere").See("no profile is called nowhere; there are payments, quiet, staging, test, tests")
	d.command("profile prod").See("prod is what is shown")
	d.command("profile").See("ensembles")
	if d.quit {
		t.Error("it has left")
	}
}

func TestWithoutProfilesThereIsOneEnsemble(t *testing.T) {
	d := drive(t, newStage(), 120, 30)
	d.command("profile other").See("this console shows one ensemble alone")
}

func TestAnEnsembleThatCannotBeReachedLeavesTheConsoleWhereItIs(t *testing.T) {
	d, f := driveFleet(t)
	f.err = errors.New("no server answers: st:2181: connection refused")
	d.command("profile staging").See("Not changed to staging", "connection refused", "You are still on prod", "Try again")
	if d.quit || d.app.Next() != nil {
		t.Fatal("it has left")
	}
	d.Wait(2*time.Second).Press("esc").See("still on prod", "/locks/orders")
	d.command("profile staging").See("Try again")
	f.err = nil
	if d.Wait(2 * time.Second).Press("y"); !d.quit || d.app.Next() == nil {
		t.Errorf("another try does not help:\n%s", d.Text())
	}
}

// What is prepared after its question was closed, or while something keeps the console here, is closed again.
func TestAChangeThatIsGivenUpLeavesNothingOpen(t *testing.T) {
	d, f := driveFleet(t)
	d.app.Update(tea.KeyMsg{})
	cmd := d.app.changeTo("staging")
	d.See("Change to staging", "Connecting to staging", "esc stays there")
	msg := cmd() // which has come, and is not read yet
	d.Press("esc").See("still on prod")
	if f.waited.Err() == nil {
		t.Error("what was given up is waited for")
	}
	_, next := d.app.Update(msg)
	if d.run(next); f.closed != 1 || d.quit || d.app.Next() != nil {
		t.Errorf("closed %d times, quit %v", f.closed, d.quit)
	}
	cmd = d.app.changeTo("staging")
	d.app.running = "reindex"
	_, next = d.app.Update(cmd())
	if d.run(next); f.closed != 2 || d.quit {
		t.Errorf("closed %d times, quit %v", f.closed, d.quit)
	}
	d.See("Not changed to staging", "reindex has not ended", "You are still on prod")
}

func TestWhatKeepsTheConsoleWithItsEnsemble(t *testing.T) {
	d, f := driveFleet(t)
	d.app.shown.Places = []backend.Place{&seat{want: actions.Join{Path: "/locks/orders"}, state: actions.JoinState{Phase: actions.JoinHolding}}}
	d.command("profile staging").See("not changed: your place in /locks/orders would be lost; leave it first")
	d.app.shown.Places = nil
	d.app.stack.Open(&d.app.host, &act.PlanBox{Dialog: layer.Dialog{Title: "break"}})
	d.run(d.app.changeTo("staging"))
	if d.quit || f.waited != nil {
		t.Error("it left an open plan")
	}
	d.See("not changed: a plan is open")
}
