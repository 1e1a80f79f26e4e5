//go:build unix && !linux

package world

import "golang.org/x/sys/unix"

// KeepOutOfCores keeps this process's memory, which holds secrets, out of core dumps; commands that we run dump none either.
func KeepOutOfCores() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
