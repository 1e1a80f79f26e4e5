package recipes

import (
	"context"
	"errors"

	"github.com/zkscope/zkscope/internal/zkc"
)

// Barrier blocks everyone who waits at it for as long as its znode exists. All dialects spell it alike.
//
// Protocol: the recipe documents' barrier. The znode is persistent: it outlives whoever closed it. Opening
// wakes every waiter, which is the point.
//
// Requests: one to close, one to open; a waiter makes one, and one more when it is woken.
type Barrier struct {
	s    *Session
	path string
	opts Options
}

// Barrier returns the barrier at a path. It does no I/O. The znode's data is that of o.
func (s *Session) Barrier(path string, o Options) Barrier { return Barrier{s, path, o} }

// Close puts the barrier in place. It returns nil when it was in place already.
func (b Barrier) Close(ctx context.Context) error {
	_, err := b.TryClose(ctx)
	return err
}

// TryClose is Close, and tells whether the barrier was put in place by this call. When the reply was lost it
// cannot tell, and says no.
func (b Barrier) TryClose(ctx context.Context) (made bool, err error) {
	made, err = b.s.ensure(ctx, b.path, b.opts.data(""), b.s.acl(b.opts.ACL))
	return made, b.s.fail("close", b.path, err)
}

// Open removes the barrier. It returns nil when there was none.
func (b Barrier) Open(ctx context.Context) error {
	return b.s.fail("open", b.path, b.s.remove(ctx, b.path))
}

// Wait returns when the barrier is gone, or with ctx's error.
func (b Barrier) Wait(ctx context.Context) error {
	bound, stop := b.s.within(ctx)
	defer stop()
	for {
		w, err := b.s.watchNode(bound, b.path)
		if errors.Is(err, zkc.ErrNoNode) {
			return nil
		}
		if err == nil {
			err = await(bound, w)
		}
		if err != nil {
			return b.s.fail("wait", b.path, err)
		}
	}
}
