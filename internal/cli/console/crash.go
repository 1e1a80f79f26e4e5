package console

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// crash sees to it that a panic in any goroutine ends the console with the terminal as it was before, and with a
// line that can be read.
type crash struct {
	c     *command.Line
	out   io.Writer
	kill  func() // ends the screen; does not wait
	first atomic.Pointer[guard.Failure]
	saved *term.State // the terminal before the screen; nil: no terminal
	exit  func(int)
}

// crashGrace is how long the screen and what is behind it may take to end after a panic: what holds them up may be
// the very goroutine that failed.
const crashGrace = 3 * time.Second

// leaveScreen shows the cursor and ends whatever a screen switches on: mouse, bracketed paste, the alternate screen.
const leaveScreen = "\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1049l\x1b[?25h\x1b[0m\r\n"

// watchPanics begins to watch, until stop.
func watchPanics(c *command.Line, out io.Writer, kill func()) (k *crash, stop func()) {
	k = &crash{c: c, out: out, exit: os.Exit, kill: kill}
	if f, ok := c.TTY.(*os.File); ok {
		k.saved, _ = term.GetState(int(f.Fd())) // not a terminal: nothing to bring back
	}
	return k, guard.Watch(k.failed)
}

// failed is told of a panic.
func (k *crash) failed(f *guard.Failure) {
	if !k.first.CompareAndSwap(nil, f) {
		return
	}
	time.AfterFunc(crashGrace, k.force)
	k.kill()
}

// force ends the process where the ordinary way out is blocked.
func (k *crash) force() {
	fmt.Fprint(k.out, leaveScreen)
	if f, ok := k.c.TTY.(*os.File); ok && k.saved != nil {
		_ = term.Restore(int(f.Fd()), k.saved)
	}
	fmt.Fprintln(k.c.Err, "zkscope: "+k.err().Error())
	k.exit(world.ExitError)
}

// err is what to tell of the panic; nil when there was none.
func (k *crash) err() error {
	f := k.first.Load()
	if f == nil {
		return nil
	}
	what := say.Printable(f.Error())
	path, err := k.keepTrace(f)
	if err != nil {
		return world.Fail(world.ExitError, "the console failed (%s) and its trace could not be kept: %v; places that were joined end with their sessions", what, err)
	}
	return world.Fail(world.ExitError, "the console failed (%s); please report it with %s; places that were joined end with their sessions", what, path)
}

// keepTrace writes the stack to a file, since what is printed may scroll away.
func (k *crash) keepTrace(f *guard.Failure) (path string, err error) {
	dir := filepath.Join(k.c.StateHome(), "zkscope")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "crash-"+k.c.Now().UTC().Format("20060102-150405")+".txt")
	return path, os.WriteFile(path, fmt.Appendf(nil, "%s\n\n%s", f.Error(), f.Stack), 0o600)
}

// guarded is a model whose own calls and commands are watched as well: the library's way of telling of a panic in a
// command is printed on the screen that is about to go.
type guarded struct{ tea.Model }

// Init starts the model.
func (g guarded) Init() tea.Cmd {
	defer guard.Catch()
	return guardCmd(g.Model.Init())
}

// Update takes a message.
func (g guarded) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer guard.Catch()
	m = g
	next, cmd := g.Model.Update(msg)
	return guarded{next}, guardCmd(cmd)
}

// View draws.
func (g guarded) View() string {
	defer guard.Catch()
	return g.Model.View()
}

// guardCmd guards a command and those that it bundles.
func guardCmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer guard.Catch()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = guardCmd(batch[i])
			}
		}
		return msg
	}
}
