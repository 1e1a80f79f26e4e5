//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/txntest"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// printing is a command line of every command that prints. ADDR is a server, NIGHT a recording, BIG the directory of
// a server with 5,000 transactions, CLAIM a claim, ASKED one that was asked to let go. With + it goes on until it is
// ended.
var printing = []string{
	"ls ADDR", "ls --from BIG", "show /locks/a ADDR", "why /locks/a ADDR", "graph --from NIGHT", "sessions ADDR",
	"impact 10.0.0.5 --from NIGHT", "doctor ADDR --admin off", "check ADDR -o nagios", "+watch /locks/a ADDR",
	"explain", "+export ADDR --listen 127.0.0.1:0", "+notify ADDR --webhook http://127.0.0.1:1/",
	"break CLAIM ADDR --dry-run", "revoke CLAIM ADDR --dry-run -o json", "open /barrier ADDR --dry-run",
	"close /b2 ADDR --dry-run", "skip /queue/queue-0000000001 ADDR --dry-run",
	"requeue /queue/queue-0000000001 ADDR --dry-run", "abort /tx/s_2 ADDR --dry-run",
	"clean /empty ADDR --dry-run", "restore ASKED ADDR --dry-run", "set /config/x ADDR --data y --dry-run",
	"vote /tx s_2 commit --servers ADDR --dry-run", "audit",
	"join counter /n --servers ADDR --role write --data 1", "history /locks/job-0001 --from BIG",
	"history --top --from BIG -o csv", "report --from BIG", "diff NIGHT NIGHT", "+record ADDR --file -",
	"record --from BIG --file -", "snapshot ADDR", "config", "config check", "config profiles",
	"demo --scenario locks", "+demo --headless --listen 127.0.0.1:0", "version", "help", "completion bash",
}

// pipes is a place to run them.
type pipes struct {
	t    *testing.T
	file string // the program
	s    *clitest.Shell
	env  []string
	is   *strings.Replacer
}

func newPipes(t *testing.T) *pipes {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	p := &pipes{t: t, file: file, s: clitest.New(t, cli.Run, zkserver.Options{})}
	_, claim := p.s.Contend()
	for _, path := range []string{"/barrier", "/queue", "/queue/queue-0000000001", "/config", "/config/x", "/empty", "/tx"} {
		p.s.Create(path, "", 0)
	}
	p.s.Create("/tx/s_1", "commit", 0)
	p.s.Create("/tx/s_2", "", 0)
	big, config := t.TempDir(), t.TempDir()
	night := clitest.Written(t, "deadlock.jsonl", clitest.Deadlocked)
	if err := txntest.Crowd(big, 5000, 50, 8); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(config+"/zkscope", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config+"/zkscope/config.yaml", []byte("profiles: {p: {servers: zk1:2181}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.s.Create("/locks/c", "", 0)
	asked := p.s.Create("/locks/c/0a1b2c3d-0000-4000-8000-000000000003-lock-", "batch-3", wire.FlagEphemeralSequence)
	p.s.Watch(asked)
	code, out, errs := p.s.Run("", "revoke", asked, p.s.Addr, "--yes", "--session", p.s.Session(asked), "--follow", "0")
	if code != world.ExitOK {
		t.Fatal(code, out, errs)
	}
	p.is = strings.NewReplacer("ASKED", asked, "ADDR", p.s.Addr, "NIGHT", night, "BIG", big, "CLAIM", claim)
	p.env = append(os.Environ(), "XDG_STATE_HOME="+p.s.Env["XDG_STATE_HOME"], "XDG_CONFIG_HOME="+config,
		"TERM=xterm-256color", "CLICOLOR_FORCE=1")
	return p
}

// command is one of the list, and whether it goes on.
func (p *pipes) command(line string) (cmd *exec.Cmd, goesOn bool) {
	rest, goesOn := strings.CutPrefix(line, "+")
	cmd = exec.Command(p.file, strings.Fields(p.is.Replace(rest))...)
	cmd.Env = p.env
	return cmd, goesOn
}

// pipe is a pipe for what a command prints.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// begins starts a command that prints to a file, which is its own from then on; what it says on standard error is whole when
// it has ended.
func begins(t *testing.T, cmd *exec.Cmd, out *os.File) (errs *bytes.Buffer) {
	t.Helper()
	defer out.Close()
	errs = new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return errs
}

// ends waits for a command, which must end soon, and returns its exit code as a shell tells it.
func ends(t *testing.T, line string, cmd *exec.Cmd) int {
	t.Helper()
	late := time.AfterFunc(20*time.Second, func() {
		t.Errorf("%s: it does not end", line)
		_ = cmd.Process.Kill()
	})
	defer late.Stop()
	err := cmd.Wait()
	if left := new(exec.ExitError); err != nil && !errors.As(err, &left) {
		t.Errorf("%s: %v", line, err)
	}
	if st := cmd.ProcessState.Sys().(syscall.WaitStatus); st.Signaled() {
		return 128 + int(st.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// note is what commands say on standard error about what they read or did: nothing is wrong then.
var note = regexp.MustCompile(`^zkscope: (as of .*|recorded .*|/.*: \d+ transactions, .*)$`)

func notesAlone(t *testing.T, line, errs string) {
	t.Helper()
	for said := range strings.Lines(errs) {
		if !note.MatchString(strings.TrimRight(said, "\n")) {
			t.Errorf("%s says on standard error: %s", line, said)
		}
	}
}

// Every command that there is prints in the list above, or opens a screen, which needs a terminal.
func TestEveryCommandIsPiped(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "zkscope ")
		listed := slices.ContainsFunc(printing, func(line string) bool {
			return strings.HasPrefix(strings.TrimPrefix(line, "+")+" ", name+" ")
		})
		if c.HasParent() && c.Runnable() && !c.Hidden && !listed && name != "replay" {
			t.Errorf("%s is not tried", name)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(cli.Tree())
}

// Whoever reads the first line and goes, as head -1 does, ends every command soon and without a word; what goes on,
// too.
func TestAReaderThatGoesAfterALine(t *testing.T) {
	p := newPipes(t)
	for _, line := range printing {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			cmd, goesOn := p.command(line)
			r, w := pipe(t)
			errs := begins(t, cmd, w)
			first, err := bufio.NewReader(r).ReadString('\n')
			r.Close()
			code := ends(t, line, cmd)
			if err != nil || strings.Contains(first, "\x1b") {
				t.Errorf("it printed %q: %v", first, err)
			}
			ended := []int{world.ExitOK, world.ExitError, world.ExitFindings} // it was done before
			if code != world.ExitUnread && (goesOn || !slices.Contains(ended, code)) {
				t.Errorf("exit %d", code)
			}
			notesAlone(t, line, errs.String())
		})
	}
}

// A pipe that nobody reads from the beginning ends every command by the signal of that, and without a word.
func TestAReaderThatIsGoneAtOnce(t *testing.T) {
	p := newPipes(t)
	for _, line := range printing {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			cmd, _ := p.command(line)
			r, w := pipe(t)
			r.Close()
			errs := begins(t, cmd, w)
			if code := ends(t, line, cmd); code != world.ExitUnread {
				t.Errorf("exit %d", code)
			}
			notesAlone(t, line, errs.String())
		})
	}
}

// A disk without room is an error in one line, and no success.
func TestADiskWithoutRoom(t *testing.T) {
	p := newPipes(t)
	for _, line := range printing {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			cmd, _ := p.command(line)
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			errs := begins(t, cmd, full)
			code, want := ends(t, line, cmd), world.ExitError
			if strings.Contains(line, "nagios") {
				want = 3 // unknown, as plugins have it
			}
			said := strings.Split(strings.TrimRight(errs.String(), "\n"), "\n")
			if last := said[len(said)-1]; code != want || !strings.Contains(last, "no space left on device") {
				t.Errorf("exit %d: %s", code, errs.String())
			}
			notesAlone(t, line, strings.Join(said[:len(said)-1], "\n"))
		})
	}
}

