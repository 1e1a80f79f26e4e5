package recipes

import (
	"context"

	"github.com/zkscope/zkscope/inspect"
)

// Election chooses a leader: the candidate whose place in line comes first.
//
// Protocol: the recipe documents' leader election, spelled in the dialect of its options.
type Election struct {
	s    *Session
	path string
	opts Options
}

// Election returns the election at a path. It does no I/O.
func (s *Session) Election(path string, o Options) Election { return Election{s, path, o} }

// Campaign waits to become leader. When ctx ends first, the candidacy is given up and ctx's error returned.
// The leader resigns by releasing the claim.
func (e Election) Campaign(ctx context.Context) (*Claim, error) {
	return e.s.acquire(ctx, e.path, inspect.Election, inspect.Exclusive, e.opts)
}
