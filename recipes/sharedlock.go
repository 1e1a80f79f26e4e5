package recipes

import (
	"context"

	"github.com/zkscope/zkscope/inspect"
)

// SharedLock is a read/write lock: readers hold together, a writer alone; a reader waits for the writers
// ahead of it, a writer for everyone ahead of it.
//
// Protocol: the recipe documents' shared locks, spelled in the dialect of its options.
type SharedLock struct {
	s    *Session
	path string
	opts Options
}

// SharedLock returns the read/write lock at a path. It does no I/O.
func (s *Session) SharedLock(path string, o Options) SharedLock { return SharedLock{s, path, o} }

// Read waits for a read lock. When ctx ends first, the place in line is given up and ctx's error returned.
func (l SharedLock) Read(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, inspect.SharedLock, inspect.Read, l.opts)
}

// Write waits for the write lock. When ctx ends first, the place in line is given up and ctx's error returned.
func (l SharedLock) Write(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, inspect.SharedLock, inspect.Write, l.opts)
}
