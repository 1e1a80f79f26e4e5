package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestMistypedWordsAreMet(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	for _, x := range []struct {
		says string
		args []string
	}{
		{"there is no command lss; did you mean ls? a server of that name is written lss:2181", []string{"lss"}},
		{"did you mean sessions?", []string{"sesions"}},
		{"did you mean snapshot?", []string{"help", "snapshto"}},
		{"there is no command nope", []string{"help", "nope"}},
		{"there is no command ls nope", []string{"help", "ls", "nope"}},
		{"--ignore deadlok: no finding has that code; did you mean deadlock?", []string{"check", s.Addr, "--ignore", "herd,deadlok"}},
		{"--ignore zzz: no finding has that code", []string{"check", s.Addr, "--ignore", "zzz"}},
		{"replay takes FILE, a recording or a snapshot, not 0 arguments", []string{"replay"}},
		{"set takes the new value, as either --data VALUE or --file FILE", []string{"set", "/c", s.Addr}},
	} {
		s.Fails(world.ExitUsage, x.says, x.args...)
	}
	for _, host := range []string{"zk1", "zk", "localhost", "zookeeper", "web"} {
		if err := command.Mistyped(root((&command.Line{World: world.World{}})), []string{host}); err != nil {
			t.Errorf("%s is a host: %v", host, err)
		}
	}
	for _, args := range [][]string{{"help"}, {"help", "ls"}, {"check", s.Addr, "--ignore", "herd"}} {
		if code, out, errs := s.Run("", args...); code != 0 || out == "" || errs != "" {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	if _, out, _ := s.Run("", "set", "--help"); !strings.Contains(out, "--data or --file says which") {
		t.Errorf("set does not say what it needs:\n%s", out)
	}
}

func auditOf(s *clitest.Shell) (out []actions.Record) {
	s.T.Helper()
	records, damaged, err := actions.ReadAudit(filepath.Join(s.Env["XDG_STATE_HOME"], "zkscope", "audit.jsonl"))
	if err != nil || damaged > 0 {
		s.T.Fatal(err, damaged)
	}
	return records
}

func TestAJoinThatFailsEndsInTheAuditLog(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	for _, args := range [][]string{
		{"join", "queue", "/locks/a", "--role", "producer", "--data", "x"},                            // a lock stands there
		{"join", "lock", "/l", "--servers", "127.0.0.1:1", "--timeout", "300ms"},                      // nobody answers
		{"join", "lock", "/locks/a", "--timeout", "500ms", "--", "true"},                              // its turn does not come
		{"join", "queue", "/locks/a", "--role", "producer", "--data", "x", "--reason", "ticket 4711"}, // told why
	} {
		before := len(auditOf(s))
		_, errs, code := s.Join(args...)
		got := auditOf(s)[before:]
		if code == 0 || len(got) != 2 || got[0].Stage != "intent" || got[1].Stage == "intent" || got[1].Text == "" {
			t.Errorf("%v: exit %d: %s; log %+v", args, code, errs, got)
		}
	}
	log := auditOf(s)
	if last := log[len(log)-1]; last.Stage != "failed" || last.Reason != "ticket 4711" || !strings.Contains(last.Text, "no queue") {
		t.Errorf("%+v", last)
	}
}

func TestNothingIsDoneBelowZooKeepersOwnPath(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Env["ZKSCOPE_SERVERS"] = s.Addr
	for _, args := range [][]string{
		{"join", "lock", "/zookeeper/l"}, {"join", "counter", "/zookeeper"}, {"vote", "/zookeeper/tx", "s_1", "commit"},
	} {
		s.Fails(world.ExitRefused, "belongs to ZooKeeper itself", args...)
	}
	if len(auditOf(s)) != 0 {
		t.Errorf("%+v", auditOf(s))
	}
	s.Create("/prod", "", 0)
	if _, errs, code := s.Join("join", "lock", "/zookeeper/l", "--servers", s.Addr+"/prod", "--", "true"); code != 0 {
		t.Errorf("below a chroot: exit %d: %s", code, errs)
	}
}

// TestTheGraceOfAForwardedTERM has a command that does not heed the signal which we got and passed on.
func TestTheGraceOfAForwardedTERM(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	begun := time.Now()
	_, errs, code := s.Join("join", "lock", "/l", "--grace", "300ms", "--", "sh", "-c", fmt.Sprintf("trap '' TERM; kill -TERM %d; sleep 60", os.Getpid()))
	if code != 128+9 {
		t.Errorf("exit %d after %v: %s", code, time.Since(begun), errs)
	}
	s.NobodyStays()
}

func TestAnUnheededRequestIsNoSuccess(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	_, doc := s.Contend()
	n, _ := s.Server.Node(doc)
	pin := []string{"--yes", "--czxid", clitest.Itoa(n.Stat.Czxid)}
	s.Env["ZKSCOPE_SERVERS"] = s.Addr
	code, out, errs := s.Run("", append([]string{"revoke", doc, "--follow", "300ms"}, pin...)...)
	if code != world.ExitRefused || !strings.Contains(errs, "still held for") || !strings.Contains(errs, "zkscope restore takes the request back") || !strings.Contains(out, "asked batch-1") {
		t.Errorf("exit %d: %s %s", code, out, errs)
	}
	if code, _, errs = s.Run("", append([]string{"restore", doc}, pin...)...); code != 0 {
		t.Errorf("restore: %s", errs)
	}
	s.Watch(doc) // it still listens
	if code, _, errs = s.Run("", append([]string{"revoke", doc, "--follow", "0"}, pin...)...); code != 0 {
		t.Errorf("without following: %d %s", code, errs)
	}
}

func TestRecordAndReplayCountTheSame(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Create("/l", "", 0)
	file := filepath.Join(t.TempDir(), "night.jsonl")
	done := make(chan string)
	go func() {
		_, out, errs := s.Run("", "record", s.Addr, "--file", file, "--for", "2s")
		done <- out + errs
	}()
	for range 500 { // until the first state stands
		if st, err := os.Stat(file); err == nil && st.Size() > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for range 3 {
		s.Create("/l/x-", "", wire.FlagEphemeralSequence)
	}
	if err := s.Client.Sync(context.Background(), "/l"); err != nil {
		t.Fatal(err)
	}
	out := <-done
	in := &look.Input{From: file, Warn: os.Stderr, Keep: func(f *os.File) { t.Cleanup(func() { f.Close() }) }}
	rec, _, err := in.Recording(false)
	if err != nil {
		t.Fatal(err)
	}
	if want := "recorded " + clitest.Itoa(int64(rec.Len())) + " states to "; rec.Len() < 4 || !strings.HasPrefix(out, want) {
		t.Errorf("%q, not %q", out, want)
	}
}

// A recording to standard output is the file, and nothing else.
func TestRecordToStandardOutput(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	s.Create("/l", "here", 0)
	code, out, errs := s.Run("", "record", s.Addr, "--file", "-", "--for", "1s")
	rec, err := files.ReadFile(strings.NewReader(out), "out")
	if code != 0 || err != nil || rec.First().At("/l") == nil || errs != "zkscope: recorded "+clitest.Itoa(int64(rec.Len()))+" state\n" {
		t.Errorf("%d %q %v\n%s", code, errs, err, out)
	}
	if _, err := os.Stat("-"); err == nil {
		t.Error("a file of the name - was made")
	}
	if code, shown, _ := s.Run(out, "show", "--from", "-", "/l"); code != 0 || !strings.Contains(shown, "4 bytes") {
		t.Errorf("exit %d: %s", code, shown)
	}
}

func TestNoWordIsSaidTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tx.jsonl")
	text := `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/app/tx1/s_1","text":"commit"}
{"path":"/app/tx1/s_2","text":"commit"}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: Run}
	for _, command := range []string{"ls", "why /app/tx1", "show /app/tx1"} {
		code, out, errs := s.Run("", append(strings.Fields(command), "--from", file)...)
		if code != 0 || !strings.Contains(out, "2 commit, 0 abort") || strings.Contains(out, "commit: commit") || strings.Contains(out, "commit   commit:") {
			t.Errorf("%s: %s%s", command, out, errs)
		}
	}
}

// Whoever waits at a terminal for a second look is told why it takes a moment; a pipe is not.
func TestASecondLookIsTold(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	for _, p := range []string{"/locks", "/locks/a"} {
		s.Create(p, "", 0)
	}
	s.Create("/locks/a/0123456789abcdef0123456789abcdef__lock__", "job-1", wire.FlagEphemeralSequence)
	s.Create("/locks/a/1123456789abcdef0123456789abcdef__lock__", "job-2", wire.FlagEphemeralSequence) // it does not watch
	for _, tty := range []bool{true, false} {
		for _, args := range [][]string{{"why", "/locks/a", s.Addr}, {"graph", s.Addr}} {
			var errs strings.Builder
			Run(args, world.World{In: strings.NewReader(""), Out: io.Discard, Err: &errs, ErrTTY: tty, Getenv: s.Getenv, Now: time.Now})
			if tty != strings.HasPrefix(errs.String(), "looking again: ") || strings.Count(errs.String(), "\n") > 1 {
				t.Errorf("%v, a terminal %v: %q", args, tty, errs.String())
			}
		}
	}
}

// What is wrong comes first where that is asked for, the worst before the rest.
func TestLsByTrouble(t *testing.T) {
	_, file := clitest.FileShell(t, Run)
	s := &clitest.Shell{T: t, Does: Run, Env: map[string]string{}}
	code, out, errs := s.Run("", "ls", "--sort", "trouble", "-o", "name", "--from", file)
	if code != world.ExitOK || out != "/locks/a\n/locks/b\n" {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	stands := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(stands, []byte(strings.Replace(clitest.Deadlocked, "/locks/a/", "/locks/z/", -1)+
		`{"path":"/locks/c/00000000000000000000000000000000__lock__0000000000","owner":"0x7","czxid":40,"ctime":1795816000000,"text":"web-7"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, _ = s.Run("", "ls", "--sort", "trouble", "-o", "name", "--from", stands); out != "/locks/b\n/locks/z\n/locks/c\n" {
		t.Error(out)
	}
	if _, out, _ = s.Run("", "ls", "--sort", "path", "-o", "name", "--from", stands); out != "/locks/b\n/locks/c\n/locks/z\n" {
		t.Error(out)
	}
}
