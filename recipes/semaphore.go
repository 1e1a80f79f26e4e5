package recipes

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Semaphore lets up to a number of holders in together. The recipe documents have none; the dialects are
// Curator (the default), which stores the limit nowhere, and Kazoo, which stores it as the
// path's data and refuses another one.
//
// Protocol: Curator's InterProcessSemaphoreV2 (a lock in locks, then a lease in leases) or kazoo's Semaphore
// (a lock beside the path, then a lease in it). Only the one whose turn it is watches the leases, so a release
// wakes one waiter. Every client of one semaphore must use the same limit.
//
// Requests: those of Lock, and create, list and watch for the lease; one delete to release.
type Semaphore struct {
	s     *Session
	path  string
	limit int
	opts  Options
}

// Semaphore returns the semaphore at a path. It does no I/O. A limit below 1 stands for 1.
func (s *Session) Semaphore(path string, limit int, o Options) Semaphore {
	o.Dialect = o.Dialect.or(Curator)
	return Semaphore{s, path, max(1, limit), o}
}

// Acquire waits for a lease. When ctx ends first, nothing stays behind and ctx's error is returned.
func (m Semaphore) Acquire(ctx context.Context) (*Claim, error) { return m.acquire(ctx, true) }

// TryAcquire takes a lease if one is free and nobody stands in line, not even for a moment; else it returns ErrBusy at
// once.
func (m Semaphore) TryAcquire(ctx context.Context) (*Claim, error) { return m.acquire(ctx, false) }

func (m Semaphore) acquire(ctx context.Context, patient bool) (*Claim, error) {
	row, err := rowOf(layout.Semaphore, layout.Exclusive, m.opts.Dialect)
	if err != nil {
		return nil, &Error{"acquire", m.path, err}
	}
	if m.path == "" && m.s != nil {
		return nil, &Error{"acquire", "", errNoPath}
	}
	bound, stop := m.s.within(ctx)
	defer stop()
	if m.opts.Dialect == Kazoo {
		if err := m.declare(bound); err != nil {
			return nil, m.s.fail("acquire", m.path, err)
		}
	}
	gate := m.gate()
	ready := (*ticket).try
	if patient {
		ready = (*ticket).wait
	}
	pass, err := m.s.lockAt(bound, gate, Options{Dialect: m.opts.Dialect, Name: m.opts.Name, ACL: m.opts.ACL, Progress: m.opts.Progress}, ready)
	if err != nil {
		return nil, err
	}
	inside, cancel := context.WithCancel(bound)
	defer cancel()
	defer context.AfterFunc(pass.watchOver(), cancel)()
	c, err := m.lease(inside, row, patient)
	switch {
	case err == nil && !pass.live(): // somebody else may have passed the gate meanwhile, and counted the leases
		_ = c.Release(ctx)
		c, err = nil, &Error{"acquire", m.path, ErrLost}
	case err != nil && bound.Err() == nil && inside.Err() != nil:
		err = &Error{"acquire", m.path, ErrLost}
	}
	if e := pass.Release(ctx); err == nil && e != nil {
		_ = c.Release(ctx)
		return nil, e
	}
	return c, err
}

// gate is where those who want a lease stand in line.
func (m Semaphore) gate() string {
	if m.opts.Dialect == Kazoo {
		return m.path + layout.LineSuffix
	}
	return join(m.path, "locks")
}

// lease takes a lease as its dialect does: Curator makes it and then waits until it is one of the first,
// kazoo waits for room and then makes it.
func (m Semaphore) lease(ctx context.Context, row *layout.Layout, patient bool) (*Claim, error) {
	if m.opts.Dialect == Kazoo {
		t := newTicket(m.s, m.path, row, m.opts)
		if err := m.room(ctx, t, row, m.limit-1, patient); err != nil {
			return nil, m.s.fail("acquire", m.path, err)
		}
		return m.s.obtain(ctx, "acquire", t, m.opts, "", nil)
	}
	t := newTicket(m.s, join(m.path, "leases"), row, m.opts)
	return m.s.obtain(ctx, "acquire", t, m.opts, "", func(t *ticket, ctx context.Context) error {
		return m.room(ctx, t, row, m.limit, patient)
	})
}

// room waits until no more than so many leases are there; ErrBusy: there are, and we are not patient.
func (m Semaphore) room(ctx context.Context, t *ticket, row *layout.Layout, most int, patient bool) error {
	for {
		w, err := m.s.watchChildren(ctx, t.dir)
		if err != nil {
			return err
		}
		leases, mine := 0, t.name == ""
		for _, n := range w.Children {
			mine = mine || n == t.name
			if row.Spells(n) {
				leases++
			}
		}
		switch {
		case !mine:
			w.cancel()
			return ErrLost
		case leases <= most:
			w.cancel()
			return nil
		case !patient:
			w.cancel()
			return ErrBusy
		}
		if err := await(ctx, w); err != nil {
			return err
		}
	}
}

// declare writes the limit to the semaphore's data, or compares it with what is there, as kazoo does.
func (m Semaphore) declare(ctx context.Context) error {
	want := strconv.Itoa(m.limit)
	for {
		data, stat, err := m.s.link().Get(ctx, m.path)
		switch {
		case errors.Is(err, zkc.ErrNoNode):
			if made, err := m.s.ensure(ctx, m.path, []byte(want), m.s.acl(m.opts.ACL)); made || err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		case string(data) == want:
			return nil
		case len(data) > 0:
			return fmt.Errorf("the limit here is %q, not %s", data, want)
		}
		_, err = m.s.link().Set(ctx, m.path, []byte(want), stat.Version)
		if err == nil || ctx.Err() != nil || !errors.Is(err, zkc.ErrUnknownOutcome) && !errors.Is(err, zkc.ErrBadVersion) {
			return err
		}
	}
}
