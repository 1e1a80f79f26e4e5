package zkc

import (
	"context"

	"github.com/zkscope/zkscope/internal/wire"
)

// ID is one identity that the server knows a session by.
type ID struct{ Scheme, Name string }

// Get returns a znode's data (nil for null data) and stat.
func (c *Conn) Get(ctx context.Context, path string) ([]byte, wire.Stat, error) {
	var st wire.Stat
	d, err := c.read(ctx, "get", path, wire.OpGetData, true)
	if err != nil {
		return nil, st, err
	}
	data := d.Buffer()
	st.Decode(d)
	return data, st, c.done("get", path, d)
}

// Exists returns a znode's stat and whether it is there. Only failure to find out is an error. It needs no
// permission on the znode.
func (c *Conn) Exists(ctx context.Context, path string) (wire.Stat, bool, error) {
	var st wire.Stat
	d, err := c.read(ctx, "exists", path, wire.OpExists, true)
	if e, ok := err.(*Error); ok && e.Code == wire.ErrNoNode {
		return st, false, nil
	}
	if err != nil {
		return st, false, err
	}
	st.Decode(d)
	return st, true, c.done("exists", path, d)
}

// Children returns the names of a znode's children, in no order, and the znode's stat.
func (c *Conn) Children(ctx context.Context, path string) ([]string, wire.Stat, error) {
	var st wire.Stat
	d, err := c.read(ctx, "children", path, wire.OpGetChildren2, true)
	if err != nil {
		return nil, st, err
	}
	names := decodeNames(d)
	st.Decode(d)
	return names, st, c.done("children", path, d)
}

// ACL returns a znode's access control list and stat.
func (c *Conn) ACL(ctx context.Context, path string) ([]wire.ACL, wire.Stat, error) {
	var st wire.Stat
	d, err := c.read(ctx, "acl", path, wire.OpGetACL, false)
	if err != nil {
		return nil, st, err
	}
	acl := wire.DecodeACLs(d)
	st.Decode(d)
	return acl, st, c.done("acl", path, d)
}

// Sync returns when the server has caught up with the leader: reads on this Conn that follow see everything
// that had happened when Sync was called, as long as the connection stays.
func (c *Conn) Sync(ctx context.Context, path string) error {
	_, err := c.read(ctx, "sync", path, wire.OpSync, false)
	return err
}

// WhoAmI returns the identities of the session. Servers before 3.7 report ErrNotOffered.
func (c *Conn) WhoAmI(ctx context.Context) ([]ID, error) {
	d, err := c.call(ctx, "whoami", "", wire.OpWhoAmI, func(*wire.Encoder) {})
	if err != nil {
		return nil, err
	}
	ids := make([]ID, 0, 2)
	for range d.Count(8) {
		ids = append(ids, ID{d.String(), d.String()})
	}
	return ids, c.done("whoami", "", d)
}

// Ephemerals returns the paths of this session's ephemeral znodes at and below a path. Servers before 3.6
// report ErrNotOffered.
func (c *Conn) Ephemerals(ctx context.Context, below string) ([]string, error) {
	d, err := c.read(ctx, "ephemerals", below, wire.OpGetEphemerals, false)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range d.Strings() {
		if path, ok := c.logical(p); ok {
			out = append(out, path)
		}
	}
	return out, c.done("ephemerals", below, d)
}

// Watching asks the server whether it holds a watch of this connection on the path.
func (c *Conn) Watching(ctx context.Context, path string) (bool, error) {
	if err := GoodPath("watching", path); err != nil {
		return false, err
	}
	_, err := c.call(ctx, "watching", path, wire.OpCheckWatches, func(e *wire.Encoder) {
		c.path(e, path)
		e.Int32(wire.WatcherAny)
	})
	if e, ok := err.(*Error); ok && e.Code == wire.ErrNoWatcher {
		return false, nil
	}
	return err == nil, err
}

// read calls an operation that takes a path, and a watch flag where flag is set.
func (c *Conn) read(ctx context.Context, name, path string, op wire.Op, flag bool) (*wire.Decoder, error) {
	if err := GoodPath(name, path); err != nil {
		return nil, err
	}
	return c.call(ctx, name, path, op, func(e *wire.Encoder) {
		c.path(e, path)
		if flag {
			e.Bool(false)
		}
	})
}

// decodeNames reads a vector of strings into one allocation for all names and one for the list.
func decodeNames(d *wire.Decoder) []string {
	n := d.Count(4)
	if n == 0 {
		return nil
	}
	rest := d.Rest()
	for range n {
		d.Buffer()
	}
	if d.Err() != nil {
		return nil
	}
	all := string(rest[:len(rest)-d.Len()])
	sizes := wire.NewDecoder(rest)
	names := make([]string, n)
	at := 0
	for i := range names {
		size := len(sizes.Buffer())
		names[i] = all[at+4 : at+4+size]
		at += 4 + size
	}
	return names
}
