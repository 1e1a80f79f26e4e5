package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// diffed runs diff, and returns what it prints as JSON.
func diffed(t *testing.T, s *clitest.Shell, code int, a, b string) (rep history.DiffReport) {
	t.Helper()
	got, out, errs := s.Run("", "diff", a, b, "-o", "json")
	if err := json.Unmarshal([]byte(out), &rep); got != code || err != nil {
		t.Fatalf("diff %s %s: exit %d, want %d: %v\n%s%s", a, b, got, code, err, out, errs)
	}
	return rep
}

// Two moments of a history, told by a directory or by a recording of it, differ by who holds and who went.
func TestDiffOfMoments(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	kept := filepath.Join(t.TempDir(), "night@home.jsonl")
	if code, _, errs := s.Run("", "record", "--from", clitest.Samples+"contention", "--file", kept); code != 0 {
		t.Fatal(errs)
	}
	for _, from := range []string{clitest.Samples + "contention", kept} {
		rep := diffed(t, s, history.ExitDiffers, from+"@09:30:15", "@09:30:16")
		if len(rep.Recipes) != 1 || *rep.Same || rep.Members != nil {
			t.Fatalf("%+v", rep)
		}
		r := rep.Recipes[0]
		if r.Path != "/locks/orders" || !r.Held || r.HeldA[0].Owner != "web-1" || r.HeldB[0].Owner != "web-2" || len(r.Went) != 1 || len(r.Came) != 0 || *r.Went[0].Session != "0x1000006de230000" {
			t.Errorf("%+v", r)
		}
		if len(rep.Stuck) != 1 && len(rep.Stuck) != 0 || rep.A.AsOf >= rep.B.AsOf {
			t.Errorf("%+v", rep)
		}
		_, out, _ := s.Run("", "diff", from+"@09:30:15", "@09:30:16")
		for _, want := range []string{"/locks/orders  lock\n", "  holder: web-1 → web-2\n", "  - holder web-1 (session 0x1000006de230000, "} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
		if _, out, _ = s.Run("", "diff", from+"@09:30:14.5", "@09:30:16"); strings.Contains(out, "seqLeft") || !strings.Contains(out, "/locks/orders") {
			t.Errorf("what numbers are left is no difference:\n%s", out)
		}
		rep = diffed(t, s, 0, from+"@09:30:14.7", "@09:30:15")
		if !*rep.Same || len(rep.Stuck) != 2 || rep.Stuck[0].Waiter.Owner != "web-2" || rep.Stuck[0].Behind.Owner != "web-1" {
			t.Errorf("%+v", rep)
		}
	}
	diffed(t, s, 0, kept, clitest.Samples+"contention")
}

// A snapshot of servers differs from them by what was done since; one that shows a part of the tree tells no more.
func TestDiffOfServers(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	s.Create("/app", "one", 0)
	file := filepath.Join(t.TempDir(), "now.jsonl")
	if code, _, errs := s.Run("", "snapshot", s.Addr, "--file", file); code != 0 {
		t.Fatal(errs)
	}
	if rep := diffed(t, s, 0, file, s.Addr); !*rep.Same || len(rep.Stuck) != 2 {
		t.Errorf("%+v", rep)
	}
	if err := s.Client.Delete(t.Context(), kazoo, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Client.Set(t.Context(), "/app", []byte("two"), -1); err != nil {
		t.Fatal(err)
	}
	rep := diffed(t, s, history.ExitDiffers, file, s.Addr)
	if len(rep.Recipes) != 1 || rep.Recipes[0].HeldA[0].Owner != "job-1" || rep.Recipes[0].HeldB[0].Owner != "job-2" || len(rep.Others) != 1 || rep.Others[0] != (history.OtherReport{Path: "/app", What: "changed"}) {
		t.Errorf("%+v", rep)
	}
	part := filepath.Join(t.TempDir(), "part.jsonl")
	if code, _, errs := s.Run("", "snapshot", s.Addr, "--root", "/locks/b", "--file", part); code != 0 {
		t.Fatal(errs)
	}
	if rep := diffed(t, s, history.ExitUncertain, part, part); rep.Same != nil || len(rep.Unknown) == 0 {
		t.Errorf("%+v", rep)
	}
	s.Fails(world.ExitConnect, "cannot connect", "diff", file, "127.0.0.1:1")
	s.Fails(world.ExitUsage, "takes A B, not 1", "diff", file)
	s.Fails(world.ExitUsage, "servers show what is now", "diff", file, s.Addr+"@09:30")
	s.Fails(world.ExitUsage, "the first names a file", "diff", "@09:30", file)
	s.Fails(world.ExitUsage, "write the time behind the @", "diff", file+"@", file)
	s.Fails(world.ExitUsage, "do not go with it", "diff", file, file, "--from", file)
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Fails(history.ExitUncertain, "garbage", "diff", garbage, file)
}

// Of two members' directories it is told at which transaction they part.
func TestDiffOfMembers(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	member := func(data ...string) string {
		dir := t.TempDir()
		m, err := txntest.NewMember(dir)
		if err != nil {
			t.Fatal(err)
		}
		m.Write(1, txnlog.Op{Kind: txnlog.Create, Path: []byte("/a"), Cversion: 1})
		for i, text := range data {
			m.Write(1, txnlog.Op{Kind: txnlog.SetData, Path: []byte("/a"), Data: []byte(text), Version: int32(i + 1)})
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a, b, behind := member("x", "y", "z"), member("x", "other", "z"), member("x")
	rep := diffed(t, s, history.ExitDiffers, a, b)
	if m := rep.Members; m == nil || !m.Parted || m.Same != 3 || m.A.Zxid != "0x3" || m.B.Record == m.A.Record || !strings.HasPrefix(m.A.Record, a) {
		t.Errorf("%+v", rep.Members)
	}
	if _, out, _ := s.Run("", "diff", a, b); !strings.Contains(out, "they diverge at 0x3: ") || !strings.Contains(out, "they are not of one ensemble, or one was set up again") {
		t.Error(out)
	}
	rep = diffed(t, s, history.ExitDiffers, a, behind)
	if m := rep.Members; m.Parted || m.A.Zxid != "0x3" || m.B != nil || m.OnlyA != 2 {
		t.Errorf("%+v", m)
	}
	if _, out, _ := s.Run("", "diff", a, behind); !strings.Contains(out, "goes on from 0x3 of session 0x1 at 2026-11-27T22:00:00.006Z ("+a) {
		t.Error(out)
	}
	if rep = diffed(t, s, 0, a, a); !*rep.Same || rep.Members.Same != 4 {
		t.Errorf("%+v", rep)
	}
}
