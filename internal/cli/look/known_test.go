package look_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Addresses are shown with what the configuration's list calls them, a profile's own before that for all; a list that cannot be
// read is told, and costs nothing else.
func TestAddressesAreShownWithNames(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	list := clitest.Written(t, "pods", "127.0.0.1 web-7f9c\x1b[31m node-3\n")
	file := clitest.Written(t, "config.yaml", "names: {file: "+list+"}\nprofile: p\nprofiles:\n  p: {servers: \""+s.Addr+"\"}\n  q: {servers: \""+s.Addr+"\", names: {command: [echo, 127.0.0.1, of-q]}}\n")
	const name = `(web-7f9c\x1b[31m node-3)`
	run := func(args ...string) string {
		t.Helper()
		code, out, errs := s.Run("", append(args, "--config", file, "--4lw", s.Addr)...)
		if code != world.ExitOK || errs != "" {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
		return out
	}
	for _, args := range [][]string{{"sessions"}, {"sessions", "--session", "job-1"}, {"why", kazoo}, {"ls", "--columns", "path,client"}} {
		if out := run(args...); !strings.Contains(out, name) {
			t.Errorf("%v: %s", args, out)
		}
		if out := run(append(args, "--profile", "q")...); !strings.Contains(out, "(of-q)") || strings.Contains(out, "web-7f9c") {
			t.Errorf("%v in q: %s", args, out)
		}
	}
	var r show.SessionsReport
	if err := json.Unmarshal([]byte(run("sessions", "-o", "json")), &r); err != nil || len(r.Sessions) == 0 || r.Sessions[0].Known == nil || *r.Sessions[0].Known != `web-7f9c\x1b[31m node-3` {
		t.Errorf("%v %+v", err, r.Sessions)
	}
	if out := run("config"); !strings.Contains(out, "names.file") || !strings.Contains(out, file+":1") {
		t.Errorf("config: %s", out)
	}
	gone := clitest.Written(t, "config.yaml", "names: {file: /nowhere/pods}\n")
	code, out, errs := s.Run("", "sessions", s.Addr, "--config", gone, "--4lw", s.Addr)
	if code != world.ExitOK || !strings.Contains(errs, "zkscope: warning: names: /nowhere/pods: no such file") || !strings.Contains(out, "127.0.0.1:") {
		t.Errorf("a list that is not there: exit %d %s%s", code, out, errs)
	}
	for text, says := range map[string]string{"{file: a, command: [b]}": ":2: names: names come from a file or from a command", "{file: a, every: x}": ":2: names: every takes a time from 1s",
		"{every: 5m}": ":2: names: there is neither file nor command"} {
		bad := clitest.Written(t, "config.yaml", "names:\n  "+text+"\n")
		s.Fails(world.ExitUsage, bad+says, "sessions", s.Addr, "--config", bad)
		if code, out, _ := s.Run("", "config", "check", bad); code != world.ExitFindings || !strings.Contains(out, bad+says) {
			t.Errorf("config check: exit %d %s", code, out)
		}
	}
}
