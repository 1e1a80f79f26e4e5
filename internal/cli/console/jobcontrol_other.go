//go:build !unix

package console

// noJobControl says why a stopped console could not be brought back.
func noJobControl() string { return "this system has no job control" }
