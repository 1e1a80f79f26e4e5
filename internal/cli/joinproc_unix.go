//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// passedOn are the signals that a command gets from us.
var passedOn = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// terminate asks a process to end.
var terminate os.Signal = syscall.SIGTERM

// fromTerminal reports whether a terminal sends this signal to everything that runs on it.
func fromTerminal(sig os.Signal) bool { return sig == syscall.SIGINT || sig == syscall.SIGQUIT }

func number(sig os.Signal) int { return int(sig.(syscall.Signal)) }

// ownGroup makes a command that will be started the head of a process group, so that signals reach what it starts.
func ownGroup(cmd *exec.Cmd, own bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: own}
}

// signalJob signals a command, with its group where it has one of its own.
func signalJob(cmd *exec.Cmd, sig os.Signal) {
	pid := cmd.Process.Pid
	if cmd.SysProcAttr.Setpgid {
		pid = -pid
	}
	_ = syscall.Kill(pid, sig.(syscall.Signal))
}

// killedBy tells the signal that ended a process.
func killedBy(p *os.ProcessState) (int, bool) {
	ws, ok := p.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return 0, false
	}
	return int(ws.Signal()), true
}
