package world

import (
	"errors"
	"fmt"
	"strings"
)

// Exit codes. Scripts rely on them.
const (
	ExitOK       = 0
	ExitError    = 1
	ExitUsage    = 2 // malformed command line, or the console without a terminal
	ExitFindings = 3
	ExitNotFound = 4
	ExitRefused  = 5 // read-only, holder cannot hear, missing pin or --yes, guard failed
	ExitConnect  = 6
	ExitUnlogged = 7   // done, but what came of it is not in the audit log
	ExitUnread   = 141 // nobody reads the output any more; as after SIGPIPE, by which most commands end then
)

// Failure is an error with the exit code that it asks for.
type Failure struct {
	Code int
	Err  error // nil: it was said already
	Own  bool  // the code is no failure of ours, but what a command that we ran ended with
}

// Error is what happened, in words; empty where it was said already.
func (f Failure) Error() string {
	if f.Err == nil {
		return ""
	}
	return f.Err.Error()
}

// Unwrap is the error that came first.
func (f Failure) Unwrap() error { return f.Err }

// Fail is an error in words, with the exit code that it asks for. Verbs of the format are those of fmt.Errorf, %w among
// them.
func Fail(code int, format string, args ...any) error {
	return Failure{Code: code, Err: fmt.Errorf(format, args...)}
}

// Code is the exit code that an error asks for.
func Code(err error) int {
	var f Failure
	if errors.As(err, &f) {
		return f.Code
	}
	return ExitUsage // everything else comes from parsing the command line
}

// OneLine is a text in one line: whatever space is in it becomes one blank.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ExitOwn is the exit code of join's own failures where it runs a command, whose codes must mean the command's.
const ExitOwn = 125

// RootCause is the innermost error: what the system said.
func RootCause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
