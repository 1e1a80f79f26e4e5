//go:build unix

package clitest

import (
	"os"
	"strconv"
	"syscall"
)

// setLimit takes on the bound of this process.
func setLimit() {
	if n, err := strconv.ParseUint(os.Getenv(LimitVar), 10, 64); err == nil {
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
	}
}
