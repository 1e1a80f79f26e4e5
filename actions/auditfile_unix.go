//go:build unix

package actions

import (
	"os"
	"syscall"
)

// nonBlocking keeps the opening of a pipe from waiting for a reader: it is refused after that.
const nonBlocking = syscall.O_NONBLOCK

// ownedByUs reports whether a file belongs to who runs the process.
func ownedByUs(st os.FileInfo) bool {
	s, ok := st.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}

// lockFile keeps other processes from adding to a file meanwhile.
func lockFile(f *os.File) (unlock func(), err error) {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }, nil
}
