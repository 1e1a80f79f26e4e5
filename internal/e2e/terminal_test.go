package e2e

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// built are the folders of what was built.
var built struct {
	sync.Mutex
	dirs []string
}

// binary builds the program once; faulty one that panics where it gets SIGUSR1.
var binary, faulty = building(), building("-tags", "faults")

func building(flags ...string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "zkscope-e2e-")
		if err != nil {
			return "", err
		}
		built.Lock()
		built.dirs = append(built.dirs, dir)
		built.Unlock()
		file := filepath.Join(dir, "zkscope")
		out, err := exec.Command("go", append(append([]string{"build"}, flags...), "-o", file, "../..")...).CombinedOutput()
		if err != nil {
			return "", &buildError{string(out), err}
		}
		return file, nil
	})
}

type buildError struct {
	out string
	err error
}

func (b *buildError) Error() string { return b.err.Error() + ": " + b.out }

// sideBySide is how many tests run at the same time: they wait for servers and clients most of the time.
const sideBySide = "6"

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(sideBySide)
	}
	code := m.Run()
	for _, dir := range built.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// terminal is the real program on a real terminal. The terminal answers no queries: the program must do
// without.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{}

	mu     sync.Mutex
	screen *vt.Emulator
	raw    bytes.Buffer
}

func openTerminal(t *testing.T, w, h int, env []string, args ...string) *terminal {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return runTerminal(t, file, w, h, env, args...)
}

func runTerminal(t *testing.T, file string, w, h int, env []string, args ...string) *terminal {
	t.Helper()
	var err error
	x := &terminal{t: t, cmd: exec.Command(file, args...), done: make(chan struct{}), screen: vt.NewEmulator(w, h)}
	x.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=", "NO_COLOR=", "XDG_STATE_HOME="+t.TempDir()), env...)
	if x.tty, err = pty.StartWithSize(x.cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		t.Fatal(err)
	}
	go x.read()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait()
		<-x.done
		x.tty.Close()
	})
	return x
}

func (x *terminal) read() {
	defer close(x.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := x.tty.Read(buf)
		x.mu.Lock()
		x.raw.Write(buf[:n])
		_, _ = x.screen.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

func (x *terminal) bytes() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.tty, keys); err != nil {
		x.t.Fatal(err)
	}
}

func (x *terminal) see(what string)  { x.t.Helper(); x.await(what, true) }
func (x *terminal) gone(what string) { x.t.Helper(); x.await(what, false) }

// insist presses a key until what it does is seen: one that acts is not taken while the selection has just moved.
func (x *terminal) insist(key, what string) {
	x.t.Helper()
	peers.WaitFor(x.t, 15*time.Second, what, func() bool {
		x.press(key)
		for until := time.Now().Add(1500 * time.Millisecond); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
			if strings.Contains(x.text(), what) {
				return true
			}
		}
		return false
	})
}

func (x *terminal) await(what string, there bool) {
	x.t.Helper()
	for deadline := time.Now().Add(15 * time.Second); strings.Contains(x.text(), what) != there; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("15 s, and on the screen it is not %v: %q\n%s", there, what, x.text())
		}
	}
}

// ends waits for the program's end and returns its exit code.
func (x *terminal) ends() int {
	x.t.Helper()
	timer := time.AfterFunc(10*time.Second, func() { _ = x.cmd.Process.Kill() })
	defer timer.Stop()
	_ = x.cmd.Wait()
	<-x.done
	return x.cmd.ProcessState.ExitCode()
}

// restored fails unless the last word on every mode that the console switches on is that it is off.
func (x *terminal) restored() {
	x.t.Helper()
	out := x.bytes()
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l"} {
		if strings.LastIndex(out, on) > strings.LastIndex(out, off) {
			x.t.Errorf("left on: %q", on)
		}
	}
}

func TestTheDemoOpensAndQuits(t *testing.T) {
	t.Parallel()
	x := openTerminal(t, 120, 40, nil, "demo")
	x.see("/locks/orders")
	x.see("ARMED")
	x.press("/nightly")
	x.see("1 of 23 recipes")
	x.press("\r")
	x.see("1 recipe ")
	x.press("?")
	x.see("HERE AND NOW")
	x.press("\x1b")
	x.see("1 recipe ")
	x.press("q")
	if code := x.ends(); code != 0 {
		t.Errorf("exit %d", code)
	}
	x.restored()
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		x := openTerminal(t, 100, 30, nil, "demo")
		x.see("/locks/orders")
		_ = x.cmd.Process.Signal(s)
		if code := x.ends(); code == 0 {
			t.Errorf("%v: exit 0", s)
		}
		x.restored()
	}
}

func TestAConsoleWithNothingToConnectTo(t *testing.T) {
	t.Parallel()
	x := openTerminal(t, 80, 24, nil, "127.0.0.1:1")
	if code := x.ends(); code != 6 {
		t.Errorf("exit %d: %q", code, x.bytes())
	}
	if out := x.bytes(); strings.Count(out, "\n") != 1 || strings.Contains(out, "\x1b") {
		t.Errorf("printed %q", out)
	}
}

