package console_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/console"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/usual"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// What consoles saw is what later commands hold claims against, where the configuration has it remembered.
func TestALocalHistoryTellsWhatIsHeldForLong(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/locks", "", 0)
	s.Create("/locks/lock", "web-1", wire.FlagEphemeral)
	config := clitest.Written(t, "config.yaml", "local-history: 7d\n")
	dir := filepath.Join(s.Env["XDG_STATE_HOME"], "zkscope", "usual")
	file := filepath.Join(dir, look.BookOf("", command.Target{Name: s.Addr}))
	b, err := usual.Open(file, time.Hour, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var seen []story.Event
	for range 30 {
		e := story.Event{At: time.Now(), Path: "/locks/lock", Kind: layout.Lock, What: story.EventLeft, Held: 5 * time.Millisecond}
		between := e
		between.From, between.Held = e.At.Add(-time.Hour), time.Hour
		leads := e
		leads.Kind, leads.Held = layout.Election, time.Hour
		seen = append(seen, e, between, leads)
	}
	console.NoteHeld(b, seen)
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
	var code int
	var out, errs string
	peers.WaitFor(t, 10*time.Second, "that the claim has held for ten times as long as usual, and a second", func() bool {
		code, out, errs = s.Run("", "check", s.Addr, "--config", config, "--hint", "/locks/lock=lock")
		return strings.Contains(out, model.CodeHeldLong)
	})
	if !strings.Contains(out, "× its usual time (p95 of ") || !strings.Contains(out, ", n 30)") {
		t.Errorf("exit %d %s%s", code, out, errs)
	}
	if _, out, _ := s.Run("", "check", s.Addr, "--hint", "/locks/lock=lock"); strings.Contains(out, model.CodeHeldLong) {
		t.Errorf("without local-history: %s", out)
	}
	if _, out, _ := s.Run("", "config", "--config", config); !strings.Contains(out, "local-history") {
		t.Errorf("config: %s", out)
	}
	s.Fails(world.ExitUsage, "local-history takes a time above zero", "check", s.Addr, "--config", clitest.Written(t, "bad.yaml", "local-history: soon\n"))
}

// Ensembles whose names look alike have files of their own.
func TestEveryEnsembleHasABookOfItsOwn(t *testing.T) {
	names := map[string]bool{}
	for _, n := range []string{"zk1:2181", "zk1_2181", "zk1:2181/app", strings.Repeat("zk1:2181,", 20), strings.Repeat("zk1:2181,", 21), "../../etc/passwd"} {
		name := look.BookOf("", command.Target{Name: n})
		if names[name] || strings.ContainsAny(name, "/:") || len(name) > 60 {
			t.Errorf("%s: %s", n, name)
		}
		names[name] = true
	}
	if look.BookOf("prod", command.Target{Name: "a"}) != look.BookOf("prod", command.Target{Name: "b"}) {
		t.Error("a profile whose servers change loses its book")
	}
}
