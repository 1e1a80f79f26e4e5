package zkc

import (
	"context"

	"github.com/zkscope/zkscope/internal/wire"
)

// Entered is what Enter came to.
type Entered struct {
	Created
	Names []string // the children of its directory, itself included, a moment later; nil: not known
}

// Enter is Make, and where list says so it asks for the names of its directory's children right behind it, in one piece. A
// server answers a session's reads behind its own writes, so that the list has what was made. A list that fails is
// no error, and not told.
func (c *Conn) Enter(ctx context.Context, ch Change, dir string, list bool) (Entered, error) {
	out := Entered{}
	if err := GoodPath("create", ch.checked()); err != nil {
		return out, err
	}
	names := make(chan []string, 1)
	var besides []func() injection
	if list {
		besides = append(besides, func() injection {
			e := request(wire.OpGetChildren)
			c.path(e, dir)
			e.Bool(false)
			return injection{wire.OpGetChildren, e, func(r reply) { names <- listed(r) }}
		})
	}
	d, err := c.callWith(ctx, "create", ch.Path, ch.opcode(c.oldServer()), func(e *wire.Encoder) { c.body(e, &ch) }, besides)
	if err != nil {
		return out, err
	}
	path := d.String()
	if d.Err() == nil && d.Len() > 0 {
		out.Stat.Decode(d)
	}
	out.Path, _ = c.logical(path)
	if list {
		select {
		case out.Names = <-names:
		case <-ctx.Done():
		}
	}
	return out, c.done("create", ch.Path, d)
}

// listed are the names in a reply; nil when it has none.
func listed(r reply) []string {
	if r.lost != nil || r.code != wire.OK {
		return nil
	}
	d := wire.NewDecoder(r.body)
	names := decodeNames(d)
	if d.Err() != nil {
		return nil
	}
	return names
}

// WatchAll is WatchOnce for the data of several znodes, asked for in one piece. Each has a watch or an error.
func (c *Conn) WatchAll(ctx context.Context, paths []string) ([]*Watch, []error) {
	watches, errs := make([]*Watch, len(paths)), make([]error, len(paths))
	for {
		l, err := c.awaitLink(ctx)
		if err != nil {
			for i, p := range paths {
				errs[i] = &Error{Op: "watch", Path: p, Err: err}
			}
			return watches, errs
		}
		var asked []watching
		var list []injection
		for _, p := range paths {
			a, q := c.watching(l, WatchData, p)
			asked, list = append(asked, a), append(list, q)
		}
		sent, again := l.injectAll(ctx.Done(), list...), false
		for i, a := range asked {
			var lost bool
			watches[i], lost, errs[i] = a.await(ctx, sent)
			again = again || lost
		}
		if !again {
			return watches, errs
		}
		for _, w := range watches {
			if w != nil {
				w.Cancel()
			}
		}
	}
}
