package recipes

import (
	"context"
	"errors"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// watch has one goroutine, which ends when the watch fires, is canceled, or the session ends. The library itself
// keeps a watch that was canceled until it fires.
func (g *goZooKeeper) watch(ctx context.Context, kind zkc.WatchKind, path string) (*watch, error) {
	type seen struct {
		w watch
		c <-chan zk.Event
	}
	got, err := call(ctx, g, "watch", path, true, func() (s seen, err error) {
		var st *zk.Stat
		switch kind {
		case zkc.WatchData:
			s.w.Data, st, s.c, err = g.conn.GetW(path)
			s.w.Exists = true
		case zkc.WatchChildren:
			s.w.Children, st, s.c, err = g.conn.ChildrenW(path)
			s.w.Exists = true
		default:
			s.w.Exists, st, s.c, err = g.conn.ExistsW(path)
		}
		s.w.Stat = statOf(st)
		return s, err
	})
	if err != nil {
		return nil, err
	}
	f := follower{g: g, path: path, kind: kind, was: got.w.Stat, told: got.c, fire: make(chan wire.Event, 1), every: make(chan time.Duration, 1), off: make(chan struct{})}
	canceled, cancel := context.WithCancel(g.life)
	guard.Go(func() {
		f.follow(canceled)
		cancel()
	})
	w := got.w
	w.C, w.recheck, w.cancel = f.fire, f.recheck, func() { cancel(); <-f.off }
	return &w, nil
}

// follower is the goroutine of one watch.
type follower struct {
	g     *goZooKeeper
	path  string
	kind  zkc.WatchKind
	was   wire.Stat
	told  <-chan zk.Event
	fire  chan wire.Event
	every chan time.Duration // a new interval of questions
	off   chan struct{}      // closed in the end
}

// follow hands the library's event on. See zkc.Watch.Recheck for the questions.
func (f *follower) follow(ctx context.Context) {
	defer close(f.off)
	var ask <-chan time.Time
	for every := time.Duration(0); ; {
		select {
		case ev := <-f.told:
			if errors.Is(ev.Err, zk.ErrClosing) {
				f.g.end(errOwner)
			}
			f.end(eventType(ev.Type))
			return
		case every = <-f.every:
		case <-ask:
			now, _, err := f.g.Exists(ctx, f.path)
			if err == nil && !zkc.Unchanged(f.kind, f.was, now) {
				f.end(wire.EventNone)
				return
			}
		case <-ctx.Done():
			return
		}
		if ask = nil; every > 0 {
			ask = time.After(every)
		}
	}
}

func (f *follower) end(t wire.EventType) {
	f.fire <- wire.Event{Type: t, Path: f.path}
	close(f.fire)
}

// recheck sets the interval.
func (f *follower) recheck(every time.Duration) {
	select {
	case f.every <- every:
	case <-f.off:
	}
}

func eventType(t zk.EventType) wire.EventType {
	switch t {
	case zk.EventNodeDeleted:
		return wire.EventDeleted
	case zk.EventNodeCreated:
		return wire.EventCreated
	}
	return wire.EventNone // whatever it was: read again
}

func (g *goZooKeeper) watches(ctx context.Context, paths []string) ([]*watch, []error) {
	out, errs := make([]*watch, len(paths)), make([]error, len(paths))
	for i, p := range paths {
		out[i], errs[i] = g.watch(ctx, zkc.WatchData, p)
	}
	return out, errs
}