// A reader that waits, as less does, keeps watch from printing: it loses no order, and does not gather what it cannot
// print.
func TestAReaderThatWaits(t *testing.T) {
	p := newPipes(t)
	cmd, _ := p.command("+watch /locks/a ADDR --for 1h")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.Stdout, cmd.Stderr = w, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	lines := bufio.NewReader(r)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	const many = 6000
	before := 0
	for i := range many {
		name := "job-" + strconv.Itoa(i) + strings.Repeat("x", 200)
		path := p.s.Create(fmt.Sprintf("/locks/a/%032x__lock__", i), name, wire.FlagEphemeralSequence)
		if err := p.s.Client.Delete(context.Background(), path, -1); err != nil {
			t.Fatal(err)
		}
		if i == many/3 {
			before = resident(t, cmd.Process.Pid)
		}
	}
	if after := resident(t, cmd.Process.Pid); after > before+40<<10 {
		t.Errorf("it grew from %d to %d KB while nobody read", before, after)
	}
	last := p.s.Create("/locks/a/ffffffffffffffffffffffffffffffff__lock__", "the-last", wire.FlagEphemeralSequence)
	at, seen := "", false
	for !seen {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%s was not told: %v", last, err)
		}
		if len(line) < 12 || line[:12] < at {
			t.Fatalf("%q after %s", line, at)
		}
		at, seen = line[:12], strings.Contains(line, "the-last")
	}
	_ = cmd.Process.Signal(syscall.SIGINT)
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	if code := ends(t, "watch", cmd); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// resident is how much memory a process has, in KB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(b)
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// q ends less, and with it what fills it.
func TestLess(t *testing.T) {
	p := newPipes(t)
	for _, line := range []string{"ls --from BIG", "history /locks/job-0001 --from BIG"} {
		t.Run(line, func(t *testing.T) {
			peers.Require(t, peers.NeedTmux)
			x := &window{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
			said := filepath.Join(t.TempDir(), "said")
			shell := fmt.Sprintf("env LESS= LESSOPEN= TERM=screen %s %s 2>%s | less; echo ended; exec cat", p.file, p.is.Replace(line), said)
			x.run("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "10", shell)
			t.Cleanup(func() { _ = exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
			x.see("/locks/job-0001", ":")
			x.press("q")
			x.see("ended")
			b, err := os.ReadFile(said)
			if err != nil {
				t.Fatal(err)
			}
			notesAlone(t, line, string(b))
		})
	}
}
