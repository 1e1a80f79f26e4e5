//go:build unix

package zkc

import "syscall"

// canTry says that a socket can be written to as far as it takes bytes at once.
const canTry = true

// try writes what the socket takes at once, and returns how much that was.
func try(raw syscall.RawConn, b []byte) (n int, err error) {
	var failed error
	err = raw.Write(func(fd uintptr) bool {
		for {
			n, failed = syscall.Write(int(fd), b)
			if failed != syscall.EINTR {
				return true
			}
		}
	})
	if failed == syscall.EAGAIN {
		failed = nil
	}
	if err == nil {
		err = failed
	}
	return max(n, 0), err
}
