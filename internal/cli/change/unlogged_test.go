//go:build linux

package change_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// runFull runs a command line with an audit log that takes room more bytes.
func runFull(s *clitest.Shell, room int, args ...string) (code int, out, errs string) {
	s.T.Helper()
	const size = 1 << 20
	log := filepath.Join(s.T.TempDir(), "audit.jsonl")
	if err := os.WriteFile(log, append(bytes.Repeat([]byte{' '}, size-1), '\n'), 0o600); err != nil {
		s.T.Fatal(err)
	}
	cmd := clitest.Process(append([]string{"--audit-log", log}, args...), clitest.LimitVar+"="+strconv.Itoa(size+room)) // before a --
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// What was done while the log ran full is told, with a code of its own: the log holds the intent alone.
func TestALogThatRunsFullAfterTheIntentIsTold(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	n, _ := s.Server.Node(kazoo)
	pin := []string{"break", s.Addr, kazoo, "--yes", "--czxid", clitest.Itoa(n.Stat.Czxid)}
	if code, _, errs := runFull(s, 100, pin...); code != world.ExitRefused || !strings.Contains(errs, "without the log nothing is done") {
		t.Errorf("without room for the intent: exit %d: %s", code, errs)
	}
	if code, out, errs := runFilling(s, pin...); code != world.ExitUnlogged || !strings.Contains(out, "broke the claim") || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if _, there := s.Server.Node(kazoo); there {
		t.Error("it was not broken")
	}
	for command, want := range map[string]int{"true": world.ExitOwn, "exit 3": 3} {
		code, _, errs := runFilling(s, "join", "lock", "/l", "--servers", s.Addr, "--", "sh", "-c", command)
		if code != want || strings.Count(errs, "done, but") != 1 {
			t.Errorf("join ends with %d, not %d: %s", code, want, errs)
		}
	}
}

// runFilling runs a command line with a log that takes the intent and no more.
func runFilling(s *clitest.Shell, args ...string) (code int, out, errs string) {
	s.T.Helper()
	for room := 300; room < 2000; room += 100 {
		code, out, errs = runFull(s, room, args...)
		if !strings.Contains(errs, "file too large") {
			s.T.Fatalf("it is done, and nobody told that the log is full: exit %d: %s%s", code, out, errs)
		}
		if strings.Contains(errs, "done, but not all of it is in the log") {
			return code, out, errs
		}
	}
	s.T.Fatalf("it is never done: %s%s", out, errs)
	return code, out, errs
}
