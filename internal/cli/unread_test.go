package cli

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
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// hidden makes a lock below a directory that only bob may list, with two of bob's claims; it returns their paths.
func (s *shell) hidden() (holder, waiter string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	bob, err := zkc.Dial(ctx, zkc.Config{Servers: []string{s.addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("bob:secret")}}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(bob.Close)
	make := func(path string, flags int32, acl []wire.ACL) string {
		made, err := bob.Create(ctx, path, []byte("bob"), flags, acl)
		if err != nil {
			s.t.Fatal(err)
		}
		return made.Path
	}
	make("/vault", 0, []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("bob:secret")}})
	make("/vault/lock", 0, nil)
	const name = "/vault/lock/0123456789abcdef0123456789abcdef__lock__"
	return make(name, wire.FlagEphemeralSequence, nil), make(name, wire.FlagEphemeralSequence, nil)
}

// prints runs a command line that must succeed and print texts.
func (s *shell) prints(texts []string, args ...string) string {
	s.t.Helper()
	code, out, errs := s.run("", args...)
	for _, text := range texts {
		if code != 0 || !strings.Contains(out, text) {
			s.t.Errorf("zkscope %s: exit %d, no %q in %q, %q", strings.Join(args, " "), code, text, out, errs)
		}
	}
	return out
}

// What is asked for by name is read although its parent may not be listed, and whatever --root says.
func TestAskedForByNameIsRead(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	holder, _ := s.hidden()
	s.prints([]string{"/vault/lock  lock, kazoo", "bob"}, "show", "/vault/lock", s.addr)
	s.prints([]string{"/vault/lock  lock, kazoo"}, "show", holder, s.addr)
	s.prints([]string{"bob holds"}, "why", "/vault/lock", s.addr)
	s.prints([]string{"/locks/a  lock, kazoo", "job-1"}, "show", "/locks/a", s.addr, "--root", "/locks/b")
	s.prints([]string{"job-1"}, "why", "/locks/a", s.addr, "--root", "/vault")
	s.prints([]string{"break the claim of bob", "dry run"}, "break", holder, s.addr, "--dry-run")
	s.prints([]string{"children  "}, "show", "/zookeeper/config", s.addr)
}

// Not read is not absent: exit 4 is for what is known not to exist.
func TestNotReadIsNotAbsent(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	s.hidden()
	for _, cmd := range [][]string{{"show"}, {"why"}, {"break", "--dry-run"}, {"clean", "--dry-run"}} {
		args := func(path string) []string { return append(slices.Clone(cmd), path, s.addr) }
		s.fails(world.ExitNotFound, "/vault/none does not exist", args("/vault/none")...)
		s.fails(world.ExitNotFound, "/locks/none does not exist", args("/locks/none")...)
	}
	s.fails(world.ExitError, "whether /vault is a recipe, or part of one, is not known: no permission to list its 1 child; give a credential with permission in $ZKSCOPE_AUTH", "why", "/vault", s.addr)
	s.fails(world.ExitError, "whether /vault is a recipe", "break", "/vault", s.addr, "--dry-run")
	if _, err := s.client.Create(t.Context(), "/cfg", []byte("0123456789"), 0, []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: "bob:x"}}); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := s.run("", "show", "/cfg", s.addr); code != world.ExitError || strings.Contains(out+errs, "no recipe") || !strings.Contains(errs, "no permission to read its data, 10 bytes") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs := s.run("", "show", "/vault", s.addr); code != world.ExitError || strings.Contains(out+errs, "no recipe") {
		t.Errorf("exit %d, %q %q", code, out, errs)
	}
}

