package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	s := &shell{t: t, env: map[string]string{}}
	head := "/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000000 --czxid 10 --session 0x1\n"
	for path, want := range map[string][]string{
		"/locks/a":          {"  zkscope revoke " + head, "  if it does not let go: zkscope break " + head},
		"/locks/b":          {"Nothing waits here"},
		"/tx1":              {"s_2 has not voted for ", "  zkscope vote /tx1 s_2 'commit|abort'\n", "  if it is not to commit: zkscope abort /tx1\n"},
		"/barriers/release": {"by 10.0.0.7, which closed it, or by zkscope open", "  zkscope open /barriers/release --czxid 30\n"},
	} {
		code, out, errs := s.run("", "why", path, "--from", file)
		for _, w := range want {
			if code != 0 || !strings.Contains(out, w) {
				t.Errorf("why %s: exit %d, no %q in\n%s%s", path, code, w, out, errs)
			}
		}
		if path == "/locks/b" && strings.Contains(out, "\n  zkscope ") {
			t.Errorf("a command where nothing is to be done:\n%s", out)
		}
	}
}
