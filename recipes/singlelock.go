package recipes

import (
	"context"
	"errors"

	"github.com/zkscope/zkscope/inspect/layout"
)

// SingleLock is the simplest lock: one ephemeral znode, and whoever creates it holds. Nobody stands in line,
// so there is no fairness, and a release wakes every waiter (a herd). Use it where the layout is given or
// contenders are few; else use Lock.
//
// Protocol: the simple lock of the recipe literature. Waiters watch the one znode.
//
// Requests: create and watch to acquire, exists and delete to release; n waiters make 2n requests per release.
type SingleLock struct {
	s    *Session
	path string
	opts Options
}

// SingleLock returns the lock that is the znode at a path. It does no I/O. The dialect of o has no effect.
func (s *Session) SingleLock(path string, o Options) SingleLock { return SingleLock{s, path, o} }

// Acquire waits until the znode is ours. When ctx ends first, its error is returned.
func (l SingleLock) Acquire(ctx context.Context) (*Claim, error) {
	bound, stop := l.s.within(ctx)
	defer stop()
	for {
		c, err := l.TryAcquire(bound)
		if !errors.Is(err, ErrExists) {
			return c, err
		}
		if err := l.s.awaitChange(bound, l.path); err != nil {
			return nil, l.s.fail("acquire", l.path, err)
		}
	}
}

// TryAcquire takes the lock if nobody holds it, else it returns ErrBusy, which is ErrExists here, at once.
func (l SingleLock) TryAcquire(ctx context.Context) (*Claim, error) {
	t := l.s.fixedTicket(l.path, l.opts)
	c, err := l.s.obtain(ctx, "acquire", t, l.opts, l.opts.word(), nil)
	var e *Error
	if errors.As(err, &e) && errors.Is(err, ErrExists) {
		err = &Error{e.Op, e.Path, meaning{ErrBusy, e.Err}}
	}
	return c, err
}

// word is what a claim that is one znode listens for.
func (o Options) word() string {
	if o.revocable() {
		return layout.RevokeUnlock
	}
	return ""
}

// fixedTicket is a ticket for a znode whose name others may use too.
func (s *Session) fixedTicket(path string, o Options) *ticket {
	dir, name := split(path)
	return &ticket{s: s, dir: dir, prefix: name, data: o.data(""), fixed: true, shared: true, acl: s.acl(o.ACL)}
}
