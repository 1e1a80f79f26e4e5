package join

import (
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// keptAttr lets a command die with its keeper.
func keptAttr(group int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pgid: group, Pdeathsig: syscall.SIGKILL}
}

// adopt makes what the command leaves behind children of its keeper.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// stat is what is told of a process.
type stat struct{ parent, group int }

// processes lists those that have not ended.
func processes() map[int]stat {
	out := map[int]stat{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		b, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		name := strings.LastIndexByte(string(b), ')') // it may hold anything
		f := strings.Fields(string(b[name+1:]))
		if name < 0 || len(f) < 3 || f[0] == "Z" || f[0] == "X" {
			continue
		}
		parent, _ := strconv.Atoi(f[1])
		group, _ := strconv.Atoi(f[2])
		out[pid] = stat{parent, group}
	}
	return out
}

// rest lists the processes of the command's group that the command and its children have started, itself included.
func (k *keeper) rest() (out []int) {
	all, self := processes(), os.Getpid()
	for pid, p := range all {
		if p.group != k.group {
			continue
		}
		for at := pid; k.own || at > 1; at = all[at].parent {
			if k.own || all[at].parent == self {
				out = append(out, pid)
				break
			}
		}
	}
	return out
}
