package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// watched is a watch that runs beside a test.
type watched struct {
	t         *testing.T
	out, errs *lockedBuffer
	code      chan int
}

// lockedBuffer is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (s *shell) watches(args ...string) *watched {
	w := &watched{t: s.t, out: new(lockedBuffer), errs: new(lockedBuffer), code: make(chan int, 1)}
	world := world.World{In: strings.NewReader(""), Out: w.out, Err: w.errs, Getenv: s.getenv, Now: time.Now}
	go func() { w.code <- Run(append([]string{"watch"}, args...), world) }()
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
	s := newShell(t, zkserver.Options{})
	kazoo, _ := s.contend()
	file := filepath.Join(t.TempDir(), "events")
	t.Setenv("ZKSCOPE_AUTH", "digest:ann:secret")
	w := s.watches("/locks/a", s.addr, "--until", "held-by=job-2", "--for", "1m", "--exec", `echo "$ZKSCOPE_WHAT|$ZKSCOPE_OWNER|$ZKSCOPE_CLAIM|$ZKSCOPE_KIND|$ZKSCOPE_SEEN|$ZKSCOPE_AUTH" >> `+file)
	w.says("/locks/a: ")
	if err := s.client.Delete(t.Context(), kazoo, -1); err != nil {
		t.Fatal(err)
	}
	w.ends(0)
	w.says("job-2 acquired after ")
	w.says("  it is held by job-2: job-2 holds\n")
	b, err := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if err != nil || len(lines) != 3 || lines[0] != "released|job-1|"+kazoo+"|lock|true|" && lines[0] != "gone|job-1|"+kazoo+"|lock|true|" || !strings.HasPrefix(lines[1], "acquired|job-2|/locks/a/") ||
		!strings.HasPrefix(lines[2], "met|job-2|/locks/a/") {
		t.Errorf("%q, %v", lines, err)
	}
}

// What is waited for may be so already, or come, or not come in time.
func TestWatchUntil(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	kazoo, doc := s.contend()
	s.watches("/locks/a", s.addr, "--until", "held-by=job-1").ends(0)
	s.watches("/locks/a", s.addr, "--until", "held-by="+s.session(kazoo)).ends(0)
	s.watches("/nothing", s.addr, "--until", "free").ends(0)
	w := s.watches("/locks/a", s.addr, "--until", "free", "--for", "300ms")
	w.ends(world.ExitError)
	if got := w.errs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "/locks/a was not free within 300ms: ") || !strings.Contains(got, "job-1") {
		t.Errorf("%q", got)
	}
	s.watches("/locks/a", s.addr, "--for", "200ms").ends(0)
	leader := s.watches("/locks/b", s.addr, "--until", "leader-changes")
	empty := s.watches("/locks/b", s.addr, "--until", "empty")
	leader.says("/locks/b: ")
	empty.says("/locks/b: ")
	if err := s.client.Delete(t.Context(), doc, -1); err != nil {
		t.Fatal(err)
	}
	s.create("/locks/b/0a1b2c3d-0000-4000-8000-000000000003-lock-", "batch-3", wire.FlagEphemeralSequence)
	leader.ends(0)
	leader.says("  it is held or led by another: batch-2 holds\n")
	held := s.watches("/locks/b", s.addr, "--until", "held-by=batch-2", "-o", "jsonl")
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
	names, _, err := s.client.Children(t.Context(), "/locks/b")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := s.client.Delete(t.Context(), "/locks/b/"+name, -1); err != nil {
			t.Fatal(err)
		}
	}
	empty.ends(0)
}

func TestWhatWatchRefuses(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	kazoo, _ := s.contend()
	s.create("/q", "", 0)
	s.create("/q/queue-0000000001", "x", 0)
	s.fails(world.ExitUsage, "it takes free, held-by=NAME, leader-changes or empty", "watch", "/a", s.addr, "--until", "held-by=")
	s.fails(world.ExitUsage, "--until is empty", "watch", "/a", s.addr, "--until=")
	s.fails(world.ExitUsage, "above zero", "watch", "/a", s.addr, "--for", "-1s")
	s.fails(world.ExitUsage, "of a file, zkscope history tells", "watch", "/a", "--from", "x.jsonl")
	s.fails(world.ExitUsage, "prints table or jsonl", "watch", "/a", s.addr, "-o", "json")
	s.fails(world.ExitUsage, "is a claim of /locks/a: watch that", "watch", kazoo, s.addr)
	s.fails(world.ExitUsage, "it takes empty alone", "watch", "/q", s.addr, "--until", "free", "--hint", "/q=queue")
	s.fails(world.ExitConnect, "cannot connect", "watch", "/a", "127.0.0.1:1")
	code, _, errs := s.run("", "watch", "/nothing", s.addr, "--until", "free", "--exec", "exit 3")
	if code != 0 || errs != "zkscope: --exec failed for met of /nothing: exit status 3\n" {
		t.Errorf("exit %d: %q", code, errs)
	}
}
