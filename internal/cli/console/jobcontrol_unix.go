//go:build unix

package console

import (
	"os"

	"golang.org/x/sys/unix"
)

// noJobControl says why a stopped console could not be brought back; empty when a shell with job control started it.
func noJobControl() string {
	session, err := unix.Getsid(0)
	above, errAbove := unix.Getsid(os.Getppid())
	if err == nil && errAbove == nil && unix.Getpgrp() != session && above == session {
		return ""
	}
	return "no shell with job control started the console, so nothing would bring it back"
}
