//go:build !unix

package cli

// keepOutOfCores does nothing: the system makes no core dumps of programs by itself.
func keepOutOfCores() {}
