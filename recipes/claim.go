package recipes

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Options say how a claim is written and what its owner wants to hear.
type Options struct {
	Dialect inspect.Dialect // Optional; default inspect.ZooKeeper
	Name    string          // Optional; who we are, written where the dialect has a place for it

	// Revocable makes the claim listen for its dialect's revoke word. A revocable Curator claim carries no
	// name, as Curator's own do not.
	Revocable bool
}

func (o Options) data(sp spelling) []byte {
	if o.Revocable && sp.revoke == inspect.RevokeCurator {
		return []byte{}
	}
	return []byte(o.Name)
}

// Claim is something granted: a lock, a read or write lock, leadership. It is granted until Lost is closed
// or Release returns.
type Claim struct {
	t      *ticket
	revoke string // the word to listen for; empty: none

	lost    chan struct{}
	revoked chan struct{}
	stop    context.CancelFunc
	done    chan struct{} // the guardian has ended

	released atomic.Bool
	once     sync.Once
}

// grant makes a claim of a ticket whose turn it is, and starts its guardian.
func (t *ticket) grant(revoke string) *Claim {
	ctx, stop := context.WithCancel(t.s.life)
	c := &Claim{t: t, revoke: revoke, lost: make(chan struct{}), revoked: make(chan struct{}), stop: stop, done: make(chan struct{})}
	go c.guard(ctx)
	return c
}

// Path returns the znode that stands for the claim.
func (c *Claim) Path() string { return c.t.path() }

// Token returns the znode's czxid: it grows with every claim in an ensemble, so what the claim protects can
// refuse a smaller one (a fencing token). Zero: the server did not tell.
func (c *Claim) Token() int64 { return c.t.stat.Czxid }

// Lost is closed when the claim is granted no more although it was not released.
func (c *Claim) Lost() <-chan struct{} { return c.lost }

// Revoked is closed when somebody asked us to let go. It is a request: nothing happens unless the owner
// releases. It never is for a claim that is not revocable.
func (c *Claim) Revoked() <-chan struct{} { return c.revoked }

// Release gives the claim up. It returns nil when the znode is gone, also when the claim had been lost
// before. It may be called more than once.
func (c *Claim) Release(ctx context.Context) error {
	c.released.Store(true)
	err := c.t.leave(ctx) // the guardian sees its znode go, which spares taking its watch back
	c.stop()
	<-c.done
	if err != nil {
		return &Error{"release", c.Path(), err}
	}
	return nil
}

// guard watches our own znode until the claim is released, lost, or its session is.
func (c *Claim) guard(ctx context.Context) {
	defer close(c.done)
	asked := false
	for {
		w, err := c.t.s.conn.WatchOnce(ctx, zkc.WatchData, c.Path())
		switch {
		case errors.Is(err, zkc.ErrNoNode):
			c.lose()
			return
		case err != nil && ctx.Err() == nil:
			<-ctx.Done() // we may not read our own znode: only the end of the session can be noticed
			fallthrough
		case err != nil:
			c.ended()
			return
		}
		if c.revoke != "" && string(w.Data) == c.revoke && !asked {
			asked = true
			close(c.revoked)
		}
		select {
		case ev := <-w.C:
			if ev.Type == wire.EventDeleted {
				c.lose()
				return
			}
		case <-ctx.Done():
			w.Cancel()
			c.ended()
			return
		}
	}
}

// ended decides, when the guardian's context has ended, whether that was the session's end or a release.
func (c *Claim) ended() {
	if c.t.s.life.Err() != nil {
		c.lose()
	}
}

// lose closes Lost, unless the claim was given up on purpose.
func (c *Claim) lose() {
	if !c.released.Load() {
		c.once.Do(func() { close(c.lost) })
	}
}
