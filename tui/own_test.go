package tui

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkscope/zkscope/tui/backend"
)

// A key runs a command of the user's own on what is selected, and a sheet shows what it printed, escaped. One that may change
// something wants an armed console that may write.
func TestOwnCommands(t *testing.T) {
	s := newStage().add("/locks/a/lock-0000000001", 7, time.Minute, "web-1")
	d := drive(t, s, 120, 30)
	var ran []OwnTarget
	prints := func(out string, err error) func(context.Context, OwnTarget) (string, error) {
		return func(_ context.Context, on OwnTarget) (string, error) { ran = append(ran, on); return out, err }
	}
	d.app.opts.Owns = []Own{{Key: "Z", Name: "look", Looks: true, Run: prints("line 1\nbad \x1b[31mline\n", nil)}, {Key: "X", Name: "change", Run: prints("", errors.New("exit status 3"))}}
	d.app.deeds = append(d.app.bind(), d.app.owns()...)
	d.Press("Z").See("look on /locks/a", "line 1", `bad \x1b[31mline`)
	if len(ran) != 1 || ran[0].Path != "/locks/a/lock-0000000001" || ran[0].Recipe != "/locks/a" || ran[0].Session != "0x7" {
		t.Errorf("%+v", ran)
	}
	d.Press("esc").Press("X").See("change is not run: the console is disarmed")
	d.app.hand.Armed = true
	d.Press("X").See("change failed: exit status 3")
	s.link = backend.Link{Ensemble: "f", File: true, ReadOnly: true}
	d.Sync()
	d.app.shown.Link = s.link
	d.Press("X").See("change is not run: the console is read-only")
	d.Press("Z").See("look on /locks/a")
	if len(ran) != 3 {
		t.Errorf("%d ran", len(ran))
	}
}

// What is printed while something else is open does not take its keys.
func TestOutputWaitsForAnOpenBox(t *testing.T) {
	s := newStage().add("/locks/a/lock-0000000001", 7, time.Minute, "web-1")
	d := drive(t, s, 160, 100)
	d.app.opts.Owns = []Own{{Key: "Z", Name: "look at it", Looks: true}}
	d.Press("?")
	d.app.Update(ownMsg{"look at it", "/locks/a", "42 bottles\n", nil})
	d.See("YOUR OWN", "look at it").SeeNot("bottles")
	d.Press("esc").Type(":output").Press("enter").See("look at it on /locks/a", "42 bottles")
}
