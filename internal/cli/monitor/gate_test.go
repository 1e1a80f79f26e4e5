package monitor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
)

// foul sets a title, clears the screen, reorders and hides, and speaks in C1.
const foul = `\u001b]0;P\u0007\u001b[2J\u202e\u200b\u009b31m\u0085`

// foulFile has that in every string of every kind of line.
var foulFile = strings.ReplaceAll(`{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":false,"partial":["FOUL"],"servers":[{"addr":"FOUL","mode":"FOUL","tier":"FOUL","answered":true}],"sessions":[{"id":"0x10000a1b2c30001","addr":"1.2.3.4:5FOUL","timeoutMs":30000,"server":"FOUL","connected":true},{"id":"0x2","addr":"FOUL","timeoutMs":1,"server":"FOUL","connected":false}],"watches":{"/l/FOUL":["0x2"]}}
{"path":"/l/FOUL-lock-0000000001","owner":"0x10000a1b2c30001","text":"FOUL"}
{"path":"/l/bFOUL-lock-0000000002","owner":"0x2","text":"FOUL"}
{"path":"/FOUL/x-lock-0000000001","owner":"0x2","text":"FOUL"}
{"path":"/el/leaderFOUL","owner":"0x2","text":"FOUL"}
{"path":"/app/tx1/s_FOUL","text":"commitFOUL"}
{"path":"/config/FOUL","text":"FOUL"}
{"path":"/queues/q/queue-0000000001","text":"FOUL"}
{"at":"2026-11-27T22:00:05Z","gap":"FOUL"}
`, "FOUL", foul)

// Nothing that any command writes about a file can act on a terminal.
func TestNothingFoulPassesTheGate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "foul.jsonl")
	if err := os.WriteFile(file, []byte(foulFile), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{}}
	for _, args := range []string{"ls", "show /l", "why /l", "graph", "graph -o dot", "sessions", "check", "doctor", "impact 0x2", "show /app/tx1",
		"ls -o json", "show /l -o json", "why /l -o json", "graph -o json", "sessions -o json", "check -o json", "doctor -o json", "impact 0x2 -o json"} {
		_, out, errs := s.Run("", append(strings.Fields(args), "--from", file)...)
		if out == "" && errs == "" {
			t.Errorf("%s says nothing", args)
		}
		for _, r := range out + errs {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Errorf("%s writes %U", args, r)
				break
			}
		}
	}
}
