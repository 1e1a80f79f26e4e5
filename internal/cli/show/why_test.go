package show_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
)

// stood is a file with a lock whose holder hears, one of somebody alone, a transaction and a barrier.
const stood = `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true,"servers":[],"sessions":null,"watches":{"/barriers/release":["0x9"],"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000000":["0x1"]}}
{"path":"/barriers/release","czxid":30,"ctime":1795816740000,"text":"10.0.0.7"}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000000","owner":"0x1","czxid":10,"ctime":1795816000000,"text":""}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000002-lock-0000000001","owner":"0x2","czxid":11,"ctime":1795816001000,"text":"10.0.0.2"}
{"path":"/locks/b/_c_00000000-0000-4000-8000-000000000003-lock-0000000000","owner":"0x3","czxid":12,"ctime":1795816001000,"text":"10.0.0.3"}
{"path":"/tx1/s_1","czxid":20,"ctime":1795816000000,"text":"commit"}
{"path":"/tx1/s_2","czxid":21,"ctime":1795816000000}
`

func TestWhyNamesTheNextCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stood.jsonl")
	if err := os.WriteFile(file, []byte(stood), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	head := "/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000000 --servers 'SERVERS' --czxid 10 --session 0x1\n"
	for path, want := range map[string][]string{
		"/locks/a":          {"  zkscope revoke " + head, "    zkscope break " + head},
		"/locks/b":          {"Nothing waits here"},
		"/tx1":              {"s_2 has not voted for ", "  zkscope vote /tx1 s_2 commit --servers 'SERVERS' --czxid 21\n", "    zkscope abort /tx1 --servers 'SERVERS'\n"},
		"/barriers/release": {"by 10.0.0.7, which closed it, or by zkscope open", "  zkscope open /barriers/release --servers 'SERVERS' --czxid 30\n", "This comes from a file"},
	} {
		code, out, errs := s.Run("", "why", path, "--from", file)
		for _, w := range want {
			if code != 0 || !strings.Contains(out, w) && !strings.Contains(strings.Join(strings.Fields(out), " "), w) {
				t.Errorf("why %s: exit %d, no %q in\n%s%s", path, code, w, out, errs)
			}
		}
		if path == "/locks/b" && strings.Contains(out, "\n  zkscope ") {
			t.Errorf("a command where nothing is to be done:\n%s", out)
		}
	}
}

// lateReader is a recording of a reader of kazoo that came, or whose turn came, while a writer stood behind it: it reads, or
// waits for that one, and nothing in the file tells. The reader of the second line had read its line before a writer came.
const lateReader = `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/rw/00000000000000000000000000000001__lock__0000000001","owner":"0x1","ctime":1795816790000,"czxid":5,"text":"w1"}
{"path":"/rw/00000000000000000000000000000002__rlock__0000000002","owner":"0x2","ctime":1795816791000,"czxid":6,"text":"r1"}
{"path":"/early/00000000000000000000000000000004__rlock__0000000001","owner":"0x2","ctime":1795816791000,"czxid":8,"text":"r2"}
{"at":"2026-11-27T22:00:05Z","put":{"path":"/rw/00000000000000000000000000000003__lock__0000000003","owner":"0x3","czxid":9,"text":"w2"}}
{"at":"2026-11-27T22:00:10Z","del":"/rw/00000000000000000000000000000001__lock__0000000001"}
{"at":"2026-11-27T22:02:00Z","put":{"path":"/early/00000000000000000000000000000005__lock__0000000002","owner":"0x3","czxid":10,"text":"w3"}}
{"at":"2026-11-27T22:02:54Z","del":"/rw/00000000000000000000000000000002__rlock__0000000002"}
{"at":"2026-11-27T22:03:00Z","del":"/early/00000000000000000000000000000004__rlock__0000000001"}
`

// What a file cannot tell of a reader is said, counted nowhere, and leads to no command.
func TestAReaderOfAFileMayWait(t *testing.T) {
	file := filepath.Join(t.TempDir(), "late.jsonl")
	if err := os.WriteFile(file, []byte(lateReader), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	for args, says := range map[string][]string{
		"show /rw --at 22:02:30": {"holder? read"},
		"ls --at 22:02:30":       {"r1 reads for ≤1m50s or waits for a later writer (which is not known)"},
		"why /rw --at 22:02:30":  {"r1 reads or waits for a later writer, by 00000000000000000000000000000002__rlock__0000000002", "only the servers' watches tell", "Nothing is to be broken before"},
		"history /rw":            {"<=2m44s", "read, or waited for a later writer: not known", "0.000s to 2m44s", "held: none from beginning to end", "1 claim is not counted"},
		"history /early":         {"held: p50 3m9s, p95 3m9s, max 3m9s (n 1)"},
		"history /rw -o csv":     {",doubt\n", ",gone,,,true\n"},
		"history /rw -o json":    {`"doubt": true`, `"heldSeen": false`, `"maybeHeldMs": 164000`},
	} {
		code, out, errs := s.Run("", append(strings.Fields(args), "--from", file)...)
		for _, w := range says {
			if code != 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(w), " ")) {
				t.Errorf("%s: exit %d, no %q in\n%s%s", args, code, w, out, errs)
			}
		}
		if strings.Contains(out, "zkscope break") || args == "history /early" && strings.Contains(out, "not known") {
			t.Errorf("%s:\n%s", args, out)
		}
	}
}
