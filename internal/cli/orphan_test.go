package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/join"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// A command that loses us has a part of the session that the server granted, which may be shorter than what was asked for.
func TestTheGraceOfAnOrphan(t *testing.T) {
	for _, x := range []struct{ asked, granted, want time.Duration }{
		{60 * time.Second, 4 * time.Second, time.Second}, {8 * time.Second, 8 * time.Second, 2 * time.Second}, {8 * time.Second, 40 * time.Second, 2 * time.Second}, {8 * time.Second, 0, 2 * time.Second},
	} {
		if got := join.OrphanGrace(x.asked, x.granted); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
}

// A bound of history that is not a time, or that leaves nothing, is refused by its own name.
func TestBoundsOfHistory(t *testing.T) {
	s := &clitest.Shell{T: t, Does: Run}
	for args, says := range map[string]string{"--since nonsense": "--since nonsense is not a time", "--until x": "--until x is not a time", "--since -1s --until -2s": "is before --since"} {
		code, _, errs := s.Run("", append([]string{"history", "/locks/orders", "--from", clitest.Samples + "contention"}, strings.Fields(args)...)...)
		if code != world.ExitUsage || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
}
