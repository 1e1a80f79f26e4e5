package clitest

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// running is zkscope as a process of its own that goes on until it is ended.
type running struct {
	cmd *exec.Cmd
	mu  sync.Mutex
	out strings.Builder
}

func (p *running) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *running) Printed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// End ends it as an operator would, and fails unless it ends well.
func (p *running) End(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	guard.Go(func() { ended <- p.cmd.Wait() })
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v: %s", err, p.Printed())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}

// Start starts one.
func Start(t *testing.T, args ...string) *running {
	t.Helper()
	p := &running{cmd: Process(args, "XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())}
	p.cmd.Stdout, p.cmd.Stderr = p, p
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	return p
}

// beVar has the arguments of a process that is no test but zkscope; a hyphen: they are its own, after --.
const beVar = "ZKSCOPE_TEST_BE"

// Main runs the tests of a package, and fails where one leaves a goroutine behind. A process that a test has started by process
// is zkscope instead.
func Main(m *testing.M, does program) {
	var args []string
	if be := os.Getenv(beVar); be == "-" {
		flag.Parse()
		args = flag.Args()
	} else if json.Unmarshal([]byte(be), &args) != nil {
		goleak.VerifyTestMain(m)
		return
	}
	os.Unsetenv(beVar)
	setLimit()
	os.Exit(does(args, world.OS()))
}

// Process is a command line as a process of its own, with more in its environment.
func Process(args []string, env ...string) *exec.Cmd {
	list, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), beVar+"="+string(list)), env...)
	return cmd
}

// Script is a shell script that passes its arguments to zkscope.
func Script() string { return "#!/bin/sh\nexec env " + beVar + "=- '" + os.Args[0] + "' -- \"$@\"\n" }

// LimitVar bounds the size of the files that a process of the tests may write.
const LimitVar = "ZKSCOPE_TEST_LIMIT"
