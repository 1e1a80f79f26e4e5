package cli

import (
	"errors"
	"fmt"
	"strings"
)

// Exit codes. Scripts rely on them.
const (
	exitOK       = 0
	exitError    = 1
	exitUsage    = 2 // malformed command line, or the console without a terminal
	exitFindings = 3
	exitNotFound = 4
	exitRefused  = 5 // read-only, holder cannot hear, missing pin or --yes, guard failed
	exitConnect  = 6
	exitUnlogged = 7 // done, but what came of it is not in the audit log
)

// failure is an error with the exit code that it asks for.
type failure struct {
	code int
	err  error // nil: it was said already
	own  bool  // the code is no failure of ours, but what a command that we ran ended with
}

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

func fail(code int, format string, args ...any) error {
	return failure{code: code, err: fmt.Errorf(format, args...)}
}

// code is the exit code that an error asks for.
func code(err error) int {
	var f failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitUsage // everything else comes from parsing the command line
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// exitOwn is the exit code of join's own failures where it runs a command, whose codes must mean the command's.
const exitOwn = 125

// rootCause is the innermost error: what the system said.
func rootCause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
