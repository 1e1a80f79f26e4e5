package zkc

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// AnyVersion in place of a version accepts whatever version the znode has.
const AnyVersion int32 = -1

// Change is one write, alone or in a Multi. Make one with the functions below.
type Change struct {
	Op      wire.Op // OpCreate, OpSetData, OpDelete, OpSetACL (not in a Multi) or OpCheck (only there)
	Path    string
	Data    []byte        // create, set; nil is null data, which is not the same as empty
	Flags   int32         // create: wire.FlagPersistent and so on
	ACL     []wire.ACL    // create, set ACL; nil: wire.OpenACL
	TTL     time.Duration // create with a TTL flag
	Version int32         // set, delete, check; of the ACL for set ACL
}

// CreateOf makes a znode. Flags are those of package wire.
func CreateOf(path string, data []byte, flags int32) Change {
	return Change{Op: wire.OpCreate, Path: path, Data: data, Flags: flags}
}

// SetOf replaces the data of a znode that has the version.
func SetOf(path string, data []byte, version int32) Change {
	return Change{Op: wire.OpSetData, Path: path, Data: data, Version: version}
}

// DeleteOf removes a znode that has the version and no children.
func DeleteOf(path string, version int32) Change {
	return Change{Op: wire.OpDelete, Path: path, Version: version}
}

// CheckOf lets a Multi fail unless the znode has the version.
func CheckOf(path string, version int32) Change {
	return Change{Op: wire.OpCheck, Path: path, Version: version}
}

// Created is what a create came to.
type Created struct {
	Path string    // with the sequence number, where one was asked for
	Stat wire.Stat // zero when the server (before 3.5) does not tell
}

// Create makes a znode of the kind that flags say, with an ACL (nil: open to everyone).
func (c *Conn) Create(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL) (Created, error) {
	ch := CreateOf(path, data, flags)
	ch.ACL = acl
	return c.Make(ctx, ch)
}

// Make is Create for a change that may have a TTL.
func (c *Conn) Make(ctx context.Context, ch Change) (Created, error) {
	if err := GoodPath("create", ch.checked()); err != nil {
		return Created{}, err
	}
	d, err := c.call(ctx, "create", ch.Path, ch.opcode(c.oldServer()), func(e *wire.Encoder) { c.body(e, &ch) })
	if err != nil {
		return Created{}, err
	}
	path := d.String()
	out := Created{}
	if d.Err() == nil && d.Len() > 0 {
		out.Stat.Decode(d)
	}
	out.Path, _ = c.logical(path)
	return out, c.done("create", ch.Path, d)
}

// oldServer reports whether the server is one that may not know create2.
func (c *Conn) oldServer() bool { return c.State().Plain }

// Set replaces a znode's data.
func (c *Conn) Set(ctx context.Context, path string, data []byte, version int32) (wire.Stat, error) {
	ch := SetOf(path, data, version)
	return c.statAfter(ctx, "set", &ch)
}

// SetACL replaces a znode's access control list. version is the stat's Aversion.
func (c *Conn) SetACL(ctx context.Context, path string, acl []wire.ACL, version int32) (wire.Stat, error) {
	return c.statAfter(ctx, "setacl", &Change{Op: wire.OpSetACL, Path: path, ACL: acl, Version: version})
}

func (c *Conn) statAfter(ctx context.Context, name string, ch *Change) (wire.Stat, error) {
	var st wire.Stat
	if err := GoodPath(name, ch.Path); err != nil {
		return st, err
	}
	d, err := c.call(ctx, name, ch.Path, ch.Op, func(e *wire.Encoder) { c.body(e, ch) })
	if err != nil {
		return st, err
	}
	st.Decode(d)
	return st, c.done(name, ch.Path, d)
}

// Delete removes a znode that has no children.
func (c *Conn) Delete(ctx context.Context, path string, version int32) error {
	_, err := c.DeleteAt(ctx, path, version)
	return err
}

// DeleteAt is Delete; it returns the zxid of the change.
func (c *Conn) DeleteAt(ctx context.Context, path string, version int32) (zxid int64, err error) {
	if err := GoodPath("delete", path); err != nil {
		return 0, err
	}
	ch := DeleteOf(path, version)
	a, err := c.answerTo(ctx, "delete", path, wire.OpDelete, func(e *wire.Encoder) { c.body(e, &ch) }, nil)
	return a.zxid, err
}

