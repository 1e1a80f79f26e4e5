//go:build !unix

package clitest

// setLimit can bound nothing.
func setLimit() {}
