// Package quiet keeps the libraries that draw the console from asking the terminal for its colours as soon as
// the program starts. They do that in every command, would eat what was typed ahead, wait for an answer over a
// slow line, and print an escape sequence in front of a one-line error.
//
// The question is asked while packages are initialized, before main. It is left out where the environment says
// CI, so this package says so first and takes it back in Restore. It comes first because it imports only the
// standard library and stands before golang.org/x/sys, which the asking package needs: packages that are ready
// are initialized in the order of their import paths (Go specification, "Program initialization").
//
// # Concurrency
//
// Restore is called once, before any goroutine is started.
package quiet

import "os"

var had, was = set()

func set() (value string, present bool) {
	value, present = os.LookupEnv("CI")
	os.Setenv("CI", "true")
	return value, present
}

// Restore puts the environment back as the program got it.
func Restore() {
	if was {
		os.Setenv("CI", had)
		return
	}
	os.Unsetenv("CI")
}