// Done is what one change of a Multi came to.
type Done struct {
	Code wire.Code // not OK: nothing of the whole Multi was applied
	Path string    // of a create
	Stat wire.Stat // of a set; for a create servers tell it only when the znode is a container or has a TTL
}

// Multi applies all changes or none. When one fails, the error names it, and the results tell the code of
// each.
func (c *Conn) Multi(ctx context.Context, changes ...Change) ([]Done, error) {
	for i := range changes {
		if err := GoodPath("multi", changes[i].checked()); err != nil {
			return nil, err
		}
	}
	d, err := c.call(ctx, "multi", "", wire.OpMulti, func(e *wire.Encoder) {
		for i := range changes {
			(&wire.MultiHeader{Type: changes[i].opcode(true), Err: -1}).Encode(e)
			c.body(e, &changes[i])
		}
		(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(e)
	})
	if err != nil {
		return nil, err
	}
	results := c.decodeMulti(d, len(changes))
	if err := c.done("multi", "", d); err != nil {
		return nil, err
	}
	for i, r := range results {
		if r.Code != wire.OK && r.Code != wire.ErrRuntimeInconsistency {
			return results, &Error{Op: "multi: " + verb(changes[i].Op), Path: changes[i].Path, Code: r.Code}
		}
	}
	return results, nil
}

func (c *Conn) decodeMulti(d *wire.Decoder, n int) []Done {
	out := make([]Done, n)
	for i := 0; d.Err() == nil; i++ {
		var h wire.MultiHeader
		h.Decode(d)
		if h.Done || i >= n {
			break
		}
		r := &out[i]
		switch h.Type {
		case wire.OpCreate:
			r.Path, _ = c.logical(d.String())
		case wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
			r.Path, _ = c.logical(d.String())
			r.Stat.Decode(d)
		case wire.OpSetData:
			r.Stat.Decode(d)
		case wire.OpError:
			r.Code = wire.Code(d.Int32())
		}
	}
	return out
}

// checked returns the path as far as it must be valid: a sequential znode may have no name before its
// number.
func (ch *Change) checked() string {
	n := len(ch.Path)
	if ch.Op == wire.OpCreate && ch.sequential() && n > 1 && ch.Path[n-1] == '/' {
		return ch.Path + "0"
	}
	return ch.Path
}

func (ch *Change) sequential() bool {
	return ch.Flags == wire.FlagSequence || ch.Flags == wire.FlagEphemeralSequence || ch.Flags == wire.FlagPersistentSequentTTL
}

// opcode returns the operation that carries the change.
func (ch *Change) opcode(old bool) wire.Op {
	if ch.Op != wire.OpCreate {
		return ch.Op
	}
	switch {
	case ch.Flags == wire.FlagContainer:
		return wire.OpCreateContainer
	case ch.Flags == wire.FlagPersistentTTL || ch.Flags == wire.FlagPersistentSequentTTL:
		return wire.OpCreateTTL
	case old:
		return wire.OpCreate
	}
	return wire.OpCreate2
}

// body appends the record of the change.
func (c *Conn) body(e *wire.Encoder, ch *Change) {
	c.path(e, ch.Path)
	acl := ch.ACL
	if acl == nil {
		acl = wire.OpenACL()
	}
	switch ch.Op {
	case wire.OpCreate:
		e.Buffer(ch.Data)
		wire.EncodeACLs(e, acl)
		e.Int32(ch.Flags)
		if op := ch.opcode(false); op == wire.OpCreateTTL {
			e.Int64(ch.TTL.Milliseconds())
		}
	case wire.OpSetData:
		e.Buffer(ch.Data)
		e.Int32(ch.Version)
	case wire.OpSetACL:
		wire.EncodeACLs(e, acl)
		e.Int32(ch.Version)
	default:
		e.Int32(ch.Version)
	}
}

func verb(op wire.Op) string {
	switch op {
	case wire.OpCreate:
		return "create"
	case wire.OpSetData:
		return "set"
	case wire.OpDelete:
		return "delete"
	}
	return "check"
}
