package monitor_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// goes is a command that runs beside a test.
func goes(s *clitest.Shell, args ...string) *watched {
	w := &watched{t: s.T, out: new(clitest.LockedBuffer), errs: new(clitest.LockedBuffer), code: make(chan int, 1)}
	world := world.World{In: strings.NewReader(""), Out: w.out, Err: w.errs, Getenv: s.Getenv, Now: time.Now}
	go func() { w.code <- cli.Run(args, world) }()
	return w
}

// Commands that go on end when the servers do not take our credentials any more, which no try cures: with what they said before,
// one line and the code of what cannot be reached.
func TestCredentialsThatAreRefusedLaterEndWhatGoesOn(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	s.Env["ZKSCOPE_AUTH"] = "digest:ann:hush"
	file := filepath.Join(t.TempDir(), "night.jsonl")
	all := map[string]*watched{}
	for says, args := range map[string][]string{
		"/locks/a: ":  {"watch", "/locks/a", s.Addr},
		"watching ":   {"notify", s.Addr, "--webhook", "http://127.0.0.1:9/hook"},
		"serving ":    {"export", s.Addr, "--listen", "127.0.0.1:0"},
		"recorded to": {"record", s.Addr, "--file", file},
	} {
		all[args[0]] = goes(s, args...)
		if args[0] != "record" {
			all[args[0]].says(says)
		}
	}
	peers.WaitFor(t, 20*time.Second, "all to follow", func() bool {
		n := 0
		for _, r := range s.Server.Requests() {
			if r.Op == wire.OpAddWatch {
				n++
			}
		}
		return n >= len(all)
	})
	s.Server.SetFault(func(r zkserver.Request) zkserver.Action {
		if r.Op == wire.OpAuth {
			return zkserver.Action{Err: wire.ErrAuthFailed}
		}
		return zkserver.Action{}
	})
	s.Server.DropConnections()
	for name, w := range all {
		w.ends(world.ExitConnect)
		said := w.errs.String()
		lines := strings.Split(strings.TrimSpace(said), "\n")
		if last := lines[len(lines)-1]; len(lines) > 2 || !strings.HasPrefix(last, "zkscope: authenticate: credentials are refused: digest by "+s.Addr) || strings.Contains(said, "hush") {
			t.Errorf("%s: %q", name, said)
		}
	}
}
