package look_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// hidden makes a lock below a directory that only bob may list, with two of bob's claims; it returns their paths.
func hiddenLock(s *clitest.Shell) (holder, waiter string) {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	bob, err := zkc.Dial(ctx, zkc.Config{Servers: []string{s.Addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("bob:secret")}}})
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(bob.Close)
	make := func(path string, flags int32, acl []wire.ACL) string {
		made, err := bob.Create(ctx, path, []byte("bob"), flags, acl)
		if err != nil {
			s.T.Fatal(err)
		}
		return made.Path
	}
	make("/vault", 0, []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("bob:secret")}})
	make("/vault/lock", 0, nil)
	const name = "/vault/lock/0123456789abcdef0123456789abcdef__lock__"
	return make(name, wire.FlagEphemeralSequence, nil), make(name, wire.FlagEphemeralSequence, nil)
}

// prints runs a command line that must succeed and print texts.
func prints(s *clitest.Shell, texts []string, args ...string) string {
	s.T.Helper()
	code, out, errs := s.Run("", args...)
	for _, text := range texts {
		if code != 0 || !strings.Contains(out, text) {
			s.T.Errorf("zkscope %s: exit %d, no %q in %q, %q", strings.Join(args, " "), code, text, out, errs)
		}
	}
	return out
}

// What is asked for by name is read although its parent may not be listed, and whatever --root says.
func TestAskedForByNameIsRead(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	holder, _ := hiddenLock(s)
	prints(s, []string{"/vault/lock  lock, kazoo", "bob"}, "show", "/vault/lock", s.Addr)
	prints(s, []string{"/vault/lock  lock, kazoo"}, "show", holder, s.Addr)
	prints(s, []string{"bob holds"}, "why", "/vault/lock", s.Addr)
	prints(s, []string{"/locks/a  lock, kazoo", "job-1"}, "show", "/locks/a", s.Addr, "--root", "/locks/b")
	prints(s, []string{"job-1"}, "why", "/locks/a", s.Addr, "--root", "/vault")
	prints(s, []string{"break the claim of bob", "dry run"}, "break", holder, s.Addr, "--dry-run")
	prints(s, []string{"children  "}, "show", "/zookeeper/config", s.Addr)
}

// Not read is not absent: exit 4 is for what is known not to exist.
func TestNotReadIsNotAbsent(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	hiddenLock(s)
	for _, cmd := range [][]string{{"show"}, {"why"}, {"break", "--dry-run"}, {"clean", "--dry-run"}} {
		args := func(path string) []string { return append(slices.Clone(cmd), path, s.Addr) }
		s.Fails(world.ExitNotFound, "/vault/none does not exist", args("/vault/none")...)
		s.Fails(world.ExitNotFound, "/locks/none does not exist", args("/locks/none")...)
	}
	s.Fails(world.ExitError, "whether /vault is a recipe, or part of one, is not known: no permission to list its 1 child; give a credential with permission in $ZKSCOPE_AUTH", "why", "/vault", s.Addr)
	s.Fails(world.ExitError, "whether /vault is a recipe", "break", "/vault", s.Addr, "--dry-run")
	if _, err := s.Client.Create(t.Context(), "/cfg", []byte("0123456789"), 0, []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: "bob:x"}}); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := s.Run("", "show", "/cfg", s.Addr); code != world.ExitError || strings.Contains(out+errs, "no recipe") || !strings.Contains(errs, "no permission to read its data, 10 bytes") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs := s.Run("", "show", "/vault", s.Addr); code != world.ExitError || strings.Contains(out+errs, "no recipe") {
		t.Errorf("exit %d, %q %q", code, out, errs)
	}
}

