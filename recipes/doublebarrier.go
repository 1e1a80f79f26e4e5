package recipes

import (
	"context"
	"errors"
	"slices"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// DoubleBarrier lets its members begin together, when enough have entered, and end together, when all have
// left. The number is a threshold and no limit, and it is stored nowhere: every client must use the same.
//
// Protocol: the recipe documents' double barrier, step by step. While gathering, all watch ready; while leaving, all
// watch the lowest member, and the lowest watches the highest, so that each deletion wakes one but for the
// last, which wakes all. The one who leaves last also removes ready, so that the barrier can be used again.
//
// Requests: exists, create, list to enter (and create for the last to come, an event and a list for the
// others); list, delete, watch and list to leave.
type DoubleBarrier struct {
	s    *Session
	path string
	need int
	opts Options
}

// DoubleBarrier returns the double barrier at a path that begins when need members are there. It does no I/O.
func (s *Session) DoubleBarrier(path string, need int, o Options) DoubleBarrier {
	return DoubleBarrier{s, path, max(1, need), o}
}

const readyName = "ready"

// Enter waits until enough members have entered. When ctx ends first, ours is withdrawn and ctx's error
// returned. The claim is membership: a member whose claim is lost counts as one that has left.
func (d DoubleBarrier) Enter(ctx context.Context) (*Claim, error) {
	sp, err := spell(inspect.DoubleBarrier, inspect.Exclusive, d.opts.Dialect)
	if err != nil {
		return nil, &Error{"enter", d.path, err}
	}
	t := newTicket(d.s, d.path, sp, d.opts)
	t.fixed, t.swept = true, d.sweep
	bound, stop := d.s.within(ctx)
	defer stop()
	w, err := d.watchReady(bound) // before our znode: who comes last must find us watching
	if err != nil {
		return nil, d.s.fail("enter", d.path, err)
	}
	defer w.cancel()
	return d.s.obtain(ctx, "enter", t, d.opts, "", func(t *ticket, ctx context.Context) error {
		return d.gather(ctx, t, w)
	})
}

func (d DoubleBarrier) watchReady(ctx context.Context) (*watch, error) {
	return d.s.conn.watch(ctx, zkc.WatchExists, inspect.Join(d.path, readyName))
}

// gather is the second half of entering: it counts, and then waits for ready or makes it.
func (d DoubleBarrier) gather(ctx context.Context, t *ticket, w *watch) error {
	for {
		members, _, err := d.members(ctx)
		switch {
		case err != nil || w.Exists:
			w.cancel()
			return err
		case !slices.Contains(members, t.name):
			w.cancel()
			return ErrLost
		}
		if len(members) >= d.need {
			opens, err := d.opens(ctx, t, members)
			if opens && err == nil {
				_, err = d.s.ensure(ctx, inspect.Join(d.path, readyName), []byte{})
			}
			if opens || err != nil {
				w.cancel()
				return err
			}
		}
		select {
		case ev := <-w.C:
			if ev.Type == wire.EventCreated {
				return nil // even if ready is gone again: kazoo's first to leave removes it
			}
		case <-ctx.Done():
			w.cancel()
			return ctx.Err()
		}
		if w, err = d.watchReady(ctx); err != nil {
			return err
		}
	}
}

// opens reports whether it is for us to make ready when enough have come: anybody may. Of kazoo's members only the
// last to come does: a kazoo client looks for ready after it has made its znode, and one that finds ready there but
// members gone by then waits for ever.
func (d DoubleBarrier) opens(ctx context.Context, t *ticket, members []string) (bool, error) {
	if d.opts.Dialect != inspect.Kazoo {
		return true, nil
	}
	found, err := d.s.readAll(ctx, d.path, members)
	for _, v := range found {
		if v.stat.Czxid > t.stat.Czxid {
			return false, err
		}
	}
	return true, err
}

// members lists who is there, lowest first. In the documents' dialect every child but ready is a member.
func (d DoubleBarrier) members(ctx context.Context) (members []string, ready bool, err error) {
	names, err := d.s.children(ctx, d.path)
	for _, n := range names {
		switch {
		case n == readyName:
			ready = true
		case d.isMember(n):
			members = append(members, n)
		}
	}
	slices.Sort(members)
	return members, ready, err
}

func (d DoubleBarrier) isMember(name string) bool {
	switch d.opts.dialect() {
	case inspect.Kazoo:
		return isHex32(name)
	case inspect.Curator:
		return len(name) == 36
	}
	return true
}

// Leave waits until every member has left. When ctx ends first, ours is withdrawn, as releasing the claim does, so that
// the others need not wait for it, and ctx's error is returned. The last to withdraw removes ready, too.
func (d DoubleBarrier) Leave(ctx context.Context, member *Claim) error {
	if member.t.dir != d.path {
		return &Error{"leave", d.path, ErrNotHeld}
	}
	member.released.Store(true)
	bound, stop := d.s.within(ctx)
	defer stop()
	err := d.disperse(bound, member.t)
	if err != nil {
		_ = member.t.leave(ctx)
	}
	member.t.s.disown(member.t)
	member.retire()
	return d.s.fail("leave", d.path, err)
}

func (d DoubleBarrier) disperse(ctx context.Context, t *ticket) error {
	for {
		members, ready, err := d.members(ctx)
		switch {
		case err != nil:
			return err
		case len(members) == 0 && ready: // the last member died instead of leaving
			return d.s.remove(ctx, inspect.Join(d.path, readyName))
		case len(members) == 0:
			return nil
		}
		lowest, highest := members[0], members[len(members)-1]
		if lowest == t.name && lowest == highest {
			return d.leaveLast(ctx, t)
		}
		awaited := lowest
		if lowest == t.name {
			awaited = highest
		} else if slices.Contains(members, t.name) {
			if err := d.s.remove(ctx, t.path()); err != nil {
				return err
			}
		}
		if err := d.s.awaitChange(ctx, inspect.Join(d.path, awaited)); err != nil {
			return err
		}
	}
}

// sweep removes a ready that the last to withdraw would leave behind: whoever comes next would be let in at once.
func (d DoubleBarrier) sweep(ctx context.Context) error {
	switch members, ready, err := d.members(ctx); {
	case errors.Is(err, zkc.ErrNoNode):
		return nil
	case err != nil || len(members) > 0 || !ready:
		return err
	}
	return d.s.remove(ctx, inspect.Join(d.path, readyName))
}

// leaveLast removes the last member together with ready, in one step: whoever enters meanwhile is counted
// either with this round or with the next.
func (d DoubleBarrier) leaveLast(ctx context.Context, t *ticket) error {
	for {
		_, err := d.s.conn.Multi(ctx, zkc.DeleteOf(inspect.Join(d.path, readyName), zkc.AnyVersion), zkc.DeleteOf(t.path(), zkc.AnyVersion))
		switch {
		case err == nil:
			return nil
		case errors.Is(err, zkc.ErrNoNode): // no ready (kazoo's first to leave removes it), or all is gone
			return d.s.remove(ctx, t.path())
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		}
		return err
	}
}
