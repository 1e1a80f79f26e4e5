//go:build !unix

package world

// KeepOutOfCores does nothing: the system makes no core dumps of programs by itself.
func KeepOutOfCores() {}
