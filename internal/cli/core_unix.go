//go:build unix && !linux

package cli

import "golang.org/x/sys/unix"

// keepOutOfCores keeps this process's memory, which holds secrets, out of core dumps; commands that we run dump none either.
func keepOutOfCores() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
