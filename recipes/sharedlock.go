package recipes

import (
	"context"
	"errors"
	"math"

	"github.com/zkscope/zkscope/inspect/layout"
)

// SharedLock is a read/write lock: readers hold together, a writer alone; a reader waits for the writers
// ahead of it, a writer for everyone ahead of it.
//
// Protocol: the recipe documents' shared locks, spelled in the dialect of its options. The release of a writer
// wakes every reader that may then hold, which is no herd.
//
// Requests: those of Lock.
type SharedLock struct {
	s    *Session
	path string
	opts Options
}

// SharedLock returns the read/write lock at a path. It does no I/O.
func (s *Session) SharedLock(path string, o Options) SharedLock { return SharedLock{s, path, o} }

// Read waits for a read lock. When ctx ends first, the place in line is given up and ctx's error returned.
func (l SharedLock) Read(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, layout.SharedLock, layout.Read, l.opts, (*ticket).wait)
}

// TryRead takes a read lock if no writer is ahead, else it returns ErrBusy at once.
func (l SharedLock) TryRead(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, layout.SharedLock, layout.Read, l.opts, (*ticket).try)
}

// Write waits for the write lock. When ctx ends first, the place in line is given up and ctx's error returned.
func (l SharedLock) Write(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, layout.SharedLock, layout.Write, l.opts, (*ticket).wait)
}

// TryWrite takes the write lock if nobody is ahead, else it returns ErrBusy at once.
func (l SharedLock) TryWrite(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, layout.SharedLock, layout.Write, l.opts, (*ticket).try)
}

var errUsedUp = errors.New("the directory's sequence numbers are used up: release and acquire instead")

// Downgrade turns a write lock into a read lock without letting another writer in between: a read znode with
// the writer's own number is made beside it, as Curator does since 5.5, and then the writer's is released.
// It is refused where the directory's numbers are used up. The new claim has a Token of its own. On an error the write lock is held as before.
func (l SharedLock) Downgrade(ctx context.Context, write *Claim) (*Claim, error) {
	row, err := rowOf(layout.SharedLock, layout.Read, l.opts.Dialect)
	if err != nil {
		return nil, &Error{"downgrade", l.path, err}
	}
	if !write.of(l.s, l.path) || !write.live() || !layout.ParseName(write.t.name).HasSeq {
		return nil, &Error{"downgrade", l.path, ErrNotHeld}
	}
	name := layout.ParseName(write.t.name)
	if name.Seq < 0 || name.Seq == math.MaxInt32 {
		return nil, &Error{"downgrade", l.path, errUsedUp} // the order of arrival would put the new claim last
	}
	t := newTicket(l.s, l.path, row, l.opts)
	t.prefix, t.fixed = t.prefix+name.SeqText(), true
	read, err := l.s.obtain(ctx, "downgrade", t, l.opts, l.opts.revokeWord(row), nil)
	if err != nil {
		return nil, err
	}
	if err := write.Release(ctx); err != nil {
		return read, err // both are held: the writer's znode could not be removed
	}
	return read, nil
}
