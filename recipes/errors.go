package recipes

import (
	"errors"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/zkc"
)

// What callers tell apart with errors.Is.
var (
	// ErrLost reports that the claim or the session is gone: whatever was granted is granted no more.
	ErrLost = errors.New("lost")
	// ErrBusy reports that what was tried for is not free.
	ErrBusy = errors.New("somebody else holds it, or is before us")
	// ErrNotHeld reports a call that only a holder may make.
	ErrNotHeld = errors.New("not held")
	// ErrExists reports that the znode to be made is there already, and is not ours.
	ErrExists = errors.New("exists already")
	// ErrNotFound reports that there is no such znode.
	ErrNotFound = errors.New("not found")
	// ErrChanged reports that a value was changed since it was read: nothing was written.
	ErrChanged = errors.New("changed meanwhile")
	// ErrUnknown reports that the reply to a write was lost and nothing tells whether it was applied.
	ErrUnknown = errors.New("outcome unknown")
	// ErrTooLarge reports a request that servers refuse for its size: it was not sent. See Config.MaxRequest.
	ErrTooLarge = errors.New("too large")
	// ErrDenied reports missing permission.
	ErrDenied = errors.New("no permission")
	// ErrACL reports an ACL that servers do not take: of a scheme or id that they do not know, or of the creator's
	// identities where the session has none.
	ErrACL = errors.New("the servers do not take this ACL (that of the creator needs a session with credentials)")
)

// Why a session has ended.
var (
	// ErrExpired is the cause of a session that the server has ended.
	ErrExpired = errors.New("the session has expired")
	errSilent  = errors.New("no answer from any server for as long as the session lives")
	errClosed  = errors.New("the session was closed")
	errOwner   = errors.New("the connection was closed by its owner")
	errNoConn  = errors.New("FromConn was given no connection")
	errNoTime  = errors.New("FromConn was given no session timeout: it takes the one that the servers granted")
)

var errNoPath = errors.New("the path is empty: it begins with a slash")

// escaped is an error whose text is for a terminal, in one line.
type escaped struct{ error }

// Error is the text.
func (e escaped) Error() string { return say.Printable(e.error.Error()) }

// Unwrap returns the error.
func (e escaped) Unwrap() error { return e.error }

// ending is the reason that a connection's last state tells.
func ending(st zkc.State) error {
	switch {
	case st.Phase == zkc.Expired || errors.Is(st.Err, zkc.ErrSessionExpired):
		return ErrExpired
	case st.Phase == zkc.Failed && st.Err != nil:
		return st.Err
	}
	return errClosed
}

// Error says what could not be done, where, and why, in one line.
type Error struct {
	Op   string // acquire, release, ...
	Path string
	Err  error
}

// Error is one line, escaped for a terminal: the path, and what the cause may quote.
func (e *Error) Error() string {
	where := e.Op
	if e.Path != "" {
		where += " " + say.Printable(e.Path)
	}
	return where + ": " + say.Printable(e.Err.Error())
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// meaning is a cause together with the error of this package that it amounts to.
type meaning struct{ is, why error }

// Error is the cause's text.
func (m meaning) Error() string { return m.why.Error() }

// Unwrap gives errors.Is both.
func (m meaning) Unwrap() []error { return []error{m.is, m.why} }

var meanings = []struct{ cause, is error }{
	{zkc.ErrNoNode, ErrNotFound},
	{zkc.ErrNodeExists, ErrExists},
	{zkc.ErrBadVersion, ErrChanged},
	{zkc.ErrNoAuth, ErrDenied},
	{zkc.ErrUnknownOutcome, ErrUnknown},
	{zkc.ErrTooLarge, ErrTooLarge},
}

// fail returns the *Error for a cause, nil for nil. When the session has ended, that is the cause of
// whatever failed.
func (s *Session) fail(op, path string, err error) error {
	var already *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &already):
		return err
	case s.lifetime().Err() != nil, errors.Is(err, zkc.ErrSessionExpired), errors.Is(err, zkc.ErrClosed):
		if why := s.Cause(); why != nil {
			return &Error{op, path, meaning{ErrLost, why}}
		}
		return &Error{op, path, ErrLost}
	}
	if path == "" {
		return &Error{op, "", errNoPath}
	}
	if badACL(err) {
		return &Error{op, path, said{ErrACL.Error(), meaning{ErrACL, err}}}
	}
	for _, m := range meanings {
		if errors.Is(err, m.cause) {
			return &Error{op, path, meaning{m.is, plain(err, path)}}
		}
	}
	return &Error{op, path, plain(err, path)}
}

// said is an error in other words.
type said struct {
	text  string
	cause error
}

// Error is the words.
func (s said) Error() string { return s.text }

// Unwrap returns the error.
func (s said) Unwrap() error { return s.cause }

// plain leaves the path out of an error's text where the text around it names the same.
func plain(err error, path string) error {
	e, ok := err.(*zkc.Error)
	switch {
	case !ok || e.Path != path:
		return err
	case e.Err != nil:
		return said{e.Err.Error(), err}
	}
	return said{zkc.CodeText(e.Code), err}
}
