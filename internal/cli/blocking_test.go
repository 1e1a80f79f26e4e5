//go:build linux

package cli

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// A signal ends zkscope while it waits for the other side of a pipe, whatever it reads from there.
func TestASignalEndsEveryReadThatWaits(t *testing.T) {
	server := clitest.New(t, Run, zkserver.Options{}).Addr
	for _, args := range []string{"ls --from PIPE", "check --from PIPE", "history /l --from PIPE", "set /c --file PIPE --servers " + server} {
		t.Run(strings.Fields(args)[0]+strings.Fields(args)[1], func(t *testing.T) {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := clitest.Process(strings.Fields(strings.ReplaceAll(args, "PIPE", pipe)), "XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
			var errs strings.Builder
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			fd := -1
			peers.WaitFor(t, 20*time.Second, "that it reads", func() bool {
				select {
				case <-ended:
					t.Fatalf("it ended: %s", errs.String())
				default:
				}
				var err error
				fd, err = syscall.Open(pipe, syscall.O_WRONLY|syscall.O_NONBLOCK, 0) // there is a reader, or one that waits
				return err == nil
			})
			defer syscall.Close(fd)
			_ = cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				_ = cmd.Process.Kill()
				<-ended
				t.Fatal("it took no signal")
			}
			if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) {
				t.Errorf("exit %d: %s", code, errs.String())
			}
		})
	}
}

// A pipe that nobody writes to is waited for as long as --timeout says, and that is told in one line; one that is written to
// late, but in time, is read.
func TestAPipeThatNobodyWritesToIsGivenUp(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"ls --from PIPE", "history /l --from PIPE", "check --from PIPE"} {
		s.Fails(world.ExitError, "nobody has opened this pipe to write to it within 50ms", append(strings.Fields(strings.ReplaceAll(args, "PIPE", pipe)), "--timeout", "50ms")...)
	}
	s.Fails(world.ExitUsage, "nobody has opened this pipe", "set", "/c", "--file", pipe, "--servers", s.Addr, "--timeout", "50ms")
	s.Contend()
	_, text, _ := s.Run("", "snapshot", s.Addr)
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile(pipe, []byte(text), 0) }()
	if code, out, errs := s.Run("", "ls", "--from", pipe); code != world.ExitOK || !strings.Contains(out, "/locks/a") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
}

// A named pipe in the place of a file of settings, of secrets or of records is refused at once; what a shell passes on by
// number is read.
func TestANamedPipeIsNoFileOfSettings(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"ls --config PIPE", "ls --auth-file PIPE", "ls --jaas PIPE", "ls --jaas PIPE#Client", "ls --tls-ca PIPE", "ls --tls-cert PIPE",
		"ls --tls-cert x --tls-key PIPE", "ls --tls-ca x --tls-password-file PIPE", "ls --keytab PIPE"} {
		s.Fails(world.ExitUsage, pipe+" is a named pipe", append(strings.Fields(strings.ReplaceAll(args, "PIPE", pipe)), "--servers", s.Addr)...)
	}
	for _, args := range []string{"config check PIPE", "config check --config PIPE"} {
		s.Fails(world.ExitUsage, pipe+" is a named pipe", strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))...)
	}
	for _, args := range []string{"audit --audit-log PIPE", revoked(t) + " --audit-log PIPE"} {
		if code, _, errs := s.Run("", strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))...); code == world.ExitOK || strings.Count(errs, "\n") != 1 ||
			!strings.Contains(errs, "is not a regular file") {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("digest:bob:secret\n"); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if code, _, errs := s.Run("", "ls", "--auth-file", fmt.Sprintf("/dev/fd/%d", r.Fd()), "--servers", s.Addr); code != world.ExitOK {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// revoked is a restore of a claim that there is.
func revoked(t *testing.T) string {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	return "restore " + kazoo + " --servers " + s.Addr
}

// An audit log that cannot be written is a refusal: nothing was done.
func TestAnAuditLogThatCannotBeWrittenIsARefusal(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	n, _ := s.Server.Node(kazoo)
	pin := []string{"--yes", "--czxid", clitest.Itoa(n.Stat.Czxid)}
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for log, says := range map[string]string{"/dev/full": "is not a regular file", pipe: "is not a regular file", dir: "is not a regular file", "/dev/null/audit": "audit log"} {
		s.Fails(world.ExitRefused, says, append([]string{"break", s.Addr, kazoo, "--audit-log", log}, pin...)...)
		s.Fails(world.ExitRefused, says, "join", "lock", "/l", "--servers", s.Addr, "--audit-log", log)
	}
	late := filepath.Join(dir, "late") // it is found out when the first line is written
	if err := os.Symlink(filepath.Join(dir, "none", "audit"), late); err != nil {
		t.Fatal(err)
	}
	s.Fails(world.ExitRefused, "without the log nothing is done", append([]string{"break", s.Addr, kazoo, "--audit-log", late}, pin...)...)
	if after, there := s.Server.Node(kazoo); !there || after.Stat.Czxid != n.Stat.Czxid {
		t.Error("it was broken")
	}
}

// A moment is refused where none can be shown, and a bound that leaves nothing.
func TestMomentsThatNobodyShows(t *testing.T) {
	s := &clitest.Shell{T: t, Does: Run, Env: map[string]string{}}
	from := clitest.Samples + "contention"
	s.Fails(world.ExitUsage, "history covers a span, not a moment: give it --since and --until instead of --at", "history", "/locks/orders", "--from", from, "--at", "22:00")
	if code, _, errs := s.Run("", "history", "/locks/orders", "--from", from, "--until", "0001-01-01T00:00:00Z"); code != world.ExitUsage || !strings.Contains(errs, "--until 0001-01-01T00:00:00Z is before the file begins, at 2026-") {
		t.Errorf("exit %d: %s", code, errs)
	}
	s.Fails(world.ExitUsage, "--until is empty: is a variable unset?", "history", "/locks/orders", "--from", from, "--until", "")
	s.Fails(world.ExitUsage, "--at is empty: is a variable unset?", "ls", "--from", from, "--at", "")
	s.Fails(world.ExitUsage, "--at 22:00: servers show what is now; it goes with --from a recording", "ls", "--at", "22:00")
	if code, _, errs := s.Run("", "history", "/locks/orders", "--from", from, "--since", "0001-01-01T00:00:00Z"); code != world.ExitOK {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// Whoever cannot connect because answers take too long is told which flags give them more time.
func TestSlowServersNeedMoreTime(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // it takes connections, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := &clitest.Shell{T: t, Does: Run, Env: map[string]string{"XDG_STATE_HOME": t.TempDir()}}
	const says = "; if the servers are slow, give a longer --session-timeout (now 600ms: each answer may take a third of it) and --timeout (now 3s, for all of them)\n"
	s.Fails(world.ExitConnect, "no answer in time", "ls", l.Addr().String(), "--session-timeout", "600ms", "--timeout", "3s")
	if _, _, errs := s.Run("", "ls", l.Addr().String(), "--session-timeout", "600ms", "--timeout", "3s"); !strings.HasSuffix(errs, says) || strings.Count(errs, "\n") != 1 {
		t.Error(errs)
	}
	l.Close()
	if _, _, errs := s.Run("", "ls", l.Addr().String()); strings.Contains(errs, "slow") {
		t.Error(errs)
	}
}
