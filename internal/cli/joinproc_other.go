//go:build !unix

package cli

import (
	"os"
	"os/exec"
)

// passedOn are the signals that end a wait; commands get none from us.
var passedOn = []os.Signal{os.Interrupt}

var terminate = os.Kill

func fromTerminal(os.Signal) bool { return true }

func number(os.Signal) int { return 2 }

func ownGroup(*exec.Cmd, bool) {}

func signalJob(cmd *exec.Cmd, sig os.Signal) {
	if sig == os.Kill {
		_ = cmd.Process.Kill()
	}
}

func killedBy(*os.ProcessState) (int, bool) { return 0, false }
