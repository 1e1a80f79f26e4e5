//go:build !unix

package zkc

import (
	"errors"
	"syscall"
)

const canTry = false

func try(syscall.RawConn, []byte) (int, error) { return 0, errors.ErrUnsupported }
