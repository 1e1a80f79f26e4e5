package recipes

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// ticket is a place in a line: an ephemeral sequential child of a directory.
type ticket struct {
	s      *Session
	dir    string
	prefix string // guard and word; the guard is ours alone
	data   []byte
	rule   inspect.Rule

	name string // of the child, once it exists
	stat wire.Stat
}

func newTicket(s *Session, dir string, sp spelling, o Options) *ticket {
	return &ticket{s: s, dir: dir, prefix: sp.guard(newID()) + sp.word, data: o.data(sp), rule: inspect.Rule{Dialect: o.Dialect}}
}

func (t *ticket) path() string { return inspect.Join(t.dir, t.name) }

// take makes the child. When the reply to a create is lost, it looks for the child by its guard before it
// tries again, so that there is never a second one (the recipe documents' note on recoverable errors).
func (t *ticket) take(ctx context.Context) error {
	for {
		made, err := t.s.conn.Create(ctx, inspect.Join(t.dir, t.prefix), t.data, wire.FlagEphemeralSequence, nil)
		switch {
		case err == nil:
			_, t.name = inspect.Split(made.Path)
			t.stat = made.Stat
			return nil
		case errors.Is(err, zkc.ErrNoNode):
			if err := t.s.makeDir(ctx, t.dir); err != nil {
				return err
			}
		case errors.Is(err, zkc.ErrUnknownOutcome):
			if found, err := t.find(ctx); found || err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// find looks for a child that a lost create may have left.
func (t *ticket) find(ctx context.Context) (bool, error) {
	if err := t.s.conn.Sync(ctx, t.dir); err != nil && !errors.Is(err, zkc.ErrNoNode) {
		return false, err
	}
	names, _, err := t.s.conn.Children(ctx, t.dir)
	if errors.Is(err, zkc.ErrNoNode) {
		return false, nil
	}
	for _, n := range names {
		if strings.HasPrefix(n, t.prefix) {
			t.name = n
			return true, nil
		}
	}
	return false, err
}

// wait returns when it is the ticket's turn. It watches one znode at a time: the one that inspect says has to
// go first.
func (t *ticket) wait(ctx context.Context) error {
	for {
		names, _, err := t.s.conn.Children(ctx, t.dir)
		if err != nil && !errors.Is(err, zkc.ErrNoNode) {
			return err
		}
		children := make([]inspect.Contender, len(names))
		for i, n := range names {
			children[i].Name = n
		}
		turn := t.rule.Turn(children, t.name)
		switch {
		case !turn.Found:
			return ErrLost // somebody deleted our znode
		case turn.Holds:
			return nil
		}
		if err := t.s.awaitChange(ctx, inspect.Join(t.dir, turn.Watch)); err != nil {
			return err
		}
	}
}

// leave removes the child, over a context that outlives the caller's, and keeps trying until it is gone or
// the session is: then the server removes it.
func (t *ticket) leave(ctx context.Context) error {
	if t.name == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.s.patience())
	defer cancel()
	ctx, stop := t.s.within(ctx)
	defer stop()
	for {
		err := t.s.conn.Delete(ctx, t.path(), zkc.AnyVersion)
		switch {
		case err == nil, errors.Is(err, zkc.ErrNoNode), t.s.life.Err() != nil:
			return nil
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		}
		return err
	}
}

// patience is how long a clean-up may take: the session's life, after which the server cleans up.
func (s *Session) patience() time.Duration { return max(s.Timeout(), time.Second) }

// awaitChange returns when a znode changed or is not there, or with the reason why there is nothing to wait
// for any more.
func (s *Session) awaitChange(ctx context.Context, path string) error {
	w, err := s.conn.WatchOnce(ctx, zkc.WatchData, path)
	if errors.Is(err, zkc.ErrNoNode) {
		return nil // it went between the list and the watch: list again
	}
	if err != nil {
		return err
	}
	defer w.Cancel()
	select {
	case <-w.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// makeDir makes a directory and its ancestors: containers, where the server has them, so that it goes when it
// is empty, as Curator does.
func (s *Session) makeDir(ctx context.Context, path string) error {
	for {
		_, err := s.conn.Create(ctx, path, []byte{}, wire.FlagContainer, nil)
		switch {
		case err == nil, errors.Is(err, zkc.ErrNodeExists):
			return nil
		case errors.Is(err, zkc.ErrNotOffered):
			_, err = s.conn.Create(ctx, path, []byte{}, wire.FlagPersistent, nil)
			if err == nil || errors.Is(err, zkc.ErrNodeExists) {
				return nil
			}
		case errors.Is(err, zkc.ErrUnknownOutcome):
			continue
		}
		if !errors.Is(err, zkc.ErrNoNode) || path == "/" {
			return err
		}
		parent, _ := inspect.Split(path)
		if err := s.makeDir(ctx, parent); err != nil {
			return err
		}
	}
}
