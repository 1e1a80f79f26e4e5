// Package clitest is what the tests of the command line and of its rooms share: a server in memory and command lines that are run
// against it, here or as processes of their own. It knows no command: what carries out a command line is given to it.
package clitest
