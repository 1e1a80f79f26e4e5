package recipes

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Item is an item of a queue. One that was taken is ours until Done, Return or Lost; one that was peeked at is
// a copy.
type Item struct {
	Name     string
	Data     []byte
	More     [][]byte  // further payloads, where Curator's putMulti has put several into one item
	Priority int64     // PriorityQueue
	Due      time.Time // DelayQueue

	q     *queue
	mark  *Claim // nil: peeked at
	ended atomic.Pointer[string]
}

// What can become of an item that was taken.
var itemDone, itemReturned = "it was done already", "it was returned already"

// end notes what becomes of the item, which can be one thing only.
func (i *Item) end(op string, what *string) error {
	if i == nil || i.mark == nil {
		return &Error{op, i.Path(), ErrNotHeld}
	}
	if !i.ended.CompareAndSwap(nil, what) {
		return &Error{op, i.Path(), meaning{ErrNotHeld, errors.New(*i.ended.Load())}}
	}
	return nil
}

// Lost is closed when the item is no more ours although it was neither done nor returned: somebody else will
// take it. Of an item that never was ours, as nil and what was peeked at, it is closed.
func (i *Item) Lost() <-chan struct{} {
	if i == nil || i.mark == nil {
		return never.Done()
	}
	return i.mark.Lost()
}

// Token is the fencing token of the mark; see Claim.Token.
func (i *Item) Token() int64 {
	if i == nil || i.mark == nil {
		return 0
	}
	return i.mark.Token()
}

// Return puts an item that was taken back to its place: whoever lists the queue next takes it before all that stand
// behind it, as far as several consumers keep the order (see Queue). ErrNotHeld: it was done or returned already.
func (i *Item) Return(ctx context.Context) error {
	if err := i.end("return", &itemReturned); err != nil {
		return err
	}
	err := i.mark.Release(ctx)
	if err != nil {
		i.ended.Store(nil)
	}
	i.q.forget()
	return err
}

// Done removes an item that was taken. ErrLost: it is not ours any more, and was or will be handed out again.
// ErrNotHeld: it was done or returned already.
func (i *Item) Done(ctx context.Context) error {
	if err := i.end("done", &itemDone); err != nil {
		return err
	}
	err := i.remove(ctx)
	if err != nil {
		i.ended.Store(nil) // it may still be returned
	}
	return err
}

func (i *Item) remove(ctx context.Context) error {
	if !i.mark.live() {
		return &Error{"done", i.Path(), ErrLost}
	}
	i.mark.released.Store(true)
	i.mark.give(ErrNotHeld)
	live, stop := i.q.s.alive(ctx)
	defer stop()
	err := i.finish(live)
	i.q.s.disown(i.mark.t)
	i.mark.retire()
	return i.q.s.fail("done", i.Path(), err)
}

// Path returns the item's znode.
func (i *Item) Path() string {
	if i == nil || i.q == nil {
		return ""
	}
	return join(i.q.items, i.Name)
}

// finish removes item and mark in one step. Once a reply was lost, an item that is gone is done.
func (i *Item) finish(ctx context.Context) error {
	for unsure := false; ; unsure = true {
		done, err := i.q.s.link().Multi(ctx, zkc.DeleteOf(i.mark.Path(), zkc.AnyVersion), zkc.DeleteOf(i.Path(), zkc.AnyVersion))
		switch {
		case err == nil:
			return nil
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		case errors.Is(err, zkc.ErrNoNode) && unsure && done[0].Code == wire.ErrNoNode:
			return nil
		case errors.Is(err, zkc.ErrNoNode) && done[0].Code == wire.ErrNoNode:
			return ErrLost
		case errors.Is(err, zkc.ErrNoNode): // somebody removed the item from under its mark
			return i.q.s.remove(ctx, i.mark.Path())
		}
		return err
	}
}
