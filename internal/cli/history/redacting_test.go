package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// nameless is what ls says of a file, with the owners and addresses left out.
func nameless(t *testing.T, s *clitest.Shell, file string) string {
	t.Helper()
	code, out, errs := s.Run("", "ls", "--from", file, "-o", "json")
	var r story.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("exit %d %v %s", code, err, errs)
	}
	var b strings.Builder
	for i := range r.Recipes {
		m := &r.Recipes[i]
		b.WriteString(m.Path + " " + string(m.Kind) + " " + string(m.State) + "\n")
		for _, c := range m.Claims {
			b.WriteString("  " + string(c.Role) + " " + session(c.Session) + " " + c.Path + "\n")
		}
		for _, f := range m.Findings {
			b.WriteString("  " + f.Severity + " " + f.Code + "\n")
		}
	}
	return b.String()
}

func session(id *string) string {
	if id == nil {
		return "none"
	}
	return *id
}

// everything is all that stands in a file, data decoded.
func everything(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := files.OpenFile(f, file)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	var b strings.Builder
	for i := range rec.Len() {
		for _, path := range []string{"/locks/a", "/locks/b"} {
			for _, c := range rec.At(i).At(path).Children {
				b.Write(c.Data)
			}
		}
	}
	return string(text) + b.String()
}

// What is shared shows the same holders, waiters and findings, and none of the names.
func TestRedactedFilesShowTheSame(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	dir := t.TempDir()
	plain, shared, again := filepath.Join(dir, "plain"), filepath.Join(dir, "shared"), filepath.Join(dir, "again")
	for file, args := range map[string][]string{plain: {"snapshot", s.Addr}, shared: {"snapshot", s.Addr, "--redact", "data,addresses,names"}} {
		if code, out, errs := s.Run("", append(args, "--file", file)...); code != 0 {
			t.Fatalf("exit %d %s%s", code, out, errs)
		}
	}
	if code, out, errs := s.Run("", "record", "--from", plain, "--redact", "data,addresses,names", "--file", again); code != 0 {
		t.Fatalf("exit %d %s%s", code, out, errs)
	}
	if all := everything(t, plain); !strings.Contains(all, "job-1") || !strings.Contains(all, "127.0.0.1") {
		t.Fatal(all)
	}
	want := nameless(t, s, plain)
	for _, file := range []string{shared, again} {
		if got := nameless(t, s, file); got != want || !strings.Contains(got, "waiter") {
			t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
		}
		all := everything(t, file)
		for _, word := range []string{"job", "batch", "127.0.0.1"} {
			if strings.Contains(all, word) {
				t.Errorf("%s is in\n%s", word, all)
			}
		}
	}
	s.Fails(world.ExitUsage, `--redact: "date" is none of data, addresses, names`, "snapshot", s.Addr, "--redact", "date")
	s.Fails(world.ExitUsage, `--redact: "date" is none of data, addresses, names`, "record", s.Addr, "--file", filepath.Join(dir, "x"), "--redact", "date")
}