// ours matches what Bubble Tea's renderer and our styles send.
var ours = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\]1[01];\\?(\x07|\x1b\\\\)|\r|\n")

func TestHostileBytesNeverReachTheTerminal(t *testing.T) {
	t.Parallel()
	addr := embedded(t)
	ctx := context.Background()
	conn, err := zkc.Dial(ctx, zkc.Config{Servers: []string{addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	mk := func(path string, data []byte, flags int32) {
		if _, err := conn.Create(ctx, path, data, flags, nil); err != nil {
			t.Fatalf("%q: %v", path, err)
		}
	}
	mk("/locks", nil, 0)
	payloads := []string{"\x1b]52;c;b3duZWQ=\x07", "\x1b]0;x\x07", "\x1b[2J", "\x1b[1A\x1b[2K HOLD evil", "a\rb", "\x9b31m", "\u009b31m", "\u0085", "\x7f", "\xff\xfe", "\u202eabc", "a\u200bb", "\x0e\x0f"}
	for i, p := range payloads {
		dir := "/locks/l" + string(rune('a'+i)) + "\u202e"
		mk(dir, nil, 0)
		mk(dir+"/0123456789abcdef0123456789abcdef__lock__", []byte(p), wire.FlagEphemeralSequence)
		mk(dir+"/1123456789abcdef0123456789abcdef__lock__", []byte(p), wire.FlagEphemeralSequence)
		mk(dir+"/fo\u2066reign", []byte(p), 0)
	}
	x := openTerminal(t, 140, 50, nil, addr)
	x.see(`\x1b]52;c;b3duZWQ=\x07`)
	x.press("jjjjjjjj\rj")
	x.insist("b", "Close")
	x.press("\x1b")
	x.gone("Close")
	x.press("q")
	if code := x.ends(); code != 0 {
		t.Errorf("exit %d", code)
	}
	for _, r := range ours.ReplaceAllString(x.bytes(), "") {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xfffd || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b {
			t.Fatalf("%U reached the terminal", r)
		}
	}
}

func TestARestartedServerIsShownStaleAndThenRight(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{})
	ctx := context.Background()
	conn, err := zkc.Dial(ctx, zkc.Config{Servers: []string{s.Addr}, Session: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, p := range []string{"/locks", "/locks/a"} {
		if _, err := conn.Create(ctx, p, nil, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	claim := func(name string) {
		if _, err := conn.Create(ctx, "/locks/a/0123456789abcdef0123456789abcdef__lock__", []byte(name), wire.FlagEphemeralSequence, nil); err != nil {
			t.Fatal(err)
		}
	}
	claim("job-1")
	x := openTerminal(t, 120, 40, nil, s.Addr)
	x.see("job-1 holds")
	s.Kill()
	x.see("DISCONNECTED")
	x.see("job-1 holds")
	s.Restart()
	claim("job-2")
	x.see("job-2")
	if strings.Contains(x.text(), "DISCONNECTED") {
		t.Errorf("still stale:\n%s", x.text())
	}
	x.press("q")
	x.ends()
	x.restored()
}

func TestAReadOnlyConsoleWritesNothingWhateverIsPressed(t *testing.T) {
	t.Parallel()
	s := zkserver.New(zkserver.Options{Record: true})
	t.Cleanup(func() { s.Close() })
	at, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	conn, err := zkc.Dial(ctx, zkc.Config{Servers: []string{at.String()}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, p := range []string{"/locks", "/locks/b"} {
		if _, err := conn.Create(ctx, p, nil, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{"1", "2"} {
		if _, err := conn.Create(ctx, "/locks/b/0a1b2c3d-0000-4000-8000-00000000000"+n+"-lock-", []byte("batch-"+n), wire.FlagEphemeralSequence, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.ForgetRequests()
	x := openTerminal(t, 120, 40, nil, at.String(), "--read-only")
	x.see("batch-1 holds")
	x.see("READ-ONLY")
	x.press("W")
	x.see("cannot arm")
	for k, shown := range map[string]string{"r": "shows no sign of listening", "b": "only a preview"} {
		x.insist(k, shown)
		peers.WaitFor(t, 10*time.Second, "the preview to close under tab and enter", func() bool {
			x.press("\t\r")
			return !strings.Contains(x.text(), shown)
		})
	}
	for _, k := range []string{"u", "x", "d", "D", ":", " ", "\x1b[3~", "s", "S", "J", "v", "c", "o", "f", "n", "w", "U"} {
		x.press(k + "\t\r")
	}
	x.press("p")
	x.see("PAUSED") // everything before it was taken
	x.press("\x03")
	x.ends()
	seen := 0
	for _, q := range s.Requests() {
		seen++
		if q.Op.Writes() {
			t.Errorf("a write was sent: %+v", q)
		}
	}
	if seen < 5 {
		t.Errorf("only %d requests were seen: the recorder is blind", seen)
	}
}
