package recipes

import (
	"context"
	"errors"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// ahead is a znode that stands before a ticket, and the watch over it.
type ahead struct {
	name string
	*watch
}

// wait returns when it is the turn of the ticket. It watches its own znode, the one that inspect says has to go first, and
// of those that are served one by one also the one before that: when that goes it looks where it stands, so that it knows
// already when its turn comes that nobody else is left. Read/write locks are not such: one that is downgraded leaves a
// claim in its place. Kazoo's locks may be written so, too.
func (t *ticket) wait(ctx context.Context) error {
	var next, second ahead
	defer func() { next.drop(); second.drop() }()
	for {
		turn, v, err := t.look(ctx)
		if err != nil || turn.Holds {
			return err
		}
		if t.waiting != nil {
			t.waiting(t.place(turn, v))
		}
		simple := t.simple && !v.mixed && turn.Watch == v.next && layout.ParseName(turn.Watch).Word == layout.ParseName(t.name).Word
		wanted := ""
		if simple && turn.Position > 1 {
			wanted = v.second
		}
		if again, err := t.keepAhead(ctx, &next, &second, turn.Watch, wanted); again && err == nil {
			continue
		} else if err != nil {
			return err
		}
		last, err := t.awaitAhead(ctx, &next, &second)
		if err != nil || last && simple && turn.Position == 1 {
			return err
		}
	}
}

// drop gives the watch back.
func (a *ahead) drop() {
	if a.watch != nil {
		a.cancel()
	}
	*a = ahead{}
}

// keepAhead sees to it that the two are watched, and the ticket's own znode, and nothing else. again: one has gone
// meanwhile.
func (t *ticket) keepAhead(ctx context.Context, next, second *ahead, name, before string) (again bool, err error) {
	if second.watch != nil && second.name == name { // the one between has gone out of turn
		next.drop()
		*next, *second = *second, ahead{}
		next.recheck(t.s.Timeout())
	}
	var missing []*ahead
	var paths []string
	if t.mine == nil {
		paths = append(paths, t.path())
	}
	for i, want := range []string{name, before} {
		a := []*ahead{next, second}[i]
		if a.watch != nil && a.name == want {
			continue
		}
		if a.drop(); want != "" {
			a.name = want
			missing, paths = append(missing, a), append(paths, join(t.dir, want))
		}
	}
	if len(paths) == 0 {
		return false, nil
	}
	watches, errs := t.s.link().watches(ctx, paths)
	if t.mine == nil {
		t.mine, err = t.vetted(ctx, watches[0], errs[0])
		watches, errs = watches[1:], errs[1:]
	}
	for i, a := range missing {
		if a.watch = watches[i]; a == next && errs[i] == nil {
			a.recheck(t.s.Timeout()) // the other one is asked for only to be early
		}
		if errors.Is(errs[i], zkc.ErrNoAuth) {
			a.watch, errs[i] = t.s.watchNode(ctx, join(t.dir, a.name))
		}
		switch {
		case errors.Is(errs[i], zkc.ErrNoNode):
			again = true // it went between the list and the watch: list again
		case err == nil:
			err = errs[i]
		}
	}
	return again, err
}

// awaitAhead returns when one of the two has gone or changed, or our own znode may have; last: the next one has gone. With
// an error when our own is gone, or ctx has ended.
func (t *ticket) awaitAhead(ctx context.Context, next, second *ahead) (last bool, err error) {
	var other <-chan wire.Event
	if second.watch != nil {
		other = second.C
	}
	select {
	case ev := <-next.C:
		last = ev.Type == wire.EventDeleted && !next.Mute
		*next = ahead{}
		if t.mine.quiet() {
			return last, nil
		}
		t.mine, err = t.attend(ctx) // ours went or changed before
		return false, err
	case <-other:
		*second = ahead{}
	case <-t.mine.C:
		t.mine, err = t.attend(ctx)
	case <-ctx.Done():
		err = ctx.Err()
	}
	return false, err
}
