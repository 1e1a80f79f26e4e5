package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// No command sends a write where --read-only, or a profile that is read-only, forbids it: every verb that there is, taking part
// and voting, claims from standard input, and whatever only looks. The server counts.
func TestReadOnlySendsNoWriteOnAnyCommand(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, doc := s.Contend()
	for _, path := range []string{"/barrier", "/queue", "/queue/queue-0000000001", "/tx", "/tx/s_1", "/config", "/config/x", "/empty"} {
		s.Create(path, "", 0)
	}
	config := clitest.Written(t, "config.yaml", "profiles:\n  ro: {servers: \""+s.Addr+"\", read-only: true}\n")
	at := map[string]string{"revoke": doc, "break": kazoo, "open": "/barrier", "close": "/barrier", "skip": "/queue/queue-0000000001",
		"requeue": "/queue/queue-0000000001", "abort": "/tx/s_1", "clean": "/empty", "restore": doc, "set": "/config/x"}
	var changes [][]string
	for i := range change.Verbs {
		verb, _, _ := strings.Cut(change.Verbs[i].Use, " ")
		if at[verb] == "" {
			t.Errorf("%s is not tried", verb)
			continue
		}
		args := []string{verb, at[verb], "--yes", "--czxid", "1"}
		if verb == "set" {
			args = append(args, "--data", "y")
		}
		changes = append(changes, args)
	}
	changes = append(changes, []string{"join", "lock", "/locks/a", "--", "true"}, []string{"vote", "/tx", "s_1", "commit", "--yes"})
	looks := [][]string{{"ls"}, {"ls", "-o", "name"}, {"show", "/locks/a"}, {"why", "/locks/a"}, {"graph"}, {"sessions"}, {"impact", "job-1"}, {"doctor"},
		{"check"}, {"check", "--prometheus", filepath.Join(t.TempDir(), "x.prom")}, {"snapshot"}, {"watch", "/locks/a", "--for", "1s"},
		{"record", "--file", filepath.Join(t.TempDir(), "x"), "--for", "1s"}}
	flagged, profiled := []string{"--servers", s.Addr, "--read-only"}, []string{"--config", config, "--profile", "ro"}
	s.Server.ForgetRequests()
	for _, how := range [][]string{flagged, profiled} {
		for _, args := range changes {
			at := len(args) // before what is run
			for i, a := range args {
				if a == "--" {
					at = i
				}
			}
			all := append(append(append([]string{}, args[:at]...), how...), args[at:]...)
			if code, out, errs := s.Run("", all...); code != world.ExitRefused && code != world.ExitOwn || !strings.Contains(errs, "read-only") {
				t.Errorf("%v: exit %d: %s%s", all, code, out, errs)
			}
		}
		if code, out, errs := s.Run(kazoo+"\n", append([]string{"break", "-", "--yes"}, how...)...); code == world.ExitOK {
			t.Errorf("claims from standard input: %s%s", out, errs)
		}
	}
	for _, args := range looks {
		if code, out, errs := s.Run("", append(args, flagged...)...); code != world.ExitOK && code != world.ExitFindings {
			t.Errorf("%v: exit %d: %s%s", args, code, out, errs)
		}
	}
	seen := s.Server.Requests()
	for _, q := range seen {
		if q.Op.Writes() {
			t.Errorf("a write was sent: %+v", q)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d requests were seen: the recorder is blind", len(seen))
	}
}
