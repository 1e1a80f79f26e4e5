//go:build unix

package join

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// A command that runs while a claim is held must not outlive us: nobody would tell it that the claim is lost. So it runs
// under a keeper, a process of this program that does nothing else and hears by a pipe that closes when we are gone, also
// by kill -9. It has a process group of its own, so that what kills our group leaves it.

// keeperName is what a keeper is called, and how it knows that it is one.
const keeperName = "zkscope-join"

func init() {
	if len(os.Args) > 4 && os.Args[0] == keeperName {
		os.Exit(keep(os.Args[1:]))
	}
}

// afterKill is how long a keeper waits for processes to go that it has killed: the kernel may hold them.
const afterKill = 5 * time.Second

// lookEvery is how often a keeper looks whether a group has ended.
const lookEvery = 20 * time.Millisecond

// keeper runs one command.
type keeper struct {
	pid   int
	group int  // of the command
	own   bool // nobody else is in the group
	ended bool // the command has, though others of its group may run
	told  bool // it was told to end
	code  int
}

// keep is a keeper's life: group (0: one of its own), grace in milliseconds, path and arguments of the command.
func keep(args []string) int {
	runtime.LockOSThread() // the kernel ends the command when the thread that has started it ends
	control, status := os.NewFile(3, "control"), os.NewFile(4, "status")
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	group, _ := strconv.Atoi(args[0])
	grace, _ := strconv.Atoi(args[1])
	adopt()
	cmd := &exec.Cmd{Path: args[2], Args: args[3:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, SysProcAttr: keptAttr(group)}
	if err := cmd.Start(); err != nil {
		var errno syscall.Errno
		if errors.As(err, &errno) {
			fmt.Fprintf(status, "errno %d", int(errno))
		} else {
			fmt.Fprintln(status, err)
		}
		return world.ExitOwn
	}
	k := &keeper{pid: cmd.Process.Pid, group: group, own: group == 0}
	if k.own {
		k.group = k.pid
	}
	fmt.Fprintf(status, "pid %d", k.pid)
	status.Close()
	ended := make(chan int, 1)
	guard.Go(func() {
		_ = cmd.Wait()
		ended <- exitCode(cmd)
	})
	return k.run(heard(control), ended, time.Duration(grace)*time.Millisecond)
}

// heard reads signals until whoever sends them is gone.
func heard(control *os.File) <-chan syscall.Signal {
	out := make(chan syscall.Signal)
	guard.Go(func() {
		defer close(out)
		b := make([]byte, 1)
		for {
			if n, err := control.Read(b); n == 0 || err != nil {
				return
			}
			out <- syscall.Signal(b[0])
		}
	})
	return out
}

// run passes signals on until the command has ended; once it was told to end, until all of its group has.
func (k *keeper) run(signals <-chan syscall.Signal, ended <-chan int, grace time.Duration) int {
	var late, over, look <-chan time.Time
	for {
		select {
		case sig, alive := <-signals:
			if !alive { // whoever held the claim is gone
				signals, sig, late = nil, syscall.SIGTERM, time.After(grace)
			}
			k.told = k.told || sig == syscall.SIGTERM || sig == syscall.SIGKILL
			k.signal(sig)
			if sig == syscall.SIGKILL {
				over = time.After(afterKill)
			}
		case <-late:
			k.signal(syscall.SIGKILL)
			over = time.After(afterKill)
		case k.code = <-ended:
			k.ended, look = true, time.Tick(lookEvery)
		case <-over:
			return k.code
		case <-look:
		}
		if k.ended && (!k.told || len(k.rest()) == 0) {
			return k.code
		}
	}
}

// signal signals the command and its group. In a group that is not its own that is what it has started, as far as that
// can be told.
func (k *keeper) signal(sig syscall.Signal) {
	if k.own {
		if !k.ended || len(k.rest()) > 0 {
			_ = syscall.Kill(-k.group, sig)
		}
		return
	}
	if !k.ended {
		_ = syscall.Kill(k.pid, sig)
	}
	if sig != syscall.SIGTERM && sig != syscall.SIGKILL {
		return // a terminal tells the whole group by itself
	}
	for _, pid := range k.rest() {
		if pid != k.pid {
			_ = syscall.Kill(pid, sig)
		}
	}
}
