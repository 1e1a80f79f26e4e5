package clitest

import (
	"bytes"
	"sync"
)

// LockedBuffer is read while it is written.
type LockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write adds to it.
func (l *LockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// String is what was written so far.
func (l *LockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
