//go:build unix

package world

import (
	"time"

	"golang.org/x/sys/unix"
)

// hearsReaders says whether it can be told that the reader of a pipe is gone.
const hearsReaders = true

// unread waits for the reader of a pipe to go, for so long; true: there is none.
func unread(fd uintptr, patience time.Duration) bool {
	pipe := []unix.PollFd{{Fd: int32(fd)}}
	n, err := unix.Poll(pipe, int(patience.Milliseconds()))
	return err == nil && n == 1 && pipe[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
