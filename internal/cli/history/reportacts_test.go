package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// A report tells what operators did in its time, where an audit log is given; and at which records a finding was seen.
func TestAReportTellsWhatWasDone(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	line := func(at, path, text string) string {
		return `{"at":"2026-11-28T` + at + `Z","stage":"succeeded","user":"ann","host":"ops","verb":"break","kind":"lock","recipe":"/locks/orders","path":"` + path + `","text":"` + text + `","reason":"stuck"}` + "\n"
	}
	text := line("09:30:15", "/locks/orders/x", "broke the claim of web-1") + line("08:00:00", "/locks/orders/x", "too early") + line("09:30:16", "/q/y", "skipped") + "{torn\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, md, errs := s.Run("", "report", "/locks/orders", "--from", clitest.Samples+"contention", "-o", "md", "--audit-log", file)
	for _, want := range []string{"## What was done by operators", "| 2026-11-28T09:30:15.000Z | ann&#64;ops | succeeded: broke the claim of web-1 at /locks/orders (stuck) |", "1 line is damaged and left out.", "### Who blocked whom at the worst moment", "| holds | web-1 | 0x1000006de230000 |"} {
		if code != 0 || !strings.Contains(md, want) {
			t.Errorf("exit %d, no %q in\n%s%s", code, want, md, errs)
		}
	}
	if strings.Contains(md, "too early") {
		t.Error("it tells what was done before")
	}
	if _, md, _ = s.Run("", "report", "--from", clitest.Samples+"contention", "-o", "md"); strings.Contains(md, "What was done") || !strings.Contains(md, "contention/log.1:") {
		t.Errorf("%s", md)
	}
	if code, _, errs = s.Run("", "report", "--from", clitest.Samples+"contention", "--audit-log", file+"x"); code != world.ExitError || !strings.Contains(errs, "no such file") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
