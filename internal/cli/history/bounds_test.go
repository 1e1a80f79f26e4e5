package history_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// A bound of history that is not a time, or that leaves nothing, is refused by its own name.
func TestBoundsOfHistory(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	for args, says := range map[string]string{"--since nonsense": "--since nonsense is not a time", "--until x": "--until x is not a time", "--since -1s --until -2s": "is before --since"} {
		code, _, errs := s.Run("", append([]string{"history", "/locks/orders", "--from", clitest.Samples + "contention"}, strings.Fields(args)...)...)
		if code != world.ExitUsage || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
}
