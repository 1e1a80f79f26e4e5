package monitor_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// check speaks to Nagios as its plugins do: one line first, figures behind a bar, its own exit codes.
func TestCheckForNagios(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	line := regexp.MustCompile(`^ZKSCOPE [A-Z]+: [^|\n]+ \| high=\d+ medium=\d+ low=\d+ recipes=\d+ waiting=\d+\n`)
	code, out, errs := s.Run("", "check", s.Addr, "-o", "nagios")
	if code != monitor.NagiosOK || errs != "" || out != "ZKSCOPE OK: nothing is wrong | high=0 medium=0 low=0 recipes=0 waiting=0\n" {
		t.Errorf("nothing there: exit %d %s%s", code, errs, out)
	}
	s.Create("/locks", "", 0)
	s.Create("/locks/a|b", "", 0)
	s.Create("/locks/a|b/0123456789abcdef0123456789abcdef__lock__0000000000", "job|1", 0) // no session owns it
	code, out, errs = s.Run("", "check", s.Addr, "-o", "nagios")
	if code != monitor.NagiosCritical || errs != "" || !line.MatchString(out) || !strings.HasPrefix(out, "ZKSCOPE CRITICAL: 1 high, 0 medium: persistent-claim /locks/a/b: ") || !strings.Contains(out, "\nHIGH persistent-claim ") {
		t.Errorf("exit %d %s%s", code, errs, out)
	}
	if code, out, _ = s.Run("", "check", s.Addr, "-o", "nagios", "--ignore", "persistent-claim"); code != monitor.NagiosOK {
		t.Errorf("ignored: exit %d %s", code, out)
	}
	code, out, errs = s.Run("", "check", "127.0.0.1:1", "-o", "nagios")
	if code != monitor.NagiosUnknown || errs != "" || !strings.HasPrefix(out, "ZKSCOPE UNKNOWN: cannot connect to 127.0.0.1:1: ") {
		t.Errorf("nobody there: exit %d %s%s", code, errs, out)
	}
}
