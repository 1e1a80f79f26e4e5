//go:build linux

package join_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/join"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// spawned is zkscope as a process of its own, running a command that tells its processes.
type spawned struct {
	cmd  *exec.Cmd
	errs strings.Builder
	pids []int // of the command, and what it has started
}

// spawn joins /l with a shell script that has to write its processes to $PIDS.
func spawn(t *testing.T, s *clitest.Shell, script string, flags ...string) *spawned {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pids")
	args := append(append([]string{"join", "lock", "/l", "--servers", s.Addr}, flags...), "--", "sh", "-c", script)
	p := &spawned{cmd: clitest.Process(args, "PIDS="+file, "XDG_STATE_HOME="+t.TempDir())}
	p.cmd.Stderr = &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	peers.WaitFor(t, 20*time.Second, "the command", func() bool {
		b, _ := os.ReadFile(file)
		if !strings.HasSuffix(string(b), "\n") {
			return false
		}
		for _, f := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(f)
			if err != nil {
				t.Fatalf("%q", b)
			}
			p.pids = append(p.pids, pid)
		}
		return true
	})
	t.Cleanup(func() {
		for _, pid := range alive(p.pids) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return p
}

// alive picks the processes that have not ended.
func alive(pids []int) (out []int) {
	for _, pid := range pids {
		if join.ParentOf(pid) != 0 {
			out = append(out, pid)
		}
	}
	return out
}

func heldNow(s *clitest.Shell) bool {
	n, _ := s.Server.Node("/l")
	return n.Stat.NumChildren > 0
}

// Two processes that ignore SIGTERM, and one of them that only its child does.
const (
	deaf     = `trap '' TERM; sleep 300 & echo $$ $! > $PIDS; while :; do sleep 0.1; done`
	deafTwin = `(trap '' TERM; exec sleep 300) & echo $$ $! > $PIDS; while :; do sleep 0.1; done`
)

// TestACommandDiesWithUs: also when we are killed, with all of its group, and while nobody else can have the claim.
func TestACommandDiesWithUs(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	p := spawn(t, s, deaf, "--session-timeout", "20s", "--grace", "200ms")
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	peers.WaitFor(t, 10*time.Second, "the end of the command and of what it has started", func() bool {
		left := alive(p.pids)
		if !heldNow(s) && len(left) > 0 {
			t.Fatal("the claim is gone, and", left, "still run")
		}
		return len(left) == 0
	})
	if !heldNow(s) {
		t.Error("the claim went before the command was seen to end")
	}
}

// TestNoCommandOutlivesItsClaim: where it was told to end, that is.
func TestNoCommandOutlivesItsClaim(t *testing.T) {
	for name, script := range map[string]string{"deaf": deaf, "deaf child": deafTwin} {
		t.Run(name, func(t *testing.T) {
			s := clitest.New(t, cli.Run, zkserver.Options{})
			p := spawn(t, s, script, "--grace", "300ms")
			_ = p.cmd.Process.Signal(syscall.SIGTERM)
			peers.WaitFor(t, 20*time.Second, "the end of the claim", func() bool {
				held := heldNow(s)
				if left := alive(p.pids); !held && len(left) > 0 {
					t.Fatal("the claim is gone, and", left, "still run")
				}
				return !held
			})
			_ = p.cmd.Wait()
			if code := p.cmd.ProcessState.ExitCode(); name == "deaf" && code != 137 || name != "deaf" && code != 143 {
				t.Errorf("code %d; %s", code, p.errs.String())
			}
		})
	}
}

// TestACommandDiesWithItsKeeper: somebody may kill whatever is called zkscope.
func TestACommandDiesWithItsKeeper(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	p := spawn(t, s, deaf)
	keeper := join.ParentOf(p.pids[0])
	if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", keeper)); !strings.HasPrefix(string(name), join.KeeperName) {
		t.Fatalf("the command's parent is %q", name)
	}
	_ = syscall.Kill(keeper, syscall.SIGKILL)
	_ = p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != 137 {
		t.Errorf("code %d; %s", code, p.errs.String())
	}
	peers.WaitFor(t, 10*time.Second, "the end of the group", func() bool { return len(alive(p.pids)) == 0 })
}

// TestWhatACommandLeavesRunningGoesOn: it has ended by itself.
func TestWhatACommandLeavesRunningGoesOn(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	p := spawn(t, s, `sleep 300 > /dev/null 2>&1 & echo $! > $PIDS; exit 3`)
	_ = p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != 3 || len(alive(p.pids)) != 1 || heldNow(s) {
		t.Errorf("code %d, %v runs, held %v; %s", code, alive(p.pids), heldNow(s), p.errs.String())
	}
}

