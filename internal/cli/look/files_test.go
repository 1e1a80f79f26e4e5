package look_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
)

// kept is a recording with a lock that is let go.
const kept = `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/locks","czxid":8,"numChildren":1}
{"path":"/locks/a","czxid":9,"numChildren":1,"cversion":1}
{"path":"/locks/a/00000000000000000000000000000000__lock__0000000000","owner":"0x1","czxid":10,"ctime":1795816000000,"text":"web-1"}
{"at":"2026-11-27T22:00:05Z","del":"/locks/a/00000000000000000000000000000000__lock__0000000000"}
{"at":"2026-11-27T22:00:06Z","put":{"path":"/locks/a","czxid":9,"numChildren":0,"cversion":2}}
`

// What is shown of a recording is its end, and that is said; an emptied line is called the same by check, show and why.
func TestFilesSayWhatTheyShow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.jsonl")
	if err := os.WriteFile(file, []byte(kept), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	for _, c := range []struct{ args, says string }{
		{"ls", ""},
		{"check", "no finding in 1 recipe\n"},
		{"show /locks/a", "/locks/a  lock, kazoo\nfree\n  because claims were seen here before"},
		{"why /locks/a", "/locks/a is a lock, free.\n"},
		{"show /locks", "/locks is not a recipe that zkscope knows"},
		{"doctor", "a file has no servers to ask"},
	} {
		code, out, errs := s.Run("", append(strings.Fields(c.args), "--from", file)...)
		if code != 0 || !strings.Contains(out, c.says) || !strings.Contains(errs, "as of 2026-11-27T22:00:06Z, the last of 3 states; zkscope replay "+file+" steps through it\n") {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
	}
	f, path := clitest.FileShell(t, cli.Run)
	if _, _, errs := f.Run("", "ls", "--from", path); errs != "" {
		t.Errorf("a snapshot is one state: %s", errs)
	}
}

// changing is a recording in which a lock changes hands and a site changes its vote.
const changing = `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001","owner":"0x1","czxid":10,"ctime":1795813200000,"text":"web-1"}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000002-lock-0000000002","owner":"0x2","czxid":11,"ctime":1795813200000,"text":"web-2"}
{"path":"/app/tx1/s_1","czxid":12,"text":"commit"}
{"path":"/app/tx1/s_2","czxid":13,"text":"commit"}
{"at":"2026-11-27T22:00:05Z","del":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001"}
{"at":"2026-11-27T22:00:07Z","put":{"path":"/app/tx1/s_2","czxid":13,"version":1,"text":"abort"}}
{"at":"2026-11-27T22:00:09Z","put":{"path":"/x","czxid":20}}
`

// What only history tells is told of a recording by every command, as by whoever watched.
func TestARecordingIsReadFromItsBeginning(t *testing.T) {
	file := filepath.Join(t.TempDir(), "changing.jsonl")
	if err := os.WriteFile(file, []byte(changing), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	for _, c := range []struct{ args, says string }{
		{"show /locks/a", "web-2 holds for 4s\n"},
		{"ls", "web-2 holds for 4s"},
		{"why /locks/a", "web-2 holds for 4s"},
		{"show /locks/a -o json", `"sinceSeen": true`},
		{"show /locks/a -o json", `"since": "2026-11-27T22:00:05Z"`},
		{"show /app/tx1", "vote-changed"},
		{"check", "vote-changed"},
		{"show /locks/a --at 22:00:06", "web-2 holds for 0s\n"},
		{"show /locks/a --at 2026-11-27T22:00:00Z", "web-1 holds for ≤1h, 1 waiting\n"},
		{"show /locks/a --at -8s", "web-1 holds for ≤1h, 1 waiting\n"},
		{"show /locks/a --at -8s --ascii", "web-1 holds for <=1h, 1 waiting\n"},
		{"show /app/tx1 --at 22:00:06", "commit"},
	} {
		code, out, errs := s.Run("", append(strings.Fields(c.args), "--from", file)...)
		if code != 0 && code != 3 || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
	}
	if code, _, errs := s.Run("", "ls", "--from", file, "--at", "22:00"); code != 0 {
		t.Errorf("exit %d: %s", code, errs)
	}
	for at, says := range map[string]string{"2026-11-27T21:00:00Z": "before the file begins, at 2026-11-27T22:00:00Z", "noon": "is not a time: write it as"} {
		if code, _, errs := s.Run("", "ls", "--from", file, "--at", at); code != 2 || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d: %s", at, code, errs)
		}
	}
}

// A check of one lock tells of the deadlock that it is in with another.
func TestACheckOfOnePathSeesWhatItIsInWithOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pair.jsonl")
	lock := func(dir string, i int, session string) string {
		return fmt.Sprintf("{\"path\":\"/locks/%s/_c_0000000%d-0000-4000-8000-00000000000%s-lock-000000000%d\",\"owner\":\"0x%s\",\"text\":\"app-%s\"}\n", dir, i, session, i, session, session)
	}
	text := "{\"zkscope\":1,\"kind\":\"snapshot\",\"takenAt\":\"2026-11-27T22:00:00Z\",\"root\":\"/\",\"complete\":true}\n" +
		lock("a", 1, "1") + lock("b", 1, "2") + lock("a", 2, "2") + lock("b", 2, "1") + lock("c", 1, "3")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	for path, told := range map[string]bool{"/locks/a": true, "/locks/b": true, "/locks": true, "/locks/c": false} {
		if _, out, errs := s.Run("", "check", path, "--from", file); strings.Contains(out, "deadlock") != told {
			t.Errorf("check %s: %s%s", path, out, errs)
		}
	}
}

// A moment in a gap of a recording is said to be one.
func TestAMomentInAGapIsSaidToBeOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gap.jsonl")
	text := kept[:strings.Index(kept, `{"at"`)] + `{"at":"2026-11-27T22:00:05Z","gap":"disconnected"}` + "\n" +
		`{"at":"2026-11-27T22:00:30Z","del":"/locks/a/00000000000000000000000000000000__lock__0000000000"}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	const says = "no connection since 2026-11-27T22:00:05Z: what happened from then on was not seen\n"
	if code, out, errs := s.Run("", "ls", "--from", file, "--at", "22:00:20"); code != 0 || !strings.Contains(out, says) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, out, errs := s.Run("", "ls", "--from", file); code != 0 || strings.Contains(out, says) {
		t.Errorf("at the end: exit %d\n%s%s", code, out, errs)
	}
}
