package recipes

import (
	"context"
	"errors"

	"github.com/zkscope/zkscope/internal/zkc"
)

// Rendezvous is where those who start first learn how to reach the one who starts later. All dialects spell it
// alike.
//
// Protocol: the recipe literature's rendezvous: an ephemeral znode that the client makes, empty, that the
// workers watch, and that the master fills.
//
// Requests: one to arrange, one to fill; a waiter makes one, and one per change.
type Rendezvous struct {
	s    *Session
	path string
	acl  ACL
}

// Rendezvous returns the rendezvous at a path. It does no I/O. What is made has the ACL; default: the session's.
func (s *Session) Rendezvous(path string, acl ...Access) Rendezvous {
	return Rendezvous{s, path, acl}
}

// Arrange makes the rendezvous, empty. It lasts until the claim is released or its session ends. ErrExists:
// there is one already.
func (r Rendezvous) Arrange(ctx context.Context) (*Claim, error) {
	o := Options{Data: []byte{}, ACL: r.acl}
	return r.s.obtain(ctx, "arrange", r.s.fixedTicket(r.path, o), o, "", nil)
}

// Fill tells those who wait what they wait for. ErrNotFound: nobody has arranged the rendezvous.
func (r Rendezvous) Fill(ctx context.Context, data []byte) error {
	if len(data) == 0 {
		return &Error{"fill", r.path, errors.New("with nothing in it, it would not be filled")}
	}
	for {
		_, err := r.s.link().Set(ctx, r.path, data, AnyVersion)
		if errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil {
			continue // to write it twice is to write it once
		}
		return r.s.fail("fill", r.path, err)
	}
}

// Wait returns what the rendezvous was filled with. It waits for the rendezvous to be arranged, too.
func (r Rendezvous) Wait(ctx context.Context) ([]byte, error) {
	bound, stop := r.s.within(ctx)
	defer stop()
	for {
		w, err := r.s.watchValue(bound, r.path)
		if err != nil {
			return nil, r.s.fail("wait", r.path, err)
		}
		if len(w.Data) > 0 {
			w.cancel()
			return w.Data, nil
		}
		if err := await(bound, w); err != nil {
			return nil, r.s.fail("wait", r.path, err)
		}
	}
}
