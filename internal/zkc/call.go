package zkc

import (
	"context"
	"errors"

	"github.com/zkscope/zkscope/internal/wire"
)

// answer is what a call came to.
type answer struct {
	zxid int64
	code wire.Code
	body []byte // owned by the receiver
	lost error
}

// call sends one request and waits for its answer. build is called once for each time that the request is
// sent. A reading request is sent again when its connection is lost; a writing one never.
func (c *Conn) call(ctx context.Context, name, path string, op wire.Op, build func(*wire.Encoder)) (*wire.Decoder, error) {
	return c.callWith(ctx, name, path, op, build, nil)
}

// callWith is call; besides makes what is to be sent right behind the request.
func (c *Conn) callWith(ctx context.Context, name, path string, op wire.Op, build func(*wire.Encoder), besides []func() injection) (*wire.Decoder, error) {
	a, err := c.answerTo(ctx, name, path, op, build, besides)
	if err != nil {
		return nil, err
	}
	return wire.NewDecoder(a.body), nil
}

// answerTo is callWith; it returns the whole answer.
func (c *Conn) answerTo(ctx context.Context, name, path string, op wire.Op, build func(*wire.Encoder), besides []func() injection) (answer, error) {
	fail := func(err error) (answer, error) {
		return answer{}, &Error{Op: name, Path: path, Err: err}
	}
	writes := !reading(op)
	if writes && c.cfg.ReadOnly {
		c.tally.refused.Add(1)
		return answer{}, &Error{Op: name, Path: path, Code: wire.ErrNotReadOnly}
	}
	session := c.State().Session
	for {
		l, err := c.awaitLink(ctx)
		if err != nil {
			return fail(err)
		}
		switch {
		case session == 0:
			session = l.session
		case writes && session != l.session:
			return fail(because(ErrSessionExpired, errors.New("not applied")))
		}
		if c.lacks(l.addr, op) {
			return answer{}, &Error{Op: name, Path: path, Code: wire.ErrUnimplemented}
		}
		e := request(op)
		build(e)
		if err := c.fits(e); err != nil {
			return fail(err)
		}
		a, err := l.ask(ctx, op, e, besides)
		switch {
		case errors.Is(err, errStopped):
			return fail(because(ErrUnreachable, ctx.Err()))
		case err != nil && writes:
			return fail(because(ErrUnknownOutcome, err))
		case err != nil:
			return fail(err)
		case a.lost != nil && writes:
			return fail(because(ErrUnknownOutcome, a.lost))
		case a.lost != nil:
			continue
		case a.code != wire.OK:
			return answer{}, &Error{Op: name, Path: path, Code: a.code}
		}
		return a, nil
	}
}

// ask sends one request on this link and waits. The error is the context's, or errStopped when the request
// was not sent.
func (l *link) ask(ctx context.Context, op wire.Op, e *wire.Encoder, besides []func() injection) (answer, error) {
	got := make(chan answer, 1)
	list := []injection{{op, e, func(r reply) {
		got <- answer{r.zxid, r.code, append([]byte(nil), r.body...), r.lost}
	}}}
	for _, make := range besides {
		list = append(list, make())
	}
	if !l.injectAll(ctx.Done(), list...) {
		return answer{}, errStopped
	}
	select {
	case a := <-got:
		return a, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
}

// awaitLink returns the link to talk on, and waits for one where there is none.
func (c *Conn) awaitLink(ctx context.Context) (*link, error) {
	for {
		c.mu.Lock()
		l, moved, final, last := c.live, c.moved, c.final, c.state.Err
		c.mu.Unlock()
		switch {
		case final != nil:
			return nil, final
		case l != nil:
			return l, ctx.Err()
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return nil, because(because(ErrUnreachable, last), ctx.Err())
		}
	}
}

// done checks that a reply held all its fields.
func (c *Conn) done(name, path string, d *wire.Decoder) error {
	if d.Err() == nil {
		return nil
	}
	return &Error{Op: name, Path: path, Err: errBadReply}
}

// GoodPath refuses a path that no server would take, as every call of a Conn does. name is what was to be done.
func GoodPath(name, path string) error {
	if err := CheckPath(path); err != nil {
		return &Error{Op: name, Path: path, Err: because(errBadPath, err)}
	}
	return nil
}

var errBadPath = errors.New("not a valid path")
