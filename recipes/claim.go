package recipes

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
)

// Options say how a claim is written and what its owner wants to hear.
type Options struct {
	Dialect Dialect // Optional; default ZooKeeper, or what the recipe names where the documents have none
	Name    string  // Optional; who we are, written where the dialect has a place for it
	Data    []byte  // Optional; what our znode holds; default: Name

	// ACL is optional: who may do what with the znodes that are made, the directories on the way to them included.
	// Default: the session's (Config.ACL).
	ACL ACL

	// Revocable makes the claim listen for its dialect's revoke word. A revocable Curator claim carries no
	// name, as Curator's own do not.
	Revocable bool

	// OnRevoke is optional and makes the claim revocable. It is called once, on a goroutine of its own, when
	// somebody asks us to let go. Returning true is consent: the claim is then released. Do what has to be done
	// before that in it. It must return when the claim is lost or released.
	OnRevoke func(c *Claim) bool

	// Progress is optional: what somebody who looks on while a call waits is told.
	Progress Progress
}

// Progress tells how a call that waits gets on. Both are called on the caller's goroutine, and must not block.
type Progress struct {
	// Standing is optional: it is called with the path of our znode as soon as that stands, which is before
	// anything is granted; twice for a semaphore, whose holders stand in line first and then make a lease.
	Standing func(path string)

	// Waiting is optional: it is called each time that it turns out that somebody has to go before us.
	Waiting func(Wait)
}

// Wait is a place in a line that is not yet served.
type Wait struct {
	Position int    // 0-based, holders included
	Of       int    // how many stand in the line
	Behind   string // path of the znode that has to go first
}

// revokeWord is what a claim of a row listens for; empty: nothing.
func (o Options) revokeWord(row *layout.Layout) string {
	if !o.revocable() {
		return ""
	}
	return row.Revoke
}

// revocable reports whether the claim listens for a revoke word.
func (o Options) revocable() bool { return o.Revocable || o.OnRevoke != nil }

// data is what our znode holds, whose dialect has this revoke word.
func (o Options) data(revoke string) []byte {
	switch {
	case o.revocable() && revoke == layout.RevokeCurator:
		return []byte{}
	case o.Data != nil:
		return o.Data
	}
	return []byte(o.Name)
}

// Claim is something granted: a lock, leadership, a lease, membership. It is granted until Lost is closed or
// Release returns.
type Claim struct {
	t      *ticket
	revoke string // the word to listen for; empty: none
	agree  func(*Claim) bool

	lost    chan struct{}
	revoked chan struct{}
	held    context.Context // ends with the guardian
	stop    context.CancelFunc
	work    context.Context // ends with the claim
	give    context.CancelCauseFunc
	done    chan struct{} // the guardian has ended
	start   sync.Once     // of the guardian
	first   *watch        // over our own znode, which the guardian takes over when it starts; nil: none
	later   *time.Timer   // until the guardian starts by itself; nil: it has

	released atomic.Bool
	once     sync.Once
}

// grant makes a claim of a ticket whose turn it is, and starts its guardian.
func (t *ticket) grant(revoke string, agree func(*Claim) bool) (*Claim, error) {
	sure := t.s.certain() // the answers that grant it may have been long on their way
	ctx, stop := context.WithCancel(t.s.lifetime())
	c := &Claim{t: t, revoke: revoke, agree: agree, lost: make(chan struct{}), revoked: make(chan struct{}), held: ctx, stop: stop, done: make(chan struct{})}
	c.work, c.give = context.WithCancelCause(t.s.lifetime())
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.s.over || !sure || t.s.lifetime().Err() != nil {
		stop()
		c.give(ErrLost)
		return nil, ErrLost
	}
	t.s.held[c] = struct{}{}
	c.first, t.mine = t.mine, nil
	if revoke == "" {
		c.later = time.AfterFunc(watchAfter, func() { c.watchOver() })
		return c, nil
	}
	c.start.Do(c.employ)
	return c, nil
}

// watchAfter is when a claim is watched that nobody has asked yet whether it is lost: what is given back sooner need not be.
const watchAfter = 10 * time.Millisecond

// watchOver starts the guardian, unless it was started, and returns a context that ends with it.
func (c *Claim) watchOver() context.Context {
	c.start.Do(func() {
		c.t.s.mu.Lock()
		defer c.t.s.mu.Unlock()
		c.employ()
	})
	return c.held
}

// employ starts the guardian. Its caller holds Session.mu.
func (c *Claim) employ() {
	if c.t.s.over { // Close waits for no guardian any more
		c.lose()
		c.end()
		return
	}
	c.t.s.wg.Add(1)
	guard.Go(func() {
		defer c.t.s.wg.Done()
		c.keepWatch(c.held, c.first)
		c.t.s.mu.Lock()
		defer c.t.s.mu.Unlock()
		c.end()
	})
}

