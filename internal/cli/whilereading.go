package cli

import (
	"os"
	"os/signal"

	"github.com/zkscope/zkscope/internal/guard"
)

// whileReading reads what may wait for its other side, a pipe or a terminal, and so knows of no context: a signal ends the
// program meanwhile. Nothing is left half done then. Every file that a user names is read within it.
func whileReading[T any](read func() (T, error)) (T, error) {
	sigs, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(sigs, passedOn...)
	guard.Go(func() {
		select {
		case sig := <-sigs:
			leftovers.remove()
			os.Exit(128 + number(sig))
		case <-done:
		}
	})
	defer close(done)
	defer signal.Stop(sigs)
	return read()
}
