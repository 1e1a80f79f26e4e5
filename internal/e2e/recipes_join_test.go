package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// joining is the real program in a recipe.
type joining struct {
	cmd       *exec.Cmd
	out, errs bytes.Buffer
}

func startJoin(t *testing.T, addr string, args ...string) *joining {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	j := &joining{cmd: exec.Command(file, append([]string{"join", "--servers", addr, "--session-timeout", "4s"}, args...)...)}
	j.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.errs
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.cmd.Process.Kill(); _ = j.cmd.Wait() })
	return j
}

// claimed counts the znodes with owners.
func claimed(s *zkserver.Server) (n int) {
	for _, z := range s.Tree() {
		if z.Stat.EphemeralOwner != 0 {
			n++
		}
	}
	return n
}

func joinServer(t *testing.T) (*zkserver.Server, string) {
	t.Helper()
	s := zkserver.New(zkserver.Options{})
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return s, addr.String()
}

// TestJoinPassesSignalsOn: the command hears the signal, its exit code is ours, and nothing stays behind.
func TestJoinPassesSignalsOn(t *testing.T) {
	t.Parallel()
	for sig, code := range map[syscall.Signal]int{syscall.SIGTERM: 41, syscall.SIGINT: 42, syscall.SIGUSR1: 43} {
		s, addr := joinServer(t)
		begun := t.TempDir() + "/begun"
		j := startJoin(t, addr, "lock", "/l", "--", "sh", "-c", "trap 'exit 41' TERM; trap 'exit 42' INT; trap 'exit 43' USR1; touch "+begun+"; while :; do sleep 0.05; done")
		peers.WaitFor(t, 20*time.Second, "the command", func() bool { _, err := os.Stat(begun); return err == nil })
		_ = j.cmd.Process.Signal(sig)
		_ = j.cmd.Wait()
		if got := j.cmd.ProcessState.ExitCode(); got != code || claimed(s) != 0 {
			t.Errorf("%v: code %d, %d claims stay; %s", sig, got, claimed(s), j.errs.String())
		}
	}
}

// TestJoinIsBrokenOffCleanly covers every way that a join ends by hand: while it waits, while it holds, by kill -9.
func TestJoinIsBrokenOffCleanly(t *testing.T) {
	t.Parallel()
	s, addr := joinServer(t)
	holder := startJoin(t, addr, "lock", "/l")
	peers.WaitFor(t, 20*time.Second, "a holder", func() bool { return claimed(s) == 1 })
	waiter := startJoin(t, addr, "lock", "/l", "--", "true")
	peers.WaitFor(t, 20*time.Second, "a waiter", func() bool { return claimed(s) == 2 })
	_ = waiter.cmd.Process.Signal(syscall.SIGTERM)
	_ = waiter.cmd.Wait()
	if code := waiter.cmd.ProcessState.ExitCode(); code != 143 || claimed(s) != 1 || !strings.Contains(waiter.errs.String(), "nothing stays behind") {
		t.Errorf("code %d, %d claims; %s", code, claimed(s), waiter.errs.String())
	}
	_ = holder.cmd.Process.Signal(syscall.SIGINT)
	_ = holder.cmd.Wait()
	if code := holder.cmd.ProcessState.ExitCode(); code != 0 || claimed(s) != 0 || !strings.Contains(holder.out.String(), "holds /l as /l/") {
		t.Errorf("code %d, %d claims; %s", code, claimed(s), holder.out.String())
	}
	crashed := startJoin(t, addr, "lock", "/l")
	peers.WaitFor(t, 20*time.Second, "a holder", func() bool { return claimed(s) == 1 })
	_ = crashed.cmd.Process.Kill()
	_ = crashed.cmd.Wait()
	peers.WaitFor(t, 20*time.Second, "the claim to go with its session", func() bool { return claimed(s) == 0 })
}

// TestJoinEndsWhenTheServerHangs: quitting is bounded, and says what stays until when.
func TestJoinEndsWhenTheServerHangs(t *testing.T) {
	t.Parallel()
	s, addr := joinServer(t)
	j := startJoin(t, addr, "lock", "/l")
	peers.WaitFor(t, 20*time.Second, "a holder", func() bool { return claimed(s) == 1 })
	s.Pause()
	_ = j.cmd.Process.Signal(syscall.SIGTERM)
	ended := make(chan error)
	go func() { ended <- j.cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	if code := j.cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(j.errs.String(), "may stay until session 0x") {
		t.Errorf("code %d; %q %q", code, j.out.String(), j.errs.String())
	}
}
