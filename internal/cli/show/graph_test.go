package show_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestEvidenceCommandsReadFiles(t *testing.T) {
	s, file := clitest.FileShell(t, cli.Run)
	for _, c := range []struct {
		args string
		code int
		says []string
	}{
		{"graph", 0, []string{"1/2 servers answered", "LOOKS LIKE A DEADLOCK (medium): not all waits are seen as watches", "* break the claim of web-2 (0x2): /locks/b goes to web-1",
			"zkscope break /locks/b/11111111111111111111111111111111__lock__0000000000 --servers 'SERVERS' --czxid 11 --session 0x2"}},
		{"graph -o dot", 0, []string{"digraph", "color=red"}},
		{"graph -o json", 0, []string{`"cycles": [`, `"proof": "proven"`, `"from": "0x8d00a1b2c3d40001"`, `"severity": "medium"`, `"because": "`}},
		{"sessions", 0, []string{"web-1", "10.0.0.5:4711", "connected", "30s"}},
		{"sessions --session web-2", 0, []string{"0x2  web-2", "holder", "of lock /locks/b", "waiter", "state     ?"}},
		{"sessions --session 10.0.0.5", 0, []string{"0x8d00a1b2c3d40001  web-1", "watches   /locks/b/1111"}},
		{"sessions --session nobody", world.ExitNotFound, nil},
		{"why /locks/a", 0, []string{"deadlock", "Not known", "1 server of 2 did not answer", "--czxid 11 --session 0x2"}},
		{"why /locks/a -o json", 0, []string{`"command": "zkscope break `, `"then": null`}},
		{"why /locks/none", world.ExitNotFound, nil},
		{"why / -o json", 0, []string{`"command": null`}},
		{"impact web-1", 0, []string{"? holder of /locks/a: next to hold is web-2; whether it wakes by itself is not known"}},
		{"impact web-1 -o json", 0, []string{`"safe": null`, `"wakes": null`, `"successor": true`}},
		{"impact 0x2 -o json", 0, []string{`"safe": true`, `"next": [`}},
		{"check", 0, []string{"MEDIUM", "deadlock", "/locks/a /locks/b"}},
		{"check --fail-on medium", world.ExitFindings, []string{"MEDIUM", "deadlock"}},
		{"check --ignore deadlock", 0, []string{"1/2 servers answered"}},
		{"check -o json", 0, []string{`"code": "deadlock"`}},
		{"show /locks/a -o json", 0, []string{`"code": "deadlock"`}},
		{"ls", 0, []string{"FINDINGS", "  deadlock"}},
		{"show /locks/a", 0, []string{"MEDIUM deadlock: looks like a deadlock"}},
		{"doctor", 0, []string{"\ndeadlock: looks like a deadlock: web-2 (0x2) holds /locks/b and waits for /locks/a"}},
		{"check", 0, []string{"/locks/a /locks/b  looks like a deadlock: web-2 (0x2) holds /locks/b and waits"}},
		{"ls -o json", 0, []string{`"code": "deadlock"`, `"answered": 1`}},
		{"doctor", 0, []string{"0 directories of locks and elections are empty"}},
	} {
		code, out, errs := s.Run("", append(strings.Fields(c.args), "--from", file)...)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d: %s", c.args, code, c.code, errs)
		}
		for _, w := range c.says {
			if !strings.Contains(out, w) {
				t.Errorf("%s does not say %q:\n%s", c.args, w, out)
			}
		}
		if strings.Contains(c.args, "json") && !json.Valid([]byte(out)) {
			t.Errorf("%s: no JSON", c.args)
		}
	}
	s.Fails(world.ExitUsage, "one of low, medium, high", "check", "--fail-on", "worst", "--from", file)
	s.Fails(world.ExitUsage, "takes a host", "impact", "/locks/a", "--from", file)
}