// A file tells nothing about what was not read when it was taken.
func TestAFileDoesNotTellWhatWasNotRead(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.contend()
	s.hidden()
	file := filepath.Join(t.TempDir(), "s.jsonl")
	part := filepath.Join(t.TempDir(), "p.jsonl")
	s.prints(nil, "snapshot", s.addr, "--file", file)
	s.prints(nil, "snapshot", s.addr, "--file", part, "--root", "/locks")
	s.fails(world.ExitError, "/vault/lock was not read: no permission to list /vault; whether it exists the file does not tell", "show", "/vault/lock", "--from", file)
	s.fails(world.ExitError, "/vault/lock was not read: only /locks and what is below it was read", "why", "/vault/lock", "--from", part)
	s.fails(world.ExitError, "ZooKeeper's own znodes are left out", "show", "/zookeeper/config", "--from", file)
	s.fails(world.ExitNotFound, "/locks/none does not exist", "show", "/locks/none", "--from", part)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	cut := filepath.Join(t.TempDir(), "c.jsonl")
	if err := os.WriteFile(cut, []byte(strings.Join(lines[:3], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.fails(world.ExitError, "/vault was not read: of the 3 children of / only 1 were read", "show", "/vault", "--from", cut)
}

// crowd makes a line of n claims of the shell's client.
func (s *shell) crowd(dir string, n int) (claims []string) {
	s.create(dir, "", 0)
	for range n {
		claims = append(claims, s.create(dir+"/0123456789abcdef0123456789abcdef__lock__", "job-1", wire.FlagEphemeralSequence))
	}
	return claims
}

func TestACrowdIsTold(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	claims := s.crowd("/crowd", 300)
	few := []string{"--servers", s.addr, "--max-children", "200"}
	s.prints([]string{"/crowd", "job-1 holds", "299 wait"}, append(few, "ls")...)
	out := s.prints([]string{"job-1 holds", "299 wait", "MEDIUM too-large: only the names of 200 claims were read, of those behind the first 100: which sessions own them, and since when, is not known"}, append(few, "show", "/crowd")...)
	if strings.Contains(out, "persistent") || strings.Contains(out, "no permission") || strings.Count(out, "\n") < 300 {
		t.Errorf("what was not read is claimed: %.2000s", out)
	}
	s.prints([]string{"job-1 holds"}, append(few, "why", "/crowd")...)
	s.prints([]string{"break the claim of job-1", "of session " + s.session(claims[250])}, append(few, "break", claims[250], "--dry-run")...)
	s.fails(world.ExitNotFound, "does not exist", append(few, "show", "/crowd/none")...)
}

// sessionsRow is one session of sessions -o json.
func (s *shell) sessionRow(id string) (row show.SessionReport) {
	s.t.Helper()
	var rep show.SessionsReport
	if err := json.Unmarshal([]byte(s.prints(nil, "sessions", s.addr, "-o", "json")), &rep); err != nil {
		s.t.Fatal(err)
	}
	for _, row = range rep.Sessions {
		if row.ID == id {
			return row
		}
	}
	s.t.Fatalf("no session %s in %+v", id, rep)
	return row
}

// Servers tell which ephemerals a session has, also where they cannot be read: they count, and what is lost with them is
// not known.
func TestEphemeralsThatCannotBeReadCount(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	holder, waiter := s.hidden()
	id := s.session(holder)
	if row := s.sessionRow(id); !slices.Equal(row.Unread, []string{holder, waiter}) || len(row.Claims) != 0 {
		t.Errorf("%+v", row)
	}
	s.prints([]string{"OTHER includes 2 ephemeral znodes that the servers list but that were not read"}, "sessions", s.addr)
	s.prints([]string{"not read  " + holder}, "sessions", s.addr, "--session", id)
	var rep story.ImpactReport
	if err := json.Unmarshal([]byte(s.prints(nil, "impact", id, s.addr, "-o", "json")), &rep); err != nil {
		t.Fatal(err)
	}
	if rep.Safe != nil || !slices.Equal(rep.Unread, []string{holder, waiter}) {
		t.Errorf("safe %v, unread %q", rep.Safe, rep.Unread)
	}
}

// Where no server reports what a session has, and not everything could be read, nothing is called safe.
func TestImpactOfWhatNobodyTells(t *testing.T) {
	s := newShell(t, zkserver.Options{FourLetter: []string{"ruok"}})
	kazoo, _ := s.contend()
	s.hidden()
	var rep story.ImpactReport
	code, out, errs := s.run("", "impact", s.session(kazoo), s.addr, "-o", "json")
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err, code, errs)
	}
	if rep.Safe != nil && *rep.Safe {
		t.Errorf("safe although a directory was not listed: %+v", rep)
	}
}
