package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	s := &shell{t: t, env: map[string]string{}}
	for _, c := range []struct{ args, says string }{
		{"ls", ""},
		{"check", "1 directory of a lock or an election is empty"},
		{"show /locks/a", "/locks/a: nobody holds it; an empty lock directory\n"},
		{"why /locks/a", "/locks/a: nobody holds it; an empty lock directory"},
		{"show /locks", "/locks is no recipe that zkscope knows"},
		{"doctor", "a file has no servers to ask"},
	} {
		code, out, errs := s.run("", append(strings.Fields(c.args), "--from", file)...)
		if code != 0 || !strings.Contains(out, c.says) || !strings.Contains(errs, "as of 2026-11-27T22:00:06Z, the last of 3 states; zkscope replay "+file+" steps through it\n") {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
	}
	f, path := fileShell(t)
	if _, _, errs := f.run("", "ls", "--from", path); errs != "" {
		t.Errorf("a snapshot is one state: %s", errs)
	}
}
