package truth

import (
	"slices"

	"github.com/zkscope/zkscope/internal/wire"
)

// create makes a znode and returns its path.
func (c *client) create(path string, data []byte, flags int32) (string, wire.Code, error) {
	body, code, err := c.do(wire.OpCreate, func(e *wire.Encoder) {
		e.String(path)
		e.Buffer(data)
		wire.EncodeACLs(e, wire.OpenACL())
		e.Int32(flags)
	})
	if err != nil || code != wire.OK {
		return "", code, err
	}
	return wire.NewDecoder(body).String(), code, nil
}

// remove deletes a znode, whatever its version.
func (c *client) remove(path string) (wire.Code, error) {
	_, code, err := c.do(wire.OpDelete, func(e *wire.Encoder) {
		e.String(path)
		e.Int32(-1)
	})
	return code, err
}

// watched is a read that may leave a watch. For getData and children a watch is left only where the znode is, for
// exists always.
func (c *client) watched(op wire.Op, path string, watch bool) ([]byte, wire.Code, chan struct{}, error) {
	table := dataTable
	if op == wire.OpGetChildren {
		table = childTable
	}
	var ch chan struct{}
	if watch {
		ch = c.watch(table, path)
	}
	body, code, err := c.do(op, func(e *wire.Encoder) {
		e.String(path)
		e.Bool(watch)
	})
	if watch && (err != nil || code != wire.OK && (op != wire.OpExists || code != wire.ErrNoNode)) {
		c.unwatch(table, path, ch)
		ch = nil
	}
	if ch != nil {
		c.tr.watches(c.id, table, path)
	}
	return body, code, ch, err
}

// exists reports whether a znode is there; the channel is closed when it comes, changes or goes.
func (c *client) exists(path string, watch bool) (bool, chan struct{}, error) {
	_, code, ch, err := c.watched(wire.OpExists, path, watch)
	return code == wire.OK && err == nil, ch, err
}

// get reads a znode's data; the channel is nil when there is no znode.
func (c *client) get(path string, watch bool) ([]byte, wire.Code, chan struct{}, error) {
	body, code, ch, err := c.watched(wire.OpGetData, path, watch)
	if err != nil || code != wire.OK {
		return nil, code, ch, err
	}
	return wire.NewDecoder(body).Buffer(), code, ch, nil
}

// children lists a directory's names, sorted.
func (c *client) children(path string, watch bool) ([]string, chan struct{}, error) {
	body, code, ch, err := c.watched(wire.OpGetChildren, path, watch)
	if err != nil || code != wire.OK {
		return nil, ch, err
	}
	names := wire.NewDecoder(body).Strings()
	slices.Sort(names)
	return names, ch, nil
}
