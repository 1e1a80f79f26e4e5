package recipes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
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
// It can be used again at once. A round is told by its ready: its members are those whose znodes are older than the
// latest write to it, and nobody else is waited for. Who comes while a round is on belongs to it, and writes to ready
// to say so. A ready whose members are all gone lets nobody in: it is removed. Clients of Curator and kazoo tell no
// rounds apart, also among themselves: one that is slow to leave takes members of the next round for its own and waits
// for them, while they wait for it. Against that nothing helps but to give up Enter; the error says how many had come.
//
// Requests: exists, create, list to enter (and create for the last to come, an event, exists and a list for the
// others; a read of the members and a set for who comes late); list and read, delete, watch to leave.
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

// round is what is known of a round: its ready.
type round struct {
	made    int64 // czxid; 0: it was removed before it could be read
	upto    int64 // the zxid of the latest write to it: members are older
	version int32
}

func roundOf(ready wire.Stat) round { return round{ready.Czxid, ready.Mzxid, ready.Version} }

// Enter waits until enough members have entered. When ctx ends first, ours is withdrawn and ctx's error
// returned. The claim is membership: a member whose claim is lost counts as one that has left.
func (d DoubleBarrier) Enter(ctx context.Context) (*Claim, error) {
	row, err := rowOf(layout.DoubleBarrier, layout.Exclusive, d.opts.Dialect)
	if err != nil {
		return nil, &Error{"enter", d.path, err}
	}
	t := newTicket(d.s, d.path, row, d.opts)
	t.swept = d.sweep
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

func (d DoubleBarrier) ready() string { return join(d.path, readyName) }

func (d DoubleBarrier) watchReady(ctx context.Context) (*watch, error) {
	return d.s.watch(ctx, zkc.WatchExists, d.ready())
}

// gather is the second half of entering: it counts, and then waits for ready or makes it.
func (d DoubleBarrier) gather(ctx context.Context, t *ticket, w *watch) error {
	select {
	case <-w.C: // ready came or went before our znode stood: that round is not ours
		w = nil
	default:
	}
	for came := false; ; {
		if w == nil {
			var err error
			if w, err = d.watchReady(ctx); err != nil {
				return err
			}
		}
		have, in, err := d.count(ctx, t, w, came)
		if errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil {
			w.cancel()
			w = nil
			continue // what was to be written to ready may not have been
		}
		if in || err != nil {
			w.cancel()
			return err
		}
		ev, err := t.await(ctx, w)
		if err != nil && ctx.Err() != nil {
			return d.short(have, ctx.Err())
		}
		if err != nil {
			return err
		}
		w, came = nil, ev.Type == wire.EventCreated
	}
}

// short says how far a round had got that was given up.
func (d DoubleBarrier) short(have int, why error) error {
	text := fmt.Sprintf("%s: %d of %d have come", why, have, d.need)
	if have < d.need && d.opts.Dialect.or(ZooKeeper) != ZooKeeper {
		text += "; a client of another library that is still leaving the last round may be waiting for us"
	}
	return said{text, why}
}

// count looks once who is there, and whether that lets us in. came tells that ready was made since our znode stood:
// then it does, even if ready is gone again, as kazoo's first to leave removes it.
func (d DoubleBarrier) count(ctx context.Context, t *ticket, w *watch, came bool) (have int, in bool, err error) {
	names, dir, err := d.s.link().Children(ctx, d.path)
	if err != nil && !errors.Is(err, zkc.ErrNoNode) {
		return 0, false, err
	}
	members := d.members(names)
	switch {
	case !slices.Contains(members, t.name):
		return 0, false, ErrLost
	case w.Exists:
		in, err = d.admit(ctx, t, members, w.Stat)
		return len(members), in, err
	case came:
		t.round = round{upto: dir.Pzxid}
		return len(members), true, nil
	case len(members) < d.need:
		return len(members), false, nil
	}
	opens, err := d.opens(ctx, t, members)
	if opens && err == nil {
		in, err = d.open(ctx, t)
	}
	return len(members), in, err
}

// admit decides whether a ready that is there lets us in. Whatever else happens to it, the watch over it tells.
func (d DoubleBarrier) admit(ctx context.Context, t *ticket, members []string, ready wire.Stat) (in bool, err error) {
	if ready.Mzxid > t.stat.Czxid {
		t.round = roundOf(ready)
		return true, nil
	}
	alive, err := d.older(ctx, without(members, t.name), ready.Mzxid)
	if err != nil {
		return false, err
	}
	if len(alive) == 0 { // the round is dead
		return false, settled(d.s.link().Delete(ctx, d.ready(), ready.Version))
	}
	stat, err := d.s.link().Set(ctx, d.ready(), []byte{}, ready.Version) // the round is on, and we are late
	if err != nil {
		return false, settled(err)
	}
	t.round = roundOf(stat)
	return true, nil
}

// settled is nil where somebody else's write to ready came before ours: a watch over it tells.
func settled(err error) error {
	for _, again := range []error{zkc.ErrNoNode, zkc.ErrNodeExists, zkc.ErrBadVersion} {
		if errors.Is(err, again) {
			return nil
		}
	}
	return err
}

// open makes ready.
func (d DoubleBarrier) open(ctx context.Context, t *ticket) (in bool, err error) {
	made, err := d.s.link().Create(ctx, d.ready(), []byte{}, wire.FlagPersistent, d.s.acl(d.opts.ACL))
	if err != nil {
		return false, settled(err)
	}
	if made.Stat.Czxid == 0 { // an old server, or a borrowed connection
		var there bool
		if made.Stat, there, err = d.s.link().Exists(ctx, d.ready()); !there || err != nil {
			return false, err
		}
	}
	t.round = roundOf(made.Stat)
	return true, nil
}

// opens reports whether it is for us to make ready when enough have come: anybody may. Of kazoo's members only the
// last to come does: a kazoo client looks for ready after it has made its znode, and one that finds ready there but
// members gone by then waits for ever.
func (d DoubleBarrier) opens(ctx context.Context, t *ticket, members []string) (bool, error) {
	if d.opts.Dialect != Kazoo {
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

// members picks the members, lowest first. In the documents' dialect every child but ready is one.
func (d DoubleBarrier) members(names []string) (members []string) {
	row, err := rowOf(layout.DoubleBarrier, layout.Exclusive, d.opts.Dialect)
	for _, n := range names {
		if n != readyName && err == nil && row.Spells(n) {
			members = append(members, n)
		}
	}
	slices.Sort(members)
	return members
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// older picks the members whose znodes are older than a zxid.
func (d DoubleBarrier) older(ctx context.Context, members []string, zxid int64) ([]string, error) {
	stats, err := d.s.stats(ctx, d.path, members)
	return slices.DeleteFunc(members, func(n string) bool { return stats[n].Czxid == 0 || stats[n].Czxid > zxid }), err
}

// Leave waits until every member of the round has left. When ctx ends first, ours is withdrawn, as releasing the claim
// does, so that the others need not wait for it, and ctx's error is returned. The last to withdraw removes ready, too.
func (d DoubleBarrier) Leave(ctx context.Context, member *Claim) error {
	if !member.of(d.s, d.path) {
		return &Error{"leave", d.path, ErrNotHeld}
	}
	member.released.Store(true)
	member.give(ErrNotHeld)
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
		names, err := d.s.children(ctx, d.path)
		if err != nil {
			return err
		}
		members := d.members(names)
		mine := slices.Contains(members, t.name)
		if others := without(members, t.name); len(others) > 0 {
			if members, err = d.round(ctx, t, others); err != nil {
				return err
			}
			if mine {
				members = append(members, t.name)
				slices.Sort(members)
			}
		}
		if len(members) == 0 || len(members) == 1 && mine {
			again, err := d.leaveLast(ctx, t, mine, slices.Contains(names, readyName))
			if again && err == nil {
				continue
			}
			return err
		}
		awaited := members[0]
		if awaited == t.name {
			awaited = members[len(members)-1]
		} else if mine {
			if err := d.s.remove(ctx, t.path()); err != nil {
				return err
			}
		}
		if err := d.s.awaitChange(ctx, join(d.path, awaited)); err != nil {
			return err
		}
	}
}

// round picks the others that belong to our round. Members that came late have written to its ready.
func (d DoubleBarrier) round(ctx context.Context, t *ticket, others []string) ([]string, error) {
	if err := d.refresh(ctx, t); err != nil {
		return nil, err
	}
	return d.older(ctx, others, t.round.upto)
}

// refresh reads the ready of our round again; what is known of it stays when it is gone, or another round's by now.
func (d DoubleBarrier) refresh(ctx context.Context, t *ticket) error {
	ready, there, err := d.s.link().Exists(ctx, d.ready())
	switch {
	case err != nil:
		return err
	case there && ready.Czxid == t.round.made:
		t.round = roundOf(ready)
	default:
		t.round.made = 0
	}
	return nil
}

// leaveLast ends the round: it removes the last member, if that is still there, together with the round's ready, in one
// step. again: somebody has come late in between, and belongs to the round.
func (d DoubleBarrier) leaveLast(ctx context.Context, t *ticket, mine, ready bool) (again bool, err error) {
	if !ready || t.round.made == 0 { // kazoo's first to leave removes it
		return false, d.s.remove(ctx, t.path())
	}
	changes := []zkc.Change{zkc.DeleteOf(d.ready(), t.round.version)}
	if mine {
		changes = append(changes, zkc.DeleteOf(t.path(), zkc.AnyVersion))
	}
	_, err = d.s.link().Multi(ctx, changes...)
	switch {
	case err == nil:
		return false, nil
	case errors.Is(err, zkc.ErrNoNode), errors.Is(err, zkc.ErrBadVersion), errors.Is(err, zkc.ErrUnknownOutcome):
		return true, d.refresh(ctx, t)
	}
	return false, err
}

// sweep removes a ready that the last to withdraw would leave behind.
func (d DoubleBarrier) sweep(ctx context.Context) error {
	ready, there, err := d.s.link().Exists(ctx, d.ready())
	if err != nil || !there {
		return err
	}
	names, err := d.s.children(ctx, d.path)
	if err != nil || len(d.members(names)) > 0 {
		return err
	}
	return settled(d.s.link().Delete(ctx, d.ready(), ready.Version))
}
