//go:build unix && !linux

package join

import "syscall"

func keptAttr(group int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pgid: group}
}

func adopt() {}

// rest tells whether somebody is left in the command's group, where that is its own; of another nothing can be told.
func (k *keeper) rest() []int {
	if k.own && syscall.Kill(-k.group, 0) == nil {
		return []int{k.pid}
	}
	return nil
}
