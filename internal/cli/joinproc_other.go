//go:build !unix

package cli

import (
	"os"
	"os/exec"
	"time"
)

// passedOn are the signals that end a wait; commands get none from us.
var passedOn = []os.Signal{os.Interrupt}

var terminate = os.Kill

func fromTerminal(os.Signal) bool { return true }

func number(os.Signal) int { return 2 }

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