// TestCommandsGetNoCredentials: neither ours nor those that profiles name, unless they are to.
func TestCommandsGetNoCredentials(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("profiles: {prod: {servers: \"x:1\", auth-env: PROD_SECRET}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	creds := filepath.Join(t.TempDir(), "creds")
	if err := os.WriteFile(creds, []byte("# ours\ndigest:bob:other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(command.AuthVar, "digest:ann:secret")
	t.Setenv("PROD_SECRET", "digest:prod:secret")
	t.Setenv("OTHER", "kept")
	for _, x := range []struct {
		flags []string
		want  string
	}{
		{nil, "--kept"},
		{[]string{"--pass-auth"}, "digest:ann:secret-digest:prod:secret-kept"},
		{[]string{"--pass-auth", "--auth-file", creds}, "digest:bob:other-digest:prod:secret-kept"},
		{[]string{"--auth-file", creds}, "--kept"},
	} {
		args := append([]string{"join", "lock", "/l", "--config", file}, x.flags...)
		out, errs, code := s.Join(append(args, "--", "sh", "-c", `echo "$ZKSCOPE_AUTH-$PROD_SECRET-$OTHER"`)...)
		if strings.TrimSpace(out) != x.want || code != 0 {
			t.Errorf("%v: %q, want %q (%d %s)", x.flags, out, x.want, code, errs)
		}
	}
}

// neverAlone fails when the claim has gone and the command still runs; it returns when the claim has gone.
func neverAlone(t *testing.T, s *clitest.Shell, p *spawned) {
	t.Helper()
	peers.WaitFor(t, 30*time.Second, "the end of the claim", func() bool {
		held := heldNow(s)
		if left := alive(p.pids); !held && len(left) > 0 {
			t.Fatal("the claim is gone, and", left, "still run; ", p.errs.String())
		}
		return !held
	})
}

// TestADeafCommandIsKilledBeforeALostConnectionsClaimIsGone: whatever its grace.
func TestADeafCommandIsKilledBeforeALostConnectionsClaimIsGone(t *testing.T) {
	for grace, told := range map[string]bool{"60s": true, "0s": false} {
		s := clitest.New(t, cli.Run, zkserver.Options{MinTimeout: time.Second})
		p := spawn(t, s, deaf, "--session-timeout", "4s", "--grace", grace)
		s.Server.RefuseConnections(true)
		s.Server.DropConnections()
		neverAlone(t, s, p)
		_ = p.cmd.Wait()
		errs := p.errs.String()
		if code := p.cmd.ProcessState.ExitCode(); code != world.ExitOwn || strings.Contains(errs, "no server answers: the claim is lost in ") != told || strings.Count(errs, "lost: ") != 1 {
			t.Errorf("grace %s: code %d; %s", grace, code, errs)
		}
	}
}

// TestACommandThatIsToldInTimeEndsByItself: before its claim is lost.
func TestACommandThatIsToldInTimeEndsByItself(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{MinTimeout: time.Second})
	p := spawn(t, s, `trap 'exit 7' TERM; echo $$ > $PIDS; while :; do sleep 0.05; done`, "--session-timeout", "4s")
	s.Server.RefuseConnections(true)
	s.Server.DropConnections()
	neverAlone(t, s, p)
	_ = p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != 7 {
		t.Errorf("code %d; %s", code, p.errs.String())
	}
}

// TestAStoppedZkscopeKillsItsCommandWhenItGoesOn: while it is stopped nobody can, and then there is no grace.
func TestAStoppedZkscopeKillsItsCommandWhenItGoesOn(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{MinTimeout: time.Second})
	p := spawn(t, s, deaf, "--session-timeout", "2s", "--grace", "60s")
	_ = p.cmd.Process.Signal(syscall.SIGSTOP)
	peers.WaitFor(t, 30*time.Second, "the end of the claim", func() bool { return !heldNow(s) })
	if len(alive(p.pids)) == 0 {
		t.Fatal("the command has ended: the documentation says too little")
	}
	_ = p.cmd.Process.Signal(syscall.SIGCONT)
	peers.WaitFor(t, 10*time.Second, "the end of the command", func() bool { return len(alive(p.pids)) == 0 })
	_ = p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != world.ExitOwn {
		t.Errorf("code %d; %s", code, p.errs.String())
	}
}
