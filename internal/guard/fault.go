//go:build faults

package guard

import (
	"os"
	"os/signal"
	"syscall"
)

// A program built with this tag fails on purpose when it is sent SIGUSR1: for the tests of what a panic leaves behind.
func init() {
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGUSR1)
	go func() {
		for range sigs {
			Go(func() { panic("failed on purpose") })
		}
	}()
}
