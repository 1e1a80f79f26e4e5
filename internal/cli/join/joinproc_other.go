//go:build !unix

package join

import (
	"os"
	"os/exec"
	"time"
)

var terminate = os.Kill

func fromTerminal(os.Signal) bool { return true }

// process is a command that runs.
type process struct{ cmd *exec.Cmd }

// launch starts a command. Nothing ends it when we die.
func launch(cmd *exec.Cmd, _ bool, _ time.Duration) (*process, error) {
	return &process{cmd}, cmd.Start()
}

// signal can only kill.
func (p *process) signal(sig os.Signal) {
	if sig == os.Kill {
		_ = p.cmd.Process.Kill()
	}
}

func (p *process) wait() error { return p.cmd.Wait() }

func killedBy(*os.ProcessState) (int, bool) { return 0, false }
