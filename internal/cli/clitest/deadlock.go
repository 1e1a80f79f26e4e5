package clitest

import (
	"os"
	"path/filepath"
	"testing"
)

// FileShell is a shell beside a file that holds deadlocked.
func FileShell(t *testing.T, does program) (*Shell, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "deadlock.jsonl")
	if err := os.WriteFile(file, []byte(Deadlocked), 0o600); err != nil {
		t.Fatal(err)
	}
	return &Shell{T: t, Does: does, Env: map[string]string{}}, file
}

// Deadlocked is a file with two sessions that wait for each other, one watch seen, and one server of two silent.
const Deadlocked = `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true,"servers":[{"addr":"s1:2181","mode":"leader","tier":"4lw","answered":true},{"addr":"s2:2181","mode":"","tier":"none","answered":false}],"sessions":[{"id":"0x8d00a1b2c3d40001","addr":"10.0.0.5:4711","timeoutMs":30000,"server":"s1:2181","connected":true,"expiresAt":null}],"watches":{"/locks/b/11111111111111111111111111111111__lock__0000000000":["0x8d00a1b2c3d40001"]}}
{"path":"/locks/a/00000000000000000000000000000000__lock__0000000000","owner":"0x8d00a1b2c3d40001","czxid":10,"ctime":1795816000000,"text":"web-1"}
{"path":"/locks/a/11111111111111111111111111111111__lock__0000000001","owner":"0x2","czxid":13,"ctime":1795816003000,"text":"web-2"}
{"path":"/locks/b/11111111111111111111111111111111__lock__0000000000","owner":"0x2","czxid":11,"ctime":1795816001000,"text":"web-2"}
{"path":"/locks/b/00000000000000000000000000000000__lock__0000000001","owner":"0x8d00a1b2c3d40001","czxid":12,"ctime":1795816002000,"text":"web-1"}
`
