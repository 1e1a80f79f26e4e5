package settings_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Own commands are told with their place, and where one means nothing, too.
func TestOwnCommandsAreTold(t *testing.T) {
	file := clitest.Written(t, "config.yaml", "commands:\n- {key: Z, name: one, run: [true]}\n- key: Z\n  name: two\n  run: [cat, $PATH]\n")
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}}
	if code, out, _ := s.Run("", "config", "check", file); code != world.ExitFindings || !strings.Contains(out, file+":3: command: Z runs another command already") {
		t.Errorf("exit %d: %s", code, out)
	}
	if _, out, _ := s.Run("", "config", "--config", file); !strings.Contains(out, "Z two: cat $PATH") || !strings.Contains(out, file+":3") {
		t.Errorf("config: %s", out)
	}
}
