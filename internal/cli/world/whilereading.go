package world

import (
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/guard"
)

// OnScreen is how many consoles are drawn.
var OnScreen atomic.Int32

// WhileReading reads what may wait for its other side, a pipe or a terminal, and so knows of no context: a signal ends the
// program meanwhile. Nothing is left half done then. Every file that a user names is read within it.
func WhileReading[T any](read func() (T, error)) (T, error) {
	sigs, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(sigs, PassedOn...)
	guard.Go(func() {
		select {
		case sig := <-sigs:
			if OnScreen.Load() > 0 { // the console ends by itself, and gives the terminal back
				return
			}
			Leftovers.Remove()
			os.Exit(128 + Number(sig))
		case <-done:
		}
	})
	defer close(done)
	defer signal.Stop(sigs)
	return read()
}

// OpenWithin opens a file that a user names. A pipe that nobody writes to is waited for no longer than patience.
func OpenWithin(name string, patience time.Duration) (*os.File, error) {
	st, err := os.Stat(name)
	if err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	type opening struct {
		f   *os.File
		err error
	}
	opened := make(chan opening, 1)
	guard.Go(func() {
		f, err := os.Open(name)
		opened <- opening{f, err}
	})
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case o := <-opened:
		return o.f, o.err
	case <-late.C:
	}
	if w, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil { // it ends the wait of the reader
		o := <-opened
		w.Close()
		if o.err == nil {
			o.f.Close()
		}
	}
	return nil, fmt.Errorf("open %s: nobody has opened this pipe to write to it within %v: start what writes, or give a longer --timeout", name, patience)
}

// NoPipe refuses files, by the options that name them, that are named pipes: one that nobody writes to would be waited for
// with nothing on the screen. What a shell passes on by number, as <(command) does, has its writer.
func NoPipe(files map[string]string) error {
	for _, option := range slices.Sorted(maps.Keys(files)) {
		name := files[option]
		if strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/") {
			continue
		}
		if st, err := os.Stat(name); err == nil && st.Mode()&os.ModeNamedPipe != 0 {
			return Fail(ExitUsage, "%s %s is a named pipe: name a regular file, or pass on what a command writes, as %s <(command) does in bash",
				option, say.Printable(name), option)
		}
	}
	return nil
}
