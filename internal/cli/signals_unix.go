//go:build unix

package cli

import (
	"os"
	"syscall"
)

// passedOn are the signals that a command gets from us.
var passedOn = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

func number(sig os.Signal) int { return int(sig.(syscall.Signal)) }