// end is the end of the guardian. Its caller holds Session.mu.
func (c *Claim) end() {
	delete(c.t.s.held, c)
	c.give(ErrNotHeld)
	c.stop()
	close(c.done)
}

// none reports whether it is a claim to nothing.
func (c *Claim) none() bool { return c == nil || c.t == nil }

// of reports whether it is a claim of a session below a path.
func (c *Claim) of(s *Session, path string) bool { return !c.none() && c.t.s == s && c.t.dir == path }

// Path returns the znode that stands for the claim.
func (c *Claim) Path() string {
	if c.none() {
		return ""
	}
	return c.t.path()
}

// Token returns the znode's czxid: it grows with every claim in an ensemble, so what the claim protects can
// refuse a smaller one (a fencing token).
func (c *Claim) Token() int64 {
	if c.none() {
		return 0
	}
	return c.t.stat.Czxid
}

// Lost is closed when the claim is granted no more although it was not released: at once where the server tells, within half
// a session timeout where somebody has taken the right to read the znode from us before he deleted it.
func (c *Claim) Lost() <-chan struct{} {
	if c.none() {
		return never.Done()
	}
	c.watchOver()
	return c.lost
}

// Context ends when the claim is lost, or as soon as Release begins: hand it to whatever the claim protects. Its
// cause is ErrLost or why the session ended, and ErrNotHeld after Release.
func (c *Claim) Context() context.Context {
	if c.none() {
		return never
	}
	c.watchOver()
	return c.work
}

// Revoked is closed when somebody asked us to let go. It is a request: nothing happens unless the owner
// releases. It never is for a claim that is not revocable.
func (c *Claim) Revoked() <-chan struct{} {
	if c.none() {
		return nil
	}
	return c.revoked
}

// Release gives the claim up. It returns nil when the znode is gone, also when the claim had been lost
// before; it does not stop when ctx ends, but after the session's timeout at the latest. It may be called
// more than once.
func (c *Claim) Release(ctx context.Context) error {
	if c.none() {
		return &Error{"release", "", ErrNotHeld}
	}
	c.released.Store(true)
	c.give(ErrNotHeld)
	c.unhurry()
	err := c.t.leave(ctx) // the guardian sees its znode go, which spares taking its watch back
	c.retire()
	return c.t.s.fail("release", c.Path(), err)
}

// retire ends the guardian.
func (c *Claim) retire() {
	c.start.Do(func() {
		if c.first != nil {
			c.first.cancel()
		}
		c.t.s.mu.Lock()
		defer c.t.s.mu.Unlock()
		c.end()
	})
	c.unhurry()
	c.stop()
	<-c.done
}

// unhurry keeps the guardian from starting by itself.
func (c *Claim) unhurry() {
	if c.later != nil {
		c.later.Stop()
	}
}

// live reports whether the claim is granted at this moment, as far as is known here.
func (c *Claim) live() bool {
	select {
	case <-c.lost:
		return false
	default:
		return !c.released.Load()
	}
}

// keepWatch watches our own znode until the claim is released, lost, or its session is. w is the first watch, if there is
// one already.
func (c *Claim) keepWatch(ctx context.Context, w *watch) {
	asked := false
	for ; ; w = nil {
		var err error
		if w == nil {
			w, err = c.t.attend(ctx)
		}
		switch {
		case errors.Is(err, ErrLost):
			c.lose()
			return
		case err != nil:
			if pause(ctx, c.t.s.Timeout()/ownRechecks) {
				continue
			}
			c.ended()
			return
		}
		if c.revoke != "" && string(w.Data) == c.revoke && !asked {
			asked = true
			c.asked()
		}
		if !c.listen(ctx, w) {
			return
		}
	}
}

// asked tells the owner that somebody wants us to let go, and lets go if it consents.
func (c *Claim) asked() {
	close(c.revoked)
	if c.agree == nil {
		return
	}
	c.t.s.wg.Go(guard.Func(func() {
		if c.agree(c) {
			_ = c.Release(context.Background()) // bounded by the session's timeout
		}
	}))
}

// listen waits for the watch on our own znode; false when there is nothing more to guard.
func (c *Claim) listen(ctx context.Context, w *watch) bool {
	select {
	case ev := <-w.C:
		if ev.Type == wire.EventDeleted {
			c.lose()
			return false
		}
		return true
	case <-ctx.Done():
		w.cancel()
		c.ended()
		return false
	}
}

// ended decides, when the guardian's context has ended, whether that was the session's end or a release.
func (c *Claim) ended() {
	if c.t.s.lifetime().Err() != nil {
		c.lose()
	}
}

// lose closes Lost, unless the claim was given up on purpose.
func (c *Claim) lose() {
	if !c.released.Load() {
		c.once.Do(func() { close(c.lost) })
		c.give(ErrLost)
	}
}
