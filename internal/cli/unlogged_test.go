//go:build linux

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// limitVar bounds the size of the files that a process of the tests may write.
const limitVar = "ZKSCOPE_TEST_LIMIT"

// setLimit takes on the bound of this process.
func setLimit() {
	if n, err := strconv.ParseUint(os.Getenv(limitVar), 10, 64); err == nil {
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
	}
}

// runFull runs a command line with an audit log that takes room more bytes.
func (s *shell) runFull(room int, args ...string) (code int, out, errs string) {
	s.t.Helper()
	const size = 1 << 20
	log := filepath.Join(s.t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(log, append(bytes.Repeat([]byte{' '}, size-1), '\n'), 0o600); err != nil {
		s.t.Fatal(err)
	}
	list, _ := json.Marshal(append([]string{"--audit-log", log}, args...)) // before a --
	cmd := exec.Command(os.Args[0], "-test.run=^TestBeZkscope$")
	cmd.Env = append(os.Environ(), beVar+"="+string(list), limitVar+"="+strconv.Itoa(size+room))
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// What was done while the log ran full is told, with a code of its own: the log holds the intent alone.
func TestALogThatRunsFullAfterTheIntentIsTold(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	kazoo, _ := s.contend()
	n, _ := s.server.Node(kazoo)
	pin := []string{"break", s.addr, kazoo, "--yes", "--czxid", itoa(n.Stat.Czxid)}
	if code, _, errs := s.runFull(100, pin...); code != world.ExitRefused || !strings.Contains(errs, "without the log nothing is done") {
		t.Errorf("without room for the intent: exit %d: %s", code, errs)
	}
	if code, out, errs := s.runFilling(pin...); code != world.ExitUnlogged || !strings.Contains(out, "broke the claim") || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if _, there := s.server.Node(kazoo); there {
		t.Error("it was not broken")
	}
	for command, want := range map[string]int{"true": world.ExitOwn, "exit 3": 3} {
		code, _, errs := s.runFilling("join", "lock", "/l", "--servers", s.addr, "--", "sh", "-c", command)
		if code != want || strings.Count(errs, "done, but") != 1 {
			t.Errorf("join ends with %d, not %d: %s", code, want, errs)
		}
	}
}

// runFilling runs a command line with a log that takes the intent and no more.
func (s *shell) runFilling(args ...string) (code int, out, errs string) {
	s.t.Helper()
	for room := 300; room < 2000; room += 100 {
		code, out, errs = s.runFull(room, args...)
		if !strings.Contains(errs, "file too large") {
			s.t.Fatalf("it is done, and nobody told that the log is full: exit %d: %s%s", code, out, errs)
		}
		if strings.Contains(errs, "done, but not all of it is in the log") {
			return code, out, errs
		}
	}
	s.t.Fatalf("it is never done: %s%s", out, errs)
	return code, out, errs
}
