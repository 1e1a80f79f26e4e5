package recipes

import (
	"context"

	"github.com/zkscope/zkscope/inspect/layout"
)

// Lock is an exclusive lock: the holder is the one whose place in line comes first.
//
// Protocol: the recipe documents' lock (create guid-lock- ephemeral and sequential, list, watch the next lower
// one), spelled in the dialect of its options. A release wakes the next one, and the one behind that, which looks where it
// stands then.
//
// Requests: create and list, in one piece, to acquire when nobody holds, delete to release; a waiter adds three watches,
// and a list and a watch when the one before the next has gone. No list where this session gave the lock up last, alone,
// and nothing was written in the ensemble since.
type Lock struct {
	s    *Session
	path string
	opts Options
}

// Lock returns the lock at a path. It does no I/O.
func (s *Session) Lock(path string, o Options) Lock { return Lock{s, path, o} }

// Acquire waits for the lock. When ctx ends first, the place in line is given up and ctx's error returned.
func (l Lock) Acquire(ctx context.Context) (*Claim, error) {
	return l.s.lockAt(ctx, l.path, l.opts, (*ticket).wait)
}

// TryAcquire takes the lock if nobody holds it, else it returns ErrBusy at once.
func (l Lock) TryAcquire(ctx context.Context) (*Claim, error) {
	return l.s.lockAt(ctx, l.path, l.opts, (*ticket).try)
}

// lockAt takes a place in the line of the lock at a path.
func (s *Session) lockAt(ctx context.Context, path string, o Options, ready func(*ticket, context.Context) error) (*Claim, error) {
	return s.acquire(ctx, path, layout.Lock, layout.Exclusive, o, ready)
}

// acquire takes a place in a line, which ready lets pass.
func (s *Session) acquire(ctx context.Context, path string, k layout.Kind, m layout.Mode, o Options, ready func(*ticket, context.Context) error) (*Claim, error) {
	row, err := rowOf(k, m, o.Dialect)
	if err != nil {
		return nil, &Error{"acquire", path, err}
	}
	t := newTicket(s, path, row, o)
	t.inLine, t.simple = true, !k.Modes() && !row.AlsoWriters()
	return s.obtain(ctx, "acquire", t, o, o.revokeWord(row), ready)
}

// obtain takes a ticket, waits until ready lets it pass, and makes a claim of it. Without a claim, nothing
// stays behind.
func (s *Session) obtain(ctx context.Context, op string, t *ticket, o Options, revoke string, ready func(*ticket, context.Context) error) (*Claim, error) {
	bound, stop := s.within(ctx)
	defer stop()
	err := t.take(bound)
	if err == nil && o.Progress.Standing != nil {
		o.Progress.Standing(t.path())
	}
	if err == nil && ready != nil {
		err = ready(t, bound)
	}
	var c *Claim
	if err == nil {
		c, err = t.grant(revoke, o.OnRevoke)
	}
	if err != nil {
		_ = t.leave(ctx) // what stays behind goes with the session
		return nil, s.fail(op, t.recipe(), err)
	}
	return c, nil
}
