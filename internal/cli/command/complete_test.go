package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Shells complete paths as servers have them, profiles, codes, kinds and formats; nothing else is printed, and nothing written.
func TestShellsComplete(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	s.Create("/locks/with space", "", 0)
	s.Create("/locks/bad\u202ex", "", 0)
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	file := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(file, []byte("profiles: {prod: {servers: \""+s.Addr+"\", auth-command: [touch, "+ran+"]}, pre: {servers: \"127.0.0.1:1\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Server.ForgetRequests()
	for line, want := range map[string]string{
		"show --servers ADDR /loc":              "/locks",
		"show ADDR /locks/":                     "/locks/a\n/locks/b\n/locks/with space",
		"break --servers ADDR " + kazoo[:12]:    kazoo,
		"join lock --servers ADDR /locks/a":     "/locks/a",
		"join lo":                               "*lock",
		"why --config FILE --profile prod /lo":  "/locks",
		"why --config FILE --profile pre /lo":   "",
		"why --config FILE --profile p":         "pre\nprod",
		"ls -o ":                                "table\njson\ncsv\nname",
		"break -o ":                             "table\njson",
		"vote /tx s_1 ":                         "commit\nabort",
		"explain lost-":                         "*lost-waiter",
		"show --servers nonsense:::: /":         "",
		"show --servers ADDR --root /locks/w":   "/locks/with space",
		"watch --servers ADDR /locks/a/nothing": "",
	} {
		args := strings.Split(strings.NewReplacer("ADDR", s.Addr, "FILE", file).Replace(line), " ")
		code, out, errs := s.Run("", append([]string{"__complete"}, args...)...)
		got, _, _ := strings.Cut(out, ":") // then the directive
		got = strings.TrimSpace(got)
		if rest, some := strings.CutPrefix(want, "*"); some {
			if !strings.Contains("\n"+got+"\n", "\n"+rest+"\n") {
				t.Errorf("%s: %q", line, out)
			}
		} else if got != want || code != 0 {
			t.Errorf("%s: exit %d, %q, %s", line, code, out, errs)
		}
	}
	for _, r := range s.Server.Requests() {
		if r.Op != wire.OpCreateSession && r.Op != wire.OpGetChildren && r.Op != wire.OpGetChildren2 && r.Op != wire.OpClose && r.Op != wire.OpPing {
			t.Errorf("it sends %s", r.Op)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program was run for credentials")
	}
}
