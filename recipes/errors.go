package recipes

import (
	"errors"

	"github.com/zkscope/zkscope/inspect"
)

// What callers tell apart with errors.Is.
var (
	// ErrLost reports that the claim or the session is gone: whatever was granted is granted no more.
	ErrLost = errors.New("lost")
	// ErrNotHeld reports a call that only a holder may make.
	ErrNotHeld = errors.New("not held")
)

// Error says what could not be done, where, and why, in one line.
type Error struct {
	Op   string // acquire, release, ...
	Path string
	Err  error
}

// Error is one line; the path is escaped for a terminal.
func (e *Error) Error() string { return e.Op + " " + inspect.Printable(e.Path) + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
