package console

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/tui/backend"
)

// begun is a console as a command line begins it, without its screen, and the ensembles that it can change to.
func begun(t *testing.T, s *clitest.Shell, args ...string) from {
	t.Helper()
	w := world.World{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: s.Getenv, Now: time.Now}
	c := newRun(&command.Line{World: w, Args: args, Given: pflag.NewFlagSet("", pflag.ContinueOnError)})
	c.Flags.Common(c.Given)
	if err := errors.Join(c.Given.Parse(args), c.Settings(c.Given)); err != nil {
		t.Fatal(err)
	}
	at, err := c.Target(c.Given.Args(), false)
	if err != nil {
		t.Fatal(err)
	}
	sit, done := c.sit()
	t.Cleanup(done)
	f := c.fleet(context.Background(), at, sit)
	t.Cleanup(f.Close)
	return from{f, f.first}
}

// of is what is known of an ensemble.
func of(f from, name string) backend.Ensemble {
	all := f.Ensembles()
	return all[slices.IndexFunc(all, func(e backend.Ensemble) bool { return e.Name == name })]
}

func TestProfilesOfAConsoleAreAskedBesideEachOther(t *testing.T) {
	a, b, file := clitest.Fleet(t, nil)
	b.Create("/locks/of1/_c_0a1b2c3d-0000-4000-8000-000000000002-lock-", "web-1", 3) // the same session, twice in line
	f := begun(t, a, "--config", file, "--timeout", "2s", "--session-timeout", "2s", "--read-only")
	if f.Here() != "a" || len(f.Ensembles()) != 3 || of(f, "b").Servers != b.Addr || !of(f, "b").ReadOnly {
		t.Errorf("here is %s; %+v", f.Here(), f.Ensembles())
	}
	f.Ask()
	if e := of(f, "mute"); e.Asking.IsZero() || !e.At.IsZero() {
		t.Errorf("it is not being asked: %+v", e)
	}
	peers.WaitFor(t, 10*time.Second, "an answer", func() bool { return !of(f, "b").At.IsZero() })
	if e := of(f, "b"); e.Err != "" || e.Recipes != 1 || e.High+e.Medium+e.Low == 0 {
		t.Errorf("%+v", e)
	}
	peers.WaitFor(t, 20*time.Second, "the silent one to be given up", func() bool { return of(f, "mute").Err != "" })
	at := of(f, "b").At
	if f.Ask(); !of(f, "b").Asking.IsZero() || of(f, "b").At != at {
		t.Errorf("it was asked again at once: %+v", of(f, "b"))
	}
	if e := of(f, "a"); !e.At.IsZero() || !e.Asking.IsZero() {
		t.Errorf("the one that is shown was asked: %+v", e)
	}
}

func TestAConsoleIsPreparedAsItsProfileSays(t *testing.T) {
	a, b, file := clitest.Fleet(t, nil)
	f := begun(t, a, "--config", file, "--timeout", "2s", "--session-timeout", "2s", "--read-only", "--root", "/locks", "--hint", "/x=lock", a.Addr)
	if f.Here() != a.Addr || of(f, a.Addr).Servers != a.Addr || len(f.Ensembles()) != 4 {
		t.Errorf("here is %s; %+v", f.Here(), f.Ensembles())
	}
	ctx := context.Background()
	next, err := f.Prepare(ctx, "b")
	if err != nil {
		t.Fatal(err)
	}
	p := next.(*prepared)
	if c := p.run; c.Flags.Root != "/" || c.Flags.Servers != b.Addr || !c.Flags.ReadOnly || c.Flags.Timeout != 2*time.Second || len(c.Flags.Hints) != 1 {
		t.Errorf("root %s, servers %s, read-only %v, hints %v", c.Flags.Root, c.Flags.Servers, c.Flags.ReadOnly, c.Flags.Hints)
	}
	if o := p.options; o.Name != "b" || o.Fleet.Here() != "b" || o.Operator.Forbidden() == "" || o.Armed {
		t.Errorf("%+v", o)
	}
	back, err := p.options.Fleet.Prepare(ctx, a.Addr)
	if err != nil || back.(*prepared).run.Flags.Root != "/locks" || back.(*prepared).options.Name != "" {
		t.Errorf("the way back: %v, %+v", err, back)
	}
	back.Close()
	back.Close()
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for _, name := range []string{"b", "mute"} {
		if next, err := f.Prepare(gone, name); next != nil || err == nil {
			t.Errorf("%s was prepared for nobody: %v", name, next)
		}
	}
	if _, err := f.Prepare(ctx, "mute"); err == nil || !strings.Contains(err.Error(), of(f, "mute").Servers) {
		t.Errorf("%v", err)
	}
	if f.Close(); len(f.prepared) != 0 {
		t.Error("what nobody drew is still open")
	}
	if _, err := f.Prepare(ctx, "b"); err == nil {
		t.Error("it was prepared after the end")
	}
}

func TestTheAlternateScreenIsKeptBetweenConsoles(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	tty := &sharedTTY{File: w}
	for _, text := range []string{ansi.SetModeAltScreenSaveCursor, "one", ansi.ResetModeAltScreenSaveCursor} {
		if text == ansi.ResetModeAltScreenSaveCursor {
			tty.hold()
		}
		io.WriteString(tty, text)
	}
	io.WriteString(tty, ansi.SetModeAltScreenSaveCursor)
	io.WriteString(tty, "two")
	tty.release() // is kept no more
	io.WriteString(tty, ansi.ResetModeAltScreenSaveCursor)
	tty.hold()
	io.WriteString(tty, ansi.ResetModeAltScreenSaveCursor)
	tty.release() // the next did not come
	w.Close()
	got, _ := io.ReadAll(r)
	if want := ansi.SetModeAltScreenSaveCursor + "onetwo" + ansi.ResetModeAltScreenSaveCursor + ansi.ResetModeAltScreenSaveCursor; string(got) != want {
		t.Errorf("%q", got)
	}
}