// A server that refuses all but srvr leaves the picture as good as its znodes, and says what would better it.
func TestEvidenceOfAServerThatTellsNothing(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{FourLetter: []string{"srvr"}})
	kazoo, _ := s.Contend()
	_, out, _ := s.Run("", "ls", s.Addr, "-o", "json")
	if !strings.Contains(out, `"tier": "none"`) || !strings.Contains(out, `"proof": "likely"`) || strings.Contains(out, "lost-waiter") {
		t.Errorf("ls:\n%s", out)
	}
	_, out, _ = s.Run("", "doctor", s.Addr)
	for _, w := range []string{"nothing", "put 4lw.commands.whitelist=srvr,cons,dump,conf,wchs,wchp into its configuration", "put admin.enableServer=true"} {
		if !strings.Contains(out, w) {
			t.Errorf("doctor does not say %q:\n%s", w, out)
		}
	}
	code, out, errs := s.Run("", "graph", s.Addr)
	if code != 0 || !strings.Contains(out, "none reports who watches what") {
		t.Errorf("graph: exit %d\n%s%s", code, out, errs)
	}
	if code, _, _ = s.Run("", "impact", s.Session(kazoo), s.Addr); code != world.ExitFindings {
		t.Errorf("impact: exit %d", code) // the one session of the test holds and waits everywhere
	}
	s.Fails(world.ExitUsage, "not an address of an AdminServer", "ls", s.Addr, "--admin", "ftp://x")
}

// With a chroot the servers name full paths: they are told below it.
func TestEvidenceBelowAChroot(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/prod", "", 0)
	s.Create("/prod/l", "", 0)
	head := s.Create("/prod/l/0123456789abcdef0123456789abcdef__lock__", "job-1", 3)
	s.Create("/prod/l/1123456789abcdef0123456789abcdef__lock__", "job-2", 3)
	s.Watch(head)
	_, out, _ := s.Run("", "show", "/l", s.Addr+"/prod", "-o", "json")
	if !strings.Contains(out, `"proof": "proven"`) || !strings.Contains(out, `"path": "/l"`) {
		t.Errorf("show:\n%s", out)
	}
}

// A chain that passes through two claims of one session is told as likely: its threads may differ.
func TestGraphDoubtsChainsThroughASession(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chain.jsonl")
	const chain = `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/locks/a/00000000000000000000000000000000__lock__0000000000","owner":"0x1","czxid":10,"ctime":1795816000000,"text":"web-1"}
{"path":"/locks/a/11111111111111111111111111111111__lock__0000000001","owner":"0x2","czxid":12,"ctime":1795816002000,"text":"web-2"}
{"path":"/locks/b/00000000000000000000000000000000__lock__0000000000","owner":"0x2","czxid":11,"ctime":1795816001000,"text":"web-2"}
{"path":"/locks/b/11111111111111111111111111111111__lock__0000000001","owner":"0x3","czxid":13,"ctime":1795816003000,"text":"web-3"}
`
	if err := os.WriteFile(file, []byte(chain), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	_, out, _ := s.Run("", "graph", "--from", file)
	for _, w := range []string{"web-1 (0x1) blocks 2, 1 of them likely: threads of one process may differ\n",
		"  web-2 (0x2) waits on /locks/a  likely\n", "    web-3 (0x3) waits on /locks/b  likely; likely behind the wait above\n"} {
		if !strings.Contains(out, w) {
			t.Errorf("graph does not say %q:\n%s", w, out)
		}
	}
	if _, out, _ = s.Run("", "graph", "--from", file, "-o", "json"); !strings.Contains(out, `"across": 1`) {
		t.Errorf("graph -o json:\n%s", out)
	}
}

// One is not called by a plural.
func TestOneClaimIsNoPlural(t *testing.T) {
	file := filepath.Join(t.TempDir(), "one.jsonl")
	lines := strings.Split(clitest.Deadlocked, "\n")
	if err := os.WriteFile(file, []byte(lines[0]+"\n"+lines[1]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	for args, want := range map[string]string{"impact web-1": "if web-1 went now: 1 claim of web-1 (", "check --ignore lost-waiter": "no finding in 1 recipe\n"} {
		if _, out, _ := s.Run("", append(strings.Fields(args), "--from", file)...); !strings.Contains(out, want) {
			t.Errorf("%s:\n%s", args, out)
		}
	}
}
