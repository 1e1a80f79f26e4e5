package history_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// A moment in a hole of the logs is told to be one: what is shown is of before, and is not all that is known to be there.
func TestAMomentInAHoleIsToldToBeOne(t *testing.T) {
	const claim = "/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001"
	later := func(do func(*txnlog.Record)) func(*txnlog.Record) {
		return func(r *txnlog.Record) { do(r); r.Zxid, r.Millis = r.Zxid+50, r.Millis+60_000 }
	}
	dir := logDir(t, 1<<32+1, makes(0xa, "/locks", "", false), makes(0xa, "/locks/a", "", false), makes(0xa, claim, "one", true), later(removes(0xa, claim)))
	s := &clitest.Shell{T: t, Does: cli.Run}
	const hole = "lies in a hole: nothing is recorded from 2026-11-27T22:00:02.000Z to 2026-11-27T22:01:03.000Z; this is how it was before"
	for at, in := range map[string]bool{"2026-11-27T22:00:02Z": false, "2026-11-27T22:00:30Z": true, "-10s": true, "2026-11-27T22:01:03Z": false} {
		for _, cmd := range []string{"show", "why"} {
			if code, out, errs := s.Run("", cmd, "/locks/a", "--from", dir, "--at", at); code != world.ExitOK && in || strings.Contains(errs, hole) != in {
				t.Errorf("%s at %s: exit %d\n%s%s", cmd, at, code, out, errs)
			}
		}
		if _, out, errs := s.Run("", "ls", "--from", dir, "--at", at); strings.Contains(out, "incomplete: --at "+at+" "+hole) != in {
			t.Errorf("ls at %s:\n%s%s", at, out, errs)
		}
		if _, out, _ := s.Run("", "show", "/locks/a", "--from", dir, "--at", at, "-o", "json"); in && !strings.Contains(out, `"complete": false`) {
			t.Errorf("at %s:\n%s", at, out)
		}
	}
}
