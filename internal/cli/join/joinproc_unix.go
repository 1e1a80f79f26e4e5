//go:build unix

package join

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// terminate asks a process to end.
var terminate os.Signal = syscall.SIGTERM

// fromTerminal reports whether a terminal sends this signal to everything that runs on it.
func fromTerminal(sig os.Signal) bool { return sig == syscall.SIGINT || sig == syscall.SIGQUIT }

// process is a command that runs under a keeper: see keep.
type process struct {
	cmd     *exec.Cmd // the keeper
	control *os.File  // what is written here it passes on; it ends the command when this closes, however that comes
	pid     int       // of the command
	own     bool      // the command has a process group of its own
}

// launch starts a command under a keeper, in a process group of its own or in ours. When we die the command gets a grace.
func launch(cmd *exec.Cmd, own bool, grace time.Duration) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	hear, control, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer hear.Close()
	status, tell, err := os.Pipe()
	if err != nil {
		control.Close()
		return nil, err
	}
	defer status.Close()
	group := 0
	if !own {
		group = syscall.Getpgrp()
	}
	cmd.Args = append([]string{keeperName, strconv.Itoa(group), strconv.FormatInt(grace.Milliseconds(), 10), cmd.Path}, cmd.Args...)
	cmd.Path, cmd.ExtraFiles = self, []*os.File{hear, tell}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // whoever kills our group does not kill it
	p := &process{cmd: cmd, control: control, own: own}
	err = cmd.Start()
	tell.Close()
	if err == nil {
		p.pid, err = started(status)
	}
	if err != nil {
		control.Close()
		if cmd.Process != nil {
			_ = cmd.Wait()
		}
		return nil, err
	}
	return p, nil
}

// started reads what a keeper has to say of its command: its process, or why there is none.
func started(status io.Reader) (pid int, err error) {
	b, _ := io.ReadAll(status)
	word, rest, _ := strings.Cut(string(b), " ")
	n, err := strconv.Atoi(rest)
	switch {
	case word == "pid" && err == nil:
		return n, nil
	case word == "errno" && err == nil:
		return 0, syscall.Errno(n)
	}
	return 0, fmt.Errorf("it does not start: %s", strings.TrimSpace(string(b)))
}

// signal passes a signal on to the command, and to its group.
func (p *process) signal(sig os.Signal) { _, _ = p.control.Write([]byte{byte(sig.(syscall.Signal))}) }

// wait returns when the command has ended, and where it was told to end, all of its group.
func (p *process) wait() error {
	err := p.cmd.Wait()
	if _, killed := killedBy(p.cmd.ProcessState); killed && p.own {
		_ = syscall.Kill(-p.pid, syscall.SIGKILL) // somebody has killed the keeper, and so the command, but not what that started
	}
	p.control.Close()
	return err
}

// killedBy tells the signal that ended a process.
func killedBy(p *os.ProcessState) (int, bool) {
	ws, ok := p.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return 0, false
	}
	return int(ws.Signal()), true
}