// A file tells nothing about what was not read when it was taken.
func TestAFileDoesNotTellWhatWasNotRead(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	hiddenLock(s)
	file := filepath.Join(t.TempDir(), "s.jsonl")
	part := filepath.Join(t.TempDir(), "p.jsonl")
	prints(s, nil, "snapshot", s.Addr, "--file", file)
	prints(s, nil, "snapshot", s.Addr, "--file", part, "--root", "/locks")
	s.Fails(world.ExitError, "/vault/lock was not read: no permission to list /vault; whether it exists the file does not tell", "show", "/vault/lock", "--from", file)
	s.Fails(world.ExitError, "/vault/lock was not read: only /locks and what is below it was read", "why", "/vault/lock", "--from", part)
	s.Fails(world.ExitError, "ZooKeeper's own znodes are left out", "show", "/zookeeper/config", "--from", file)
	s.Fails(world.ExitNotFound, "/locks/none does not exist", "show", "/locks/none", "--from", part)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	cut := filepath.Join(t.TempDir(), "c.jsonl")
	if err := os.WriteFile(cut, []byte(strings.Join(lines[:3], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Fails(world.ExitError, "/vault was not read: of the 3 children of / only 1 were read", "show", "/vault", "--from", cut)
}

// crowd makes a line of n claims of the shell's client.
func crowd(s *clitest.Shell, dir string, n int) (claims []string) {
	s.Create(dir, "", 0)
	for range n {
		claims = append(claims, s.Create(dir+"/0123456789abcdef0123456789abcdef__lock__", "job-1", wire.FlagEphemeralSequence))
	}
	return claims
}

func TestACrowdIsTold(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	claims := crowd(s, "/crowd", 300)
	few := []string{"--servers", s.Addr, "--max-children", "200"}
	prints(s, []string{"/crowd", "job-1 holds", "299 wait"}, append(few, "ls")...)
	out := prints(s, []string{"job-1 holds", "299 wait", "MEDIUM too-large: only the names of 200 claims were read, of those behind the first 100: which sessions own them, and since when, is not known"}, append(few, "show", "/crowd")...)
	if strings.Contains(out, "persistent") || strings.Contains(out, "no permission") || strings.Count(out, "\n") < 300 {
		t.Errorf("what was not read is claimed: %.2000s", out)
	}
	prints(s, []string{"job-1 holds"}, append(few, "why", "/crowd")...)
	prints(s, []string{"break the claim of job-1", "of session " + s.Session(claims[250])}, append(few, "break", claims[250], "--dry-run")...)
	s.Fails(world.ExitNotFound, "does not exist", append(few, "show", "/crowd/none")...)
}

// sessionsRow is one session of sessions -o json.
func sessionRow(s *clitest.Shell, id string) (row show.SessionReport) {
	s.T.Helper()
	var rep show.SessionsReport
	if err := json.Unmarshal([]byte(prints(s, nil, "sessions", s.Addr, "-o", "json")), &rep); err != nil {
		s.T.Fatal(err)
	}
	for _, row = range rep.Sessions {
		if row.ID == id {
			return row
		}
	}
	s.T.Fatalf("no session %s in %+v", id, rep)
	return row
}

// Servers tell which ephemerals a session has, also where they cannot be read: they count, and what is lost with them is
// not known.
func TestEphemeralsThatCannotBeReadCount(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	holder, waiter := hiddenLock(s)
	id := s.Session(holder)
	if row := sessionRow(s, id); !slices.Equal(row.Unread, []string{holder, waiter}) || len(row.Claims) != 0 {
		t.Errorf("%+v", row)
	}
	prints(s, []string{"OTHER includes 2 ephemeral znodes that the servers list but that were not read"}, "sessions", s.Addr)
	prints(s, []string{"not read  " + holder}, "sessions", s.Addr, "--session", id)
	var rep story.ImpactReport
	if err := json.Unmarshal([]byte(prints(s, nil, "impact", id, s.Addr, "-o", "json")), &rep); err != nil {
		t.Fatal(err)
	}
	if rep.Safe != nil || !slices.Equal(rep.Unread, []string{holder, waiter}) {
		t.Errorf("safe %v, unread %q", rep.Safe, rep.Unread)
	}
}

// Where no server reports what a session has, and not everything could be read, nothing is called safe.
func TestImpactOfWhatNobodyTells(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{FourLetter: []string{"ruok"}})
	kazoo, _ := s.Contend()
	hiddenLock(s)
	var rep story.ImpactReport
	code, out, errs := s.Run("", "impact", s.Session(kazoo), s.Addr, "-o", "json")
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err, code, errs)
	}
	if rep.Safe != nil && *rep.Safe {
		t.Errorf("safe although a directory was not listed: %+v", rep)
	}
}
