package monitor_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// watched is a watch that runs beside a test.
type watched struct {
	t         *testing.T
	out, errs *clitest.LockedBuffer
	code      chan int
}

func watches(s *clitest.Shell, args ...string) *watched {
	w := &watched{t: s.T, out: new(clitest.LockedBuffer), errs: new(clitest.LockedBuffer), code: make(chan int, 1)}
	world := world.World{In: strings.NewReader(""), Out: w.out, Err: w.errs, Getenv: s.Getenv, Now: time.Now}
	go func() { w.code <- cli.Run(append([]string{"watch"}, args...), world) }()
	return w
}

// says waits until it has printed a text.
func (w *watched) says(text string) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(w.out.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("it does not say %q:\n%s%s", text, w.out, w.errs)
		}
	}
}

// ends waits for its end.
func (w *watched) ends(code int) {
	w.t.Helper()
	select {
	case got := <-w.code:
		if got != code {
			w.t.Fatalf("exit %d, want %d:\n%s%s", got, code, w.out, w.errs)
		}
	case <-time.After(20 * time.Second):
		w.t.Fatalf("it does not end:\n%s%s", w.out, w.errs)
	}
}

// A hand-over is told as events, and ends a watch that waits for who comes to hold; a command gets each event.
func TestWatchUntilSomebodyHolds(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	file := filepath.Join(t.TempDir(), "events")
	t.Setenv("ZKSCOPE_AUTH", "digest:ann:secret")
	w := watches(s, "/locks/a", s.Addr, "--until", "held-by=job-2", "--for", "1m", "--exec", `echo "$ZKSCOPE_WHAT|$ZKSCOPE_OWNER|$ZKSCOPE_CLAIM|$ZKSCOPE_KIND|$ZKSCOPE_SEEN|$ZKSCOPE_AUTH" >> `+file)
	w.says("/locks/a: ")
	if err := s.Client.Delete(t.Context(), kazoo, -1); err != nil {
		t.Fatal(err)
	}
	w.ends(0)
	w.says("job-2 acquired after ")
	w.says("  it is held by job-2: job-2 holds\n")
	b, err := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if err != nil || len(lines) != 3 || lines[0] != "let-go|job-1|"+kazoo+"|lock|true|" && lines[0] != "gone|job-1|"+kazoo+"|lock|true|" || !strings.HasPrefix(lines[1], "acquired|job-2|/locks/a/") ||
		!strings.HasPrefix(lines[2], "met|job-2|/locks/a/") {
		t.Errorf("%q, %v", lines, err)
	}
}

// What is waited for may be so already, or come, or not come in time.
func TestWatchUntil(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, doc := s.Contend()
	watches(s, "/locks/a", s.Addr, "--until", "held-by=job-1").ends(0)
	watches(s, "/locks/a", s.Addr, "--until", "held-by="+s.Session(kazoo)).ends(0)
	watches(s, "/nothing", s.Addr, "--until", "free").ends(0)
	w := watches(s, "/locks/a", s.Addr, "--until", "free", "--for", "300ms")
	w.ends(world.ExitError)
	if got := w.errs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "/locks/a was not free within 300ms: ") || !strings.Contains(got, "job-1") {
		t.Errorf("%q", got)
	}
	watches(s, "/locks/a", s.Addr, "--for", "200ms").ends(0)
	leader := watches(s, "/locks/b", s.Addr, "--until", "leader-changes")
	empty := watches(s, "/locks/b", s.Addr, "--until", "empty")
	leader.says("/locks/b: ")
	empty.says("/locks/b: ")
	if err := s.Client.Delete(t.Context(), doc, -1); err != nil {
		t.Fatal(err)
	}
	s.Create("/locks/b/0a1b2c3d-0000-4000-8000-000000000003-lock-", "batch-3", wire.FlagEphemeralSequence)
	leader.ends(0)
	leader.says("  it is held or led by another: batch-2 holds\n")
	held := watches(s, "/locks/b", s.Addr, "--until", "held-by=batch-2", "-o", "jsonl")
	held.ends(0)
	var last monitor.EventReport
	lines := strings.Split(strings.TrimSpace(held.out.String()), "\n")
	for _, line := range lines {
		if err := json.Unmarshal([]byte(line), &last); err != nil || !strings.Contains(line, `"session":`) || !strings.Contains(line, `"held":`) {
			t.Fatalf("%v: %s", err, line)
		}
	}
	if last.What != "met" || *last.Owner != "batch-2" || !last.Seen || last.Kind != "lock" {
		t.Errorf("%+v", last)
	}
	select {
	case code := <-empty.code:
		t.Fatalf("it is not empty: exit %d\n%s", code, empty.out)
	default:
	}
	names, _, err := s.Client.Children(t.Context(), "/locks/b")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := s.Client.Delete(t.Context(), "/locks/b/"+name, -1); err != nil {
			t.Fatal(err)
		}
	}
	empty.ends(0)
}

func TestWhatWatchRefuses(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	s.Create("/q", "", 0)
	s.Create("/q/queue-0000000001", "x", 0)
	s.Fails(world.ExitUsage, "it takes free, held-by=NAME, leader-changes or empty", "watch", "/a", s.Addr, "--until", "held-by=")
	s.Fails(world.ExitUsage, "--until is empty", "watch", "/a", s.Addr, "--until=")
	s.Fails(world.ExitUsage, "above zero", "watch", "/a", s.Addr, "--for", "-1s")
	s.Fails(world.ExitUsage, "of a file, zkscope history tells", "watch", "/a", "--from", "x.jsonl")
	s.Fails(world.ExitUsage, "prints table or jsonl", "watch", "/a", s.Addr, "-o", "json")
	s.Fails(world.ExitUsage, "is a claim of /locks/a: watch that", "watch", kazoo, s.Addr)
	s.Fails(world.ExitUsage, "it takes empty alone", "watch", "/q", s.Addr, "--until", "free", "--hint", "/q=queue")
	s.Fails(world.ExitConnect, "cannot connect", "watch", "/a", "127.0.0.1:1")
	code, _, errs := s.Run("", "watch", "/nothing", s.Addr, "--until", "free", "--exec", "exit 3")
	if code != 0 || errs != "zkscope: --exec failed for met of /nothing: exit status 3\n" {
		t.Errorf("exit %d: %q", code, errs)
	}
}
