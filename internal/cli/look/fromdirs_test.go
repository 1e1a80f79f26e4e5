package look_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// The samples of real servers' directories tell who held what, and what they cover.
func TestFromServersDirectories(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	dir := clitest.Samples
	for _, x := range []struct {
		args string
		code int
		says []string
	}{
		{"show --from " + dir + "expiry --at 09:31:18 /locks/nightly", 0, []string{"batch-1 holds for", "1 waiting", "expiry: 173 transactions, 0x1 to 0xad, 2026-11-28T09:31:17.148Z to 2026-11-28T09:31:22.524Z"}},
		{"show --from " + dir + "expiry --at 09:31:22.500 /locks/nightly", 0, []string{"batch-2 holds for"}},
		{"show --from " + dir + "contention --at 09:30:16 /locks/orders", 0, []string{"web-2 holds for", "1 waiting"}},
		{"ls --from " + dir + "contention," + dir + "contention", 0, []string{"/locks/orders", "together: 42 transactions"}},
		{"sessions --from " + dir + "expiry --at 09:31:18", 0, []string{"batch-1", "0x1000007d0520002", "4s"}},
		{"check --from " + dir + "contention", 3, []string{"participant-lost"}},
		{"ls --from " + dir + "contention --at 2026-11-28T09:00:00Z", world.ExitUsage, []string{"before the file begins"}},
		{"ls --from ..", world.ExitError, []string{"no log.* or snapshot.* of a ZooKeeper server"}},
	} {
		code, out, errs := s.Run("", strings.Fields(x.args)...)
		for _, w := range x.says {
			if !strings.Contains(out+errs, w) {
				t.Errorf("%s does not say %q", x.args, w)
			}
		}
		if code != x.code {
			t.Errorf("%s: exit %d", x.args, code)
		}
		if t.Failed() {
			t.Fatalf("%s%s", out, errs)
		}
	}
}
