package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shell runs command lines against a server, without a terminal.
type shell struct {
	t      *testing.T
	env    map[string]string
	server *zkserver.Server
	addr   string
	client *zkc.Conn
}

func newShell(t *testing.T, o zkserver.Options) *shell {
	t.Helper()
	o.Record = true
	s := &shell{t: t, server: zkserver.New(o), env: map[string]string{"XDG_STATE_HOME": t.TempDir()}}
	t.Cleanup(func() { s.server.Close() })
	addr, err := s.server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = addr.String()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if s.client, err = zkc.Dial(ctx, zkc.Config{Servers: []string{s.addr}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	return s
}

func (s *shell) create(path, data string, flags int32) string {
	s.t.Helper()
	made, err := s.client.Create(context.Background(), path, []byte(data), flags, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Path
}

// watch sets a watch on a znode, as a waiter does on the claim ahead and a holder that listens does on its own.
func (s *shell) watch(path string) {
	s.t.Helper()
	if _, err := s.client.WatchOnce(context.Background(), zkc.WatchData, path); err != nil {
		s.t.Fatal(err)
	}
}

// contend makes a kazoo line and a line in the recipe documents' spelling; it returns the holders' paths.
func (s *shell) contend() (kazoo, doc string) {
	for _, p := range []string{"/locks", "/locks/a", "/locks/b"} {
		s.create(p, "", 0)
	}
	kazoo = s.create("/locks/a/0123456789abcdef0123456789abcdef__lock__", "job-1", wire.FlagEphemeralSequence)
	s.create("/locks/a/1123456789abcdef0123456789abcdef__lock__", "job-2", wire.FlagEphemeralSequence)
	doc = s.create("/locks/b/0a1b2c3d-0000-4000-8000-000000000001-lock-", "batch-1", wire.FlagEphemeralSequence)
	s.create("/locks/b/0a1b2c3d-0000-4000-8000-000000000002-lock-", "batch-2", wire.FlagEphemeralSequence)
	s.watch(kazoo) // the waiter's, and the holder's that listens
	s.watch(doc)
	s.server.ForgetRequests()
	return kazoo, doc
}

func (s *shell) session(path string) string {
	n, _ := s.server.Node(path)
	return fmt.Sprintf("0x%x", uint64(n.Stat.EphemeralOwner))
}

func (s *shell) getenv(k string) string { return s.env[k] }

// run runs one command line.
func (s *shell) run(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Run(args, world.World{In: strings.NewReader(in), Out: &o, Err: &e, Getenv: s.getenv, Now: time.Now})
	return code, o.String(), e.String()
}

// fails runs a command line that must fail with one line.
func (s *shell) fails(code int, says string, args ...string) {
	s.t.Helper()
	got, out, errs := s.run("", args...)
	if got != code || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) {
		s.t.Errorf("zkscope %s: exit %d, want %d saying %q; printed %q and %q", strings.Join(args, " "), got, code, says, out, errs)
	}
}

func TestLsAndShow(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	code, out, errs := s.run("", "ls", s.addr)
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, %q", code, errs)
	}
	for _, w := range []string{"/locks/a", "/locks/b", "lock", "held", "job-1", "batch-1"} {
		if !strings.Contains(out, w) {
			t.Errorf("ls does not say %q:\n%s", w, out)
		}
	}
	code, out, _ = s.run("", "show", s.addr, "/locks/a")
	for _, w := range []string{"holder", "waiter", "job-1", "job-2", "kazoo"} {
		if code != 0 || !strings.Contains(out, w) {
			t.Errorf("show does not say %q, exit %d:\n%s", w, code, out)
		}
	}
}

func TestLsJSONIsOneDocument(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	_, out, _ := s.run("", "ls", s.addr, "-o", "json")
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
	s := newShell(t, zkserver.Options{})
	kazoo, doc := s.contend()
	s.run("", "ls", s.addr)
	s.run("", "show", s.addr, "/locks/a")
	s.run("", "snapshot", s.addr)
	s.run("", "revoke", s.addr, doc, "--dry-run")
	s.run("", "break", s.addr, kazoo, "--dry-run")
	s.run("", "break", s.addr, kazoo, "--read-only", "--yes", "--czxid", "1")
	s.run("", "revoke", s.addr, doc, "--read-only", "--yes", "--czxid", "1")
	for _, q := range s.server.Requests() {
		if q.Op.Writes() {
			t.Errorf("a write was sent: %+v", q)
		}
	}
	if len(s.server.Requests()) < 10 {
		t.Errorf("only %d requests were seen: the recorder is blind", len(s.server.Requests()))
	}
}

func TestBadInputIsOneLineAndTheRightCode(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	kazoo, _ := s.contend()
	garbage := filepath.Join(t.TempDir(), "garbage.jsonl")
	if err := os.WriteFile(garbage, []byte("{\"zkscope\":1,\"kind\":\"snapshot\",\"takenAt\":\"2026-11-27T22:00:00Z\"}\nnot json\n{\"path\":\"/a\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dead := "127.0.0.1:1"
	s.fails(world.ExitConnect, "127.0.0.1:1", "ls", dead)
	s.fails(world.ExitConnect, "does not exist", "ls", s.addr+"/no/such/chroot")
	for _, servers := range []string{dead, s.addr + "/no/such/chroot", "nohost.invalid:2181"} { // a recorder that records nothing says so
		file := filepath.Join(t.TempDir(), "night.jsonl")
		if _, out, errs := s.run("", "record", servers, "--file", file, "--for", "1m", "--timeout", "1s"); strings.Contains(out, "recorded") || errs == "" {
			t.Errorf("record of %s: %q %q", servers, out, errs)
		}
		s.fails(world.ExitConnect, "", "record", servers, "--file", file, "--timeout", "1s")
		if _, err := os.Stat(file); err == nil {
			t.Errorf("record of %s leaves a file", servers)
		}
	}
	s.fails(world.ExitUsage, "no-such-flag", "ls", "--no-such-flag")
	s.fails(world.ExitUsage, "not 2 arguments", "frobnicate", "x")
	s.fails(world.ExitUsage, "needs a terminal", s.addr)
	s.fails(world.ExitUsage, "port", "ls", "127.0.0.1:notaport")
	s.fails(world.ExitError, garbage+":2", "ls", "--from", garbage)
	s.fails(world.ExitError, "no such file", "ls", "--from", filepath.Join(t.TempDir(), "none"))
	s.fails(world.ExitNotFound, "does not exist", "show", s.addr, "/nothing/here")
	s.fails(world.ExitUsage, "an argument is empty", "ls", "")
	s.fails(world.ExitUsage, "an argument is empty", "break", kazoo, "")
	s.fails(world.ExitUsage, "--session is empty", "break", s.addr, kazoo, "--yes", "--session", "")
	s.fails(world.ExitUsage, "above zero", "break", s.addr, kazoo, "--yes", "--czxid", "0")
	s.fails(world.ExitUsage, "is not a glob", "ls", s.addr, "--hint", "[=lock")
	s.fails(world.ExitUsage, "do not go with it", "ls", s.addr, "--from", garbage)
	s.fails(world.ExitUsage, "the kind is one of", "ls", s.addr, "--hint", "/a=foo")
	s.fails(world.ExitUsage, "a path begins with a slash", "show", "locks/a", s.addr)
	s.fails(world.ExitUsage, "takes CLAIM-PATH [SERVERS], not 0", "break")
	s.fails(world.ExitUsage, "prints table or json", "break", s.addr, kazoo, "-o", "csv")
	s.fails(world.ExitRefused, "czxid", "break", s.addr, kazoo, "--dry-run", "--czxid", "1")
	s.fails(world.ExitUsage, "--listen", "demo", "--headless")
	s.fails(world.ExitUsage, "path is missing", "show", s.addr)
	s.fails(world.ExitUsage, "--output", "ls", s.addr, "-o", "yaml")
	s.fails(world.ExitUsage, "GLOB=KIND", "ls", s.addr, "--hint", "nonsense")
	s.env[command.AuthVar] = "digest"
	s.fails(world.ExitUsage, "a credential is written digest:USER:PASSWORD", "ls", s.addr)
	s.env[command.AuthVar] = "nosuch:token"
	s.fails(world.ExitConnect, "credentials are refused", "ls", s.addr)
	delete(s.env, command.AuthVar)
	s.fails(world.ExitNotFound, "is a recipe, not one of its claims", "break", s.addr, "/locks/a", "--dry-run")
	s.fails(world.ExitRefused, "takes a pin and --yes", "break", s.addr, kazoo)
	s.fails(world.ExitRefused, "takes --yes", "break", s.addr, kazoo, "--session", s.session(kazoo))
	s.fails(world.ExitRefused, "belongs to session", "break", s.addr, kazoo, "--session", "0x1")
	s.fails(world.ExitRefused, "read-only", "break", s.addr, kazoo, "--read-only", "--yes")
	s.fails(world.ExitRefused, "cannot be asked to let go", "revoke", s.addr, kazoo, "--yes")
}

func TestBreakWithAPin(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	kazoo, _ := s.contend()
	n, _ := s.server.Node(kazoo)
	s.fails(world.ExitRefused, "czxid", "break", s.addr, kazoo, "--yes", "--czxid", "1")
	code, out, errs := s.run("", "break", s.addr, kazoo, "--yes", "--czxid", itoa(n.Stat.Czxid), "--reason", "drill")
	if code != 0 || !strings.Contains(out, "job-2 will hold") || !strings.Contains(out, "broke the claim of job-1") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if _, there := s.server.Node(kazoo); there {
		t.Fatal("the claim is still there")
	}
	log, err := os.ReadFile(filepath.Join(s.env["XDG_STATE_HOME"], "zkscope", "audit.jsonl"))
	if err != nil || strings.Count(string(log), "\n") != 2 || !strings.Contains(string(log), "drill") {
		t.Fatalf("audit log: %q, %v", log, err)
	}
}

func itoa(n int64) string { return strings.TrimSpace(string(mustJSON(n))) }

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func TestRevokeFollowsAndBreaksWhenAskedTo(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	_, doc := s.contend()
	n, _ := s.server.Node(doc)
	code, out, errs := s.run("", "revoke", s.addr, doc, "--yes", "--czxid", itoa(n.Stat.Czxid), "--break-after", "300ms", "--follow", "0")
	for _, w := range []string{"asked batch-1 to let go", "breaking it, as asked for", "broke the claim of batch-1"} {
		if code != 0 || !strings.Contains(out, w) {
			t.Fatalf("exit %d, no %q: %s%s", code, w, out, errs)
		}
	}
}

func TestSnapshotReadsBackTheSame(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	file := filepath.Join(t.TempDir(), "now.jsonl")
	if code, _, errs := s.run("", "snapshot", s.addr, "--file", file); code != 0 {
		t.Fatal(errs)
	}
	s.fails(world.ExitError, "exists", "snapshot", s.addr, "--file", file)
	_, live, _ := s.run("", "show", s.addr, "/locks/b")
	_, kept, _ := s.run("", "show", "/locks/b", "--from", file)
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
	s := newShell(t, zkserver.Options{})
	s.contend()
	_, whole, _ := s.run("", "snapshot", s.addr)
	lines := strings.SplitAfter(whole, "\n")
	if _, out, _ := s.run(whole, "ls", "--from", "-"); strings.Contains(out, "incomplete") {
		t.Errorf("the whole file: %s", out)
	}
	for cut := 1; cut < len(lines)-1; cut++ {
		_, out, _ := s.run(strings.Join(lines[:cut], ""), "ls", "--from", "-")
		if !strings.Contains(out, "incomplete: the file ") {
			t.Errorf("%d of %d lines pass for the whole: %s", cut, len(lines), out)
		}
	}
}

func TestAnEndlessLineIsRefused(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	var e bytes.Buffer
	code := Run([]string{"ls", "--from", "-"}, world.World{In: zeros{}, Out: &e, Err: &e, Getenv: s.getenv, Now: time.Now})
	if code != world.ExitError || !strings.Contains(e.String(), "this is not a snapshot") {
		t.Errorf("exit %d: %s", code, e.String())
	}
}

// zeros is a file without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestLostOutputIsAFailure(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	var e bytes.Buffer
	code := Run([]string{"ls", s.addr}, world.World{In: strings.NewReader(""), Out: full{}, Err: &e, Getenv: s.getenv, Now: time.Now})
	if code != world.ExitError || !strings.Contains(e.String(), "output is lost") {
		t.Errorf("exit %d: %s", code, e.String())
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestGuessedServersAreExplained(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.env["ZKSCOPE_SERVERS"] = s.addr
	s.contend()
	if code, out, _ := s.run("", "ls"); code != 0 || !strings.Contains(out, "/locks/a") {
		t.Errorf("the environment names the servers: exit %d\n%s", code, out)
	}
}

func TestHostileNamesAndDataComeOutEscaped(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.create("/locks", "", 0)
	s.create("/locks/x\u202ey", "", 0)
	s.create("/locks/x\u202ey/0123456789abcdef0123456789abcdef__lock__", "evil\x1b]52;c;YQ==\x07\rhost\x9b31m\xff", wire.FlagEphemeralSequence)
	for _, args := range [][]string{{"ls", s.addr}, {"show", s.addr, "/locks/x\u202ey"}, {"ls", s.addr, "-o", "json"}, {"show", s.addr, "/locks/\x1b[31m"}} {
		_, out, errs := s.run("", args...)
		for _, bad := range []string{"\x1b", "\x07", "\r", "\x9b", "\u202e", "\xff"} {
			if strings.Contains(out+errs, bad) {
				t.Errorf("%q: raw %q in %q%q", args, bad, out, errs)
			}
		}
	}
}
