package recipes

import (
	"context"

	"github.com/zkscope/zkscope/inspect"
)

// Lock is an exclusive lock: the holder is the one whose place in line comes first.
//
// Protocol: the recipe documents' lock (create guid-lock- ephemeral and sequential, list, watch the next lower
// one), spelled in the dialect of its options.
type Lock struct {
	s    *Session
	path string
	opts Options
}

// Lock returns the lock at a path. It does no I/O.
func (s *Session) Lock(path string, o Options) Lock { return Lock{s, path, o} }

// Acquire waits for the lock. When ctx ends first, the place in line is given up and ctx's error returned.
func (l Lock) Acquire(ctx context.Context) (*Claim, error) {
	return l.s.acquire(ctx, l.path, inspect.Lock, inspect.Exclusive, l.opts)
}

// acquire takes a place in a line and waits for its turn.
func (s *Session) acquire(ctx context.Context, path string, k inspect.Kind, m inspect.Mode, o Options) (*Claim, error) {
	sp, err := spell(k, m, o.Dialect)
	if err != nil {
		return nil, &Error{"acquire", path, err}
	}
	t := newTicket(s, path, sp, o)
	bound, stop := s.within(ctx)
	defer stop()
	if err = t.take(bound); err == nil {
		err = t.wait(bound)
	}
	if err != nil {
		_ = t.leave(ctx) // what stays behind goes with the session
		return nil, &Error{"acquire", path, s.reason(err)}
	}
	if !o.Revocable {
		sp.revoke = ""
	}
	return t.grant(sp.revoke), nil
}
