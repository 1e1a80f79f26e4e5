package recipes

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// await returns when the watch fires, or with the context's error; then the watch is given back.
func await(ctx context.Context, w *watch) error {
	select {
	case <-w.C:
		return nil
	case <-ctx.Done():
		w.cancel()
		return ctx.Err()
	}
}

// pause waits; false when ctx ended before.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(max(d, pollEvery))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// awaitChange returns when a znode changed or is not there, or with the reason why there is nothing to wait
// for any more.
func (s *Session) awaitChange(ctx context.Context, path string) error {
	w, err := s.watchNode(ctx, path)
	switch {
	case errors.Is(err, zkc.ErrNoNode):
		return nil // it went between the list and the watch: list again
	case err != nil:
		return err
	}
	return await(ctx, w)
}

// watch leaves a watch, and looks once every session timeout whether it is still good: whoever takes the right to read from
// us after it was left takes its event, too, and servers do not tell that he did.
func (s *Session) watch(ctx context.Context, kind zkc.WatchKind, path string) (*watch, error) {
	w, err := s.link().watch(ctx, kind, path)
	if err == nil {
		w.recheck(s.Timeout())
	}
	return w, err
}

// watchNode watches a znode for its next change or its end; zkc.ErrNoNode: it is not there. It reads the data, because
// a watch on a znode that is gone would stay behind. Servers tell nobody of a znode that he may not read, also when he
// has watched for its existence: then the directory is watched in its place, and the watch is marked by that.
func (s *Session) watchNode(ctx context.Context, path string) (*watch, error) {
	w, err := s.watch(ctx, zkc.WatchData, path)
	if !errors.Is(err, zkc.ErrNoAuth) {
		return w, err
	}
	dir, name := split(path)
	w, err = s.watch(ctx, zkc.WatchChildren, dir)
	switch {
	case errors.Is(err, zkc.ErrNoAuth):
		return s.poll(ctx, path)
	case err != nil:
		return nil, err
	case !slices.Contains(w.Children, name):
		w.cancel()
		return nil, zkc.ErrNoNode
	}
	return &watch{C: w.C, Exists: true, Mute: true, cancel: w.cancel, recheck: w.recheck}, nil
}

// poll is a watch of a znode that nobody tells us of, neither by itself nor by its directory: it fires after a while.
func (s *Session) poll(ctx context.Context, path string) (*watch, error) {
	if _, there, err := s.link().Exists(ctx, path); err != nil || !there {
		return nil, cmp.Or(err, zkc.ErrNoNode)
	}
	fire := make(chan wire.Event, 1)
	timer := time.AfterFunc(s.Timeout()/4, func() { fire <- wire.Event{Type: wire.EventNone, Path: path} })
	return &watch{C: fire, Exists: true, Mute: true, cancel: func() { timer.Stop() }, recheck: func(time.Duration) {}}, nil
}

// watchValue reads a znode that need not exist and watches for its next change, its creation included.
func (s *Session) watchValue(ctx context.Context, path string) (*watch, error) {
	for {
		w, err := s.watch(ctx, zkc.WatchData, path)
		if !errors.Is(err, zkc.ErrNoNode) {
			return w, err
		}
		w, err = s.watch(ctx, zkc.WatchExists, path)
		if err != nil || !w.Exists {
			return w, err
		}
		w.cancel() // it came meanwhile: read it
	}
}

// watchChildren lists a directory that need not exist and watches for its next change, its creation included.
func (s *Session) watchChildren(ctx context.Context, path string) (*watch, error) {
	for {
		w, err := s.watch(ctx, zkc.WatchChildren, path)
		if !errors.Is(err, zkc.ErrNoNode) {
			return w, err
		}
		w, err = s.watch(ctx, zkc.WatchExists, path)
		if err != nil || !w.Exists {
			return w, err
		}
		w.cancel()
	}
}

// children lists a directory; one that does not exist has none.
func (s *Session) children(ctx context.Context, path string) ([]string, error) {
	names, _, err := s.link().Children(ctx, path)
	if errors.Is(err, zkc.ErrNoNode) {
		return nil, nil
	}
	return names, err
}

// remove deletes a znode and does not mind when it is gone already.
func (s *Session) remove(ctx context.Context, path string) error {
	for {
		err := s.link().Delete(ctx, path, zkc.AnyVersion)
		switch {
		case err == nil, errors.Is(err, zkc.ErrNoNode):
			return nil
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		}
		return err
	}
}

// ensure makes a persistent znode, with its parents, unless it is there. made is false when it was, or when
// a lost reply leaves open who made it.
func (s *Session) ensure(ctx context.Context, path string, data []byte, acl []wire.ACL) (made bool, err error) {
	for {
		_, err := s.link().Create(ctx, path, data, wire.FlagPersistent, acl)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, zkc.ErrNodeExists):
			return false, nil
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		case !errors.Is(err, zkc.ErrNoNode):
			return false, err
		}
		if _, err := s.makeParents(ctx, path, true, acl); err != nil {
			return false, err
		}
	}
}

// makeDir makes a directory and its ancestors: containers, where the server has them, so that it goes when it
// is empty, as Curator does; persistent ones where keep says that clients of the dialect expect it to stay. It
// returns the containers that it may have made, the topmost first, for prune.
func (s *Session) makeDir(ctx context.Context, path string, keep bool, acl []wire.ACL) (made []string, err error) {
	flags := wire.FlagContainer
	if keep {
		flags = wire.FlagPersistent
	}
	for {
		_, err := s.link().Create(ctx, path, []byte{}, flags, acl)
		if !keep && (err == nil || errors.Is(err, zkc.ErrUnknownOutcome)) {
			made = append(made, path)
		}
		switch {
		case err == nil, errors.Is(err, zkc.ErrNodeExists):
			return made, nil
		case errors.Is(err, zkc.ErrNotOffered) && flags == wire.FlagContainer:
			flags = wire.FlagPersistent
			continue
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		case !errors.Is(err, zkc.ErrNoNode):
			return made, err
		}
		above, err := s.makeParents(ctx, path, keep, acl)
		if made = append(made, above...); err != nil {
			return made, err
		}
	}
}

func (s *Session) makeParents(ctx context.Context, path string, keep bool, acl []wire.ACL) (made []string, err error) {
	parent, _ := split(path)
	if parent == path || parent == "" || parent == "/" {
		return nil, &Error{"create", path, ErrNotFound} // the root itself, or a chroot that went
	}
	return s.makeDir(ctx, parent, keep, acl)
}

// prune removes containers that were made for nothing: a server reaps only those that have had a child. One
// that somebody uses by now stays.
func (s *Session) prune(ctx context.Context, made []string) {
	for _, path := range slices.Backward(made) {
		if s.remove(ctx, path) != nil {
			return
		}
	}
}
