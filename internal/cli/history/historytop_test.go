package history_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txntest"
)

// Recipes are ranked by how long their claims waited, from directories and from recordings alike.
func TestHistoryTop(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	kept := filepath.Join(t.TempDir(), "night.jsonl")
	if code, _, errs := s.Run("", "record", "--from", clitest.Samples+"contention", "--file", kept); code != 0 {
		t.Fatal(errs)
	}
	for _, from := range []string{clitest.Samples + "contention", kept} {
		code, out, errs := s.Run("", "history", "--top", "--from", from, "-o", "csv")
		if code != 0 || !strings.HasPrefix(out, "path,kind,waited_ms,waiters,longest_ms,claims,changes,lost,doubts\n/locks/orders,lock,2514,2,1509,3,2,0,0\n/el,election,513,1,513,2,0,0,0\n/sem,semaphore,0,0,0,1,0,0,0\n") {
			t.Errorf("%s: exit %d\n%s%s", from, code, out, errs)
		}
		if code, out, _ = s.Run("", "history", "--top=1", "--from", from); code != 0 || !strings.Contains(out, "1 of 3 recipes whose claims wait") || strings.Contains(out, "/el") {
			t.Errorf("%s: exit %d\n%s", from, code, out)
		}
		var rep history.TopReport
		_, out, _ = s.Run("", "history", "--top", "--from", from, "-o", "json", "--until", "09:30:15")
		if err := json.Unmarshal([]byte(out), &rep); err != nil || len(rep.Recipes) == 0 || rep.Recipes[0].Path != "/locks/orders" || rep.Recipes[0].WaitedMs > 1000 || *rep.End > "2026-11-28T09:30:15.001Z" {
			t.Errorf("%s: %v\n%s", from, err, out)
		}
	}
	dir := t.TempDir()
	m, err := txntest.NewMember(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	s.Fails(world.ExitError, "nothing that is there tells what happened", "history", "--top", "--from", dir)
	s.Fails(world.ExitUsage, "takes no path", "history", "--top", "/a", "--from", clitest.Samples+"contention")
	s.Fails(world.ExitUsage, "takes no path", "history", "--top=0", "--from", clitest.Samples+"contention")
	s.Fails(world.ExitUsage, "servers cannot be asked for the past", "history", "--top")
	s.Fails(world.ExitUsage, "--since is empty", "history", "--top", "--from", clitest.Samples+"contention", "--since=")
}

// A part of a history becomes a recording that begins and ends where it was asked to.
func TestAPartOfAHistoryIsRecorded(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	file := filepath.Join(t.TempDir(), "part.jsonl")
	if code, out, errs := s.Run("", "record", "--from", clitest.Samples+"contention", "--since", "09:30:15", "--until", "09:30:16", "--file", file); code != 0 || !strings.HasPrefix(out, "recorded 3 states") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	_, out, _ := s.Run("", "history", "/locks/orders", "--from", file, "-o", "csv")
	if !strings.Contains(out, "web-1,0x1000006de230000,1,3,") && !strings.Contains(out, "web-1,0x1000006de230000,0,3,") || strings.Count(out, "\n") != 4 || strings.Contains(out, "released") {
		t.Error(out)
	}
	s.Fails(world.ExitUsage, "--since and --until go with --from", "record", "127.0.0.1:1", "--file", file, "--since", "09:00")
	if code, _, errs := s.Run("", "record", "--from", clitest.Samples+"contention", "--file", file+"2", "--until", "2020-01-01T00:00:00Z"); code != world.ExitUsage || !strings.Contains(errs, "is before the file begins") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
