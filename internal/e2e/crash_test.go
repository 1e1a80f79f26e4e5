package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPanicInAGoroutineRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	file, err := faulty()
	must(t, err)
	x := runTerminal(t, file, 120, 30, []string{"XDG_STATE_HOME=" + state}, "demo")
	x.see("/locks/orders")
	_ = x.cmd.Process.Signal(syscall.SIGUSR1)
	if code := x.ends(); code != 1 {
		t.Errorf("exit %d", code)
	}
	x.restored()
	_, after, _ := strings.Cut(x.bytes(), "\x1b[?1049l")
	if !strings.Contains(after, "zkscope: the console failed (panic: failed on purpose); please report it with "+state) {
		t.Errorf("after the screen: %q", after)
	}
	traces, _ := filepath.Glob(filepath.Join(state, "zkscope", "crash-*.txt"))
	if len(traces) != 1 {
		t.Fatalf("traces: %q", traces)
	}
	if trace, err := os.ReadFile(traces[0]); err != nil || !strings.Contains(string(trace), "guard.") {
		t.Errorf("%v\n%s", err, trace)
	}
}
