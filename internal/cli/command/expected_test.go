package command_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Who is expected by the configuration and is not there is found, also where nothing is.
func TestExpectations(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	file := clitest.Written(t, "config.yaml", "expected:\n- {path: /locks/a, members: [job-1, job-9]}\n- {path: /gone, participants: 3}\nprofile: p\nprofiles:\n  p:\n    servers: \""+s.Addr+
		"\"\n    expected: [{path: /locks/b, standby: 2}]\n")
	code, out, errs := s.Run("", "check", "--config", file, "--fail-on", "medium")
	if code != world.ExitFindings || !strings.Contains(out, "job-9 is expected and not there") || !strings.Contains(out, "missing-participant  /gone") ||
		!strings.Contains(out, "no-standby           /locks/b  1 standby, 2 expected") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	_, out, _ = s.Run("", "config", "--config", file)
	for _, want := range []string{"path: /locks/b, standby: 2", file + ":8", "path: /locks/a, members: job-1 job-9", file + ":2"} {
		if !strings.Contains(out, want) {
			t.Errorf("config: no %s in\n%s", want, out)
		}
	}
	for text, says := range map[string]string{
		"{standby: 1}":                `:2: expected: "" is not a glob of a path`,
		"{path: /x, standby: none}":   ":2: expected: standby takes a whole number from 1",
		"{path: /x, participants: 0}": ":2: expected: participants takes a whole number from 1",
	} {
		bad := clitest.Written(t, "config.yaml", "expected:\n- "+text+"\n")
		s.Fails(world.ExitUsage, bad+says, "ls", s.Addr, "--config", bad)
		if code, out, _ := s.Run("", "config", "check", bad); code != world.ExitFindings || !strings.Contains(out, bad+says) {
			t.Errorf("config check: exit %d %s", code, out)
		}
	}
}
