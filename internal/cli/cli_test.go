package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestMain(m *testing.M) { clitest.Main(m, Run) }

func TestLsAndShow(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	code, out, errs := s.Run("", "ls", s.Addr)
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, %q", code, errs)
	}
	for _, w := range []string{"/locks/a", "/locks/b", "lock", "held", "job-1", "batch-1"} {
		if !strings.Contains(out, w) {
			t.Errorf("ls does not say %q:\n%s", w, out)
		}
	}
	code, out, _ = s.Run("", "show", s.Addr, "/locks/a")
	for _, w := range []string{"holder", "waiter", "job-1", "job-2", "kazoo"} {
		if code != 0 || !strings.Contains(out, w) {
			t.Errorf("show does not say %q, exit %d:\n%s", w, code, out)
		}
	}
}

func TestLsJSONIsOneDocument(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	_, out, _ := s.Run("", "ls", s.Addr, "-o", "json")
	var doc struct {
		Schema  int
		Recipes []struct {
			Path   string
			Claims []struct{ Role, Owner string }
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != 1 || len(doc.Recipes) != 2 || doc.Recipes[0].Claims[0].Owner != "job-1" {
		t.Fatalf("%+v", doc)
	}
}

func TestReadCommandsSendNoWrite(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, doc := s.Contend()
	s.Run("", "ls", s.Addr)
	s.Run("", "show", s.Addr, "/locks/a")
	s.Run("", "snapshot", s.Addr)
	s.Run("", "revoke", s.Addr, doc, "--dry-run")
	s.Run("", "break", s.Addr, kazoo, "--dry-run")
	s.Run("", "break", s.Addr, kazoo, "--read-only", "--yes", "--czxid", "1")
	s.Run("", "revoke", s.Addr, doc, "--read-only", "--yes", "--czxid", "1")
	for _, q := range s.Server.Requests() {
		if q.Op.Writes() {
			t.Errorf("a write was sent: %+v", q)
		}
	}
	if len(s.Server.Requests()) < 10 {
		t.Errorf("only %d requests were seen: the recorder is blind", len(s.Server.Requests()))
	}
}

func TestBadInputIsOneLineAndTheRightCode(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	garbage := filepath.Join(t.TempDir(), "garbage.jsonl")
	if err := os.WriteFile(garbage, []byte("{\"zkscope\":1,\"kind\":\"snapshot\",\"takenAt\":\"2026-11-27T22:00:00Z\"}\nnot json\n{\"path\":\"/a\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dead := "127.0.0.1:1"
	s.Fails(world.ExitConnect, "127.0.0.1:1", "ls", dead)
	s.Fails(world.ExitConnect, "does not exist", "ls", s.Addr+"/no/such/chroot")
	for _, servers := range []string{dead, s.Addr + "/no/such/chroot", "nohost.invalid:2181"} { // a recorder that records nothing says so
		file := filepath.Join(t.TempDir(), "night.jsonl")
		if _, out, errs := s.Run("", "record", servers, "--file", file, "--for", "1m", "--timeout", "1s"); strings.Contains(out, "recorded") || errs == "" {
			t.Errorf("record of %s: %q %q", servers, out, errs)
		}
		s.Fails(world.ExitConnect, "", "record", servers, "--file", file, "--timeout", "1s")
		if _, err := os.Stat(file); err == nil {
			t.Errorf("record of %s leaves a file", servers)
		}
	}
	s.Fails(world.ExitUsage, "no-such-flag", "ls", "--no-such-flag")
	s.Fails(world.ExitUsage, "not 2 arguments", "frobnicate", "x")
	s.Fails(world.ExitUsage, "needs a terminal", s.Addr)
	s.Fails(world.ExitUsage, "port", "ls", "127.0.0.1:notaport")
	s.Fails(world.ExitError, garbage+":2", "ls", "--from", garbage)
	s.Fails(world.ExitError, "no such file", "ls", "--from", filepath.Join(t.TempDir(), "none"))
	s.Fails(world.ExitNotFound, "does not exist", "show", s.Addr, "/nothing/here")
	s.Fails(world.ExitUsage, "an argument is empty", "ls", "")
	s.Fails(world.ExitUsage, "an argument is empty", "break", kazoo, "")
	s.Fails(world.ExitUsage, "--session is empty", "break", s.Addr, kazoo, "--yes", "--session", "")
	s.Fails(world.ExitUsage, "above zero", "break", s.Addr, kazoo, "--yes", "--czxid", "0")
	s.Fails(world.ExitUsage, "is not a glob", "ls", s.Addr, "--hint", "[=lock")
	s.Fails(world.ExitUsage, "do not go with it", "ls", s.Addr, "--from", garbage)
	s.Fails(world.ExitUsage, "the kind is one of", "ls", s.Addr, "--hint", "/a=foo")
	s.Fails(world.ExitUsage, "a path begins with a slash", "show", "locks/a", s.Addr)
	s.Fails(world.ExitUsage, "takes CLAIM-PATH [SERVERS], not 0", "break")
	s.Fails(world.ExitUsage, "prints table or json", "break", s.Addr, kazoo, "-o", "csv")
	s.Fails(world.ExitRefused, "czxid", "break", s.Addr, kazoo, "--dry-run", "--czxid", "1")
	s.Fails(world.ExitUsage, "--listen", "demo", "--headless")
	s.Fails(world.ExitUsage, "path is missing", "show", s.Addr)
	s.Fails(world.ExitUsage, "--output", "ls", s.Addr, "-o", "yaml")
	s.Fails(world.ExitUsage, "GLOB=KIND", "ls", s.Addr, "--hint", "nonsense")
	s.Env[command.AuthVar] = "digest"
	s.Fails(world.ExitUsage, "a credential is written digest:USER:PASSWORD", "ls", s.Addr)
	s.Env[command.AuthVar] = "nosuch:token"
	s.Fails(world.ExitConnect, "credentials are refused", "ls", s.Addr)
	delete(s.Env, command.AuthVar)
	s.Fails(world.ExitNotFound, "is a recipe, not one of its claims", "break", s.Addr, "/locks/a", "--dry-run")
	s.Fails(world.ExitRefused, "takes a pin and --yes", "break", s.Addr, kazoo)
	s.Fails(world.ExitRefused, "takes --yes", "break", s.Addr, kazoo, "--session", s.Session(kazoo))
	s.Fails(world.ExitRefused, "belongs to session", "break", s.Addr, kazoo, "--session", "0x1")
	s.Fails(world.ExitRefused, "read-only", "break", s.Addr, kazoo, "--read-only", "--yes")
	s.Fails(world.ExitRefused, "cannot be asked to let go", "revoke", s.Addr, kazoo, "--yes")
}

func TestBreakWithAPin(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	n, _ := s.Server.Node(kazoo)
	s.Fails(world.ExitRefused, "czxid", "break", s.Addr, kazoo, "--yes", "--czxid", "1")
	code, out, errs := s.Run("", "break", s.Addr, kazoo, "--yes", "--czxid", clitest.Itoa(n.Stat.Czxid), "--reason", "drill")
	if code != 0 || !strings.Contains(out, "job-2 will hold") || !strings.Contains(out, "broke the claim of job-1") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if _, there := s.Server.Node(kazoo); there {
		t.Fatal("the claim is still there")
	}
	log, err := os.ReadFile(filepath.Join(s.Env["XDG_STATE_HOME"], "zkscope", "audit.jsonl"))
	if err != nil || strings.Count(string(log), "\n") != 2 || !strings.Contains(string(log), "drill") {
		t.Fatalf("audit log: %q, %v", log, err)
	}
}

func TestRevokeFollowsAndBreaksWhenAskedTo(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	_, doc := s.Contend()
	n, _ := s.Server.Node(doc)
	code, out, errs := s.Run("", "revoke", s.Addr, doc, "--yes", "--czxid", clitest.Itoa(n.Stat.Czxid), "--break-after", "300ms", "--follow", "0")
	for _, w := range []string{"asked batch-1 to let go", "breaking it, as asked for", "broke the claim of batch-1"} {
		if code != 0 || !strings.Contains(out, w) {
			t.Fatalf("exit %d, no %q: %s%s", code, w, out, errs)
		}
	}
}

func TestSnapshotReadsBackTheSame(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	file := filepath.Join(t.TempDir(), "now.jsonl")
	if code, _, errs := s.Run("", "snapshot", s.Addr, "--file", file); code != 0 {
		t.Fatal(errs)
	}
	s.Fails(world.ExitError, "exists", "snapshot", s.Addr, "--file", file)
	_, live, _ := s.Run("", "show", s.Addr, "/locks/b")
	_, kept, _ := s.Run("", "show", "/locks/b", "--from", file)
	cut := func(x string) string { // ages differ
		lines := strings.Split(x, "\n")
		return lines[0] + lines[len(lines)-2]
	}
	asOf, rest, _ := strings.Cut(kept, "\n")
	if !strings.HasPrefix(asOf, "as of 20") || cut(live) != cut(rest) || !strings.Contains(kept, "batch-2") {
		t.Errorf("live:\n%s\nfrom the file:\n%s", live, kept)
	}
}

func TestACutOffFileIsSaidToBeIncomplete(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	_, whole, _ := s.Run("", "snapshot", s.Addr)
	lines := strings.SplitAfter(whole, "\n")
	if _, out, _ := s.Run(whole, "ls", "--from", "-"); strings.Contains(out, "incomplete") {
		t.Errorf("the whole file: %s", out)
	}
	for cut := 1; cut < len(lines)-1; cut++ {
		_, out, _ := s.Run(strings.Join(lines[:cut], ""), "ls", "--from", "-")
		if !strings.Contains(out, "incomplete: the file ") {
			t.Errorf("%d of %d lines pass for the whole: %s", cut, len(lines), out)
		}
	}
}

func TestAnEndlessLineIsRefused(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	var e bytes.Buffer
	code := Run([]string{"ls", "--from", "-"}, world.World{In: zeros{}, Out: &e, Err: &e, Getenv: s.Getenv, Now: time.Now})
	if code != world.ExitError || !strings.Contains(e.String(), "this is not a snapshot") {
		t.Errorf("exit %d: %s", code, e.String())
	}
}

// zeros is a file without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestLostOutputIsAFailure(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	var e bytes.Buffer
	code := Run([]string{"ls", s.Addr}, world.World{In: strings.NewReader(""), Out: full{}, Err: &e, Getenv: s.Getenv, Now: time.Now})
	if code != world.ExitError || !strings.Contains(e.String(), "output is lost") {
		t.Errorf("exit %d: %s", code, e.String())
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestGuessedServersAreExplained(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Env["ZKSCOPE_SERVERS"] = s.Addr
	s.Contend()
	if code, out, _ := s.Run("", "ls"); code != 0 || !strings.Contains(out, "/locks/a") {
		t.Errorf("the environment names the servers: exit %d\n%s", code, out)
	}
}

func TestHostileNamesAndDataComeOutEscaped(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Create("/locks", "", 0)
	s.Create("/locks/x\u202ey", "", 0)
	s.Create("/locks/x\u202ey/0123456789abcdef0123456789abcdef__lock__", "evil\x1b]52;c;YQ==\x07\rhost\x9b31m\xff", wire.FlagEphemeralSequence)
	for _, args := range [][]string{{"ls", s.Addr}, {"show", s.Addr, "/locks/x\u202ey"}, {"ls", s.Addr, "-o", "json"}, {"show", s.Addr, "/locks/\x1b[31m"}} {
		_, out, errs := s.Run("", args...)
		for _, bad := range []string{"\x1b", "\x07", "\r", "\x9b", "\u202e", "\xff"} {
			if strings.Contains(out+errs, bad) {
				t.Errorf("%q: raw %q in %q%q", args, bad, out, errs)
			}
		}
	}
}
