//go:build unix

package world

import (
	"os"
	"syscall"
)

// PassedOn are the signals that a command gets from us.
var PassedOn = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// Number is a signal's number.
func Number(sig os.Signal) int { return int(sig.(syscall.Signal)) }
