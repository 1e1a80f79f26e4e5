package zkserver

import (
	"slices"

	"github.com/zkscope/zkscope/internal/wire"
)

const errReconfigDisabled wire.Code = -123

// decodeCreate reads the body of create, create2, createContainer and createTTL.
func decodeCreate(op wire.Op, d *wire.Decoder) newNode {
	path := d.Buffer()
	r := newNode{path: string(path), noPath: path == nil, data: keep(d.Buffer()), acl: wire.DecodeACLs(d), flags: d.Int32(), ttl: -1}
	switch op {
	case wire.OpCreateTTL:
		r.ttl, r.kind = d.Int64(), ttlNode
	case wire.OpCreateContainer:
		r.kind = container
	}
	return r
}

// keep copies what would else pin the whole request; null stays null.
func keep(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

func (k *call) create() wire.Code {
	r := decodeCreate(k.op, k.in)
	tx := k.s.begin(k.c)
	if k.in.Err() != nil || r.noPath {
		return wire.ErrMarshalling
	}
	n, code := tx.create(r)
	if code != wire.OK {
		return code
	}
	tx.commit()
	k.putCreated(k.op, n)
	return wire.OK
}

func (k *call) putCreated(op wire.Op, n *node) {
	k.out.String(n.path)
	if op != wire.OpCreate {
		k.putStat(n)
	}
}

func (k *call) putStat(n *node) {
	st := n.stat()
	st.Encode(k.out)
}

func (k *call) delete() wire.Code {
	path, version := k.path(), k.in.Int32()
	tx := k.s.begin(k.c)
	if k.in.Err() != nil {
		return wire.ErrMarshalling
	}
	code := tx.delete(path, version)
	tx.commit()
	return code
}

func (k *call) setData() wire.Code {
	path, data, version := k.in.String(), keep(k.in.Buffer()), k.in.Int32()
	tx := k.s.begin(k.c)
	if k.in.Err() != nil {
		return wire.ErrMarshalling
	}
	n, code := tx.setData(path, data, version)
	if code == wire.OK {
		tx.commit()
		k.putStat(n)
	}
	return code
}

func (k *call) setACL() wire.Code {
	path, acl, version := k.in.String(), wire.DecodeACLs(k.in), k.in.Int32()
	tx := k.s.begin(k.c)
	if k.in.Err() != nil {
		return wire.ErrMarshalling
	}
	n, code := tx.setACL(path, acl, version)
	if code == wire.OK {
		k.putStat(n)
	}
	return code
}

// check outside a multi is good for errors only: a real server trips over its own success, and the client loses its
// connection (there also its session).
func (k *call) check() wire.Code {
	path, version := k.in.String(), k.in.Int32()
	code := k.s.begin(k.c).check(path, version)
	k.hangUp = code == wire.OK
	return code
}

func (k *call) reconfig() wire.Code {
	k.s.begin(k.c)
	return errReconfigDisabled
}

// multi applies all its operations or none. When one fails, the header still says success and each operation has an
// error result: 0 before the one that failed, its code, and runtime inconsistency after it.
func (k *call) multi() wire.Code {
	if namesNull(*k.in) {
		return k.trip()
	}
	tx := k.s.begin(k.c)
	tx.keep = true
	var failed wire.Code
	var codes []wire.Code
	for {
		var h wire.MultiHeader
		h.Decode(k.in)
		if h.Done || k.in.Err() != nil {
			break
		}
		if failed != wire.OK {
			if !skipOp(h.Type, k.in) {
				tx.rollback()
				return wire.ErrMarshalling
			}
			codes = append(codes, wire.ErrRuntimeInconsistency)
			continue
		}
		failed = k.multiOp(tx, h.Type)
		codes = append(codes, failed)
	}
	if k.in.Err() != nil || slices.Contains(codes, wire.ErrMarshalling) {
		tx.rollback()
		return wire.ErrMarshalling
	}
	if failed != wire.OK {
		tx.rollback()
		k.out.B = k.out.B[:0]
		for _, code := range codes {
			putError(k.out, code)
		}
	}
	tx.commit()
	(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(k.out)
	return wire.OK
}

// trip answers a multi with a null path as a real server does: with no results, and with the zxid of the last write that
// was one.
func (k *call) trip() wire.Code {
	k.s.zxid++
	k.s.wasted++
	k.partial = true
	(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(k.out)
	return wire.ErrMarshalling
}

// namesNull reports whether an operation of a multi has a null path.
func namesNull(d wire.Decoder) bool {
	for {
		var h wire.MultiHeader
		if h.Decode(&d); h.Done || d.Err() != nil {
			return false
		}
		ahead := d
		if null := ahead.Buffer() == nil && ahead.Err() == nil; null || !skipOp(h.Type, &d) {
			return null
		}
	}
}

// deleteContainer is what only servers send among themselves.
func (k *call) deleteContainer() wire.Code {
	k.in.Buffer()
	k.s.begin(k.c)
	return wire.ErrBadArguments
}

// multiOp applies one operation of a multi and appends its result.
func (k *call) multiOp(tx *txn, op wire.Op) wire.Code {
	start := len(k.out.B)
	(&wire.MultiHeader{Type: op}).Encode(k.out)
	var n *node
	var code wire.Code
	switch op {
	case wire.OpCreate, wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
		if n, code = tx.create(decodeCreate(op, k.in)); code == wire.OK {
			k.out.B = k.out.B[:start]
			k.putCreatedInMulti(op, n)
		}
	case wire.OpDelete:
		code = tx.delete(k.in.String(), k.in.Int32())
	case wire.OpSetData:
		if n, code = tx.setData(k.in.String(), keep(k.in.Buffer()), k.in.Int32()); code == wire.OK {
			k.putStat(n)
		}
	case wire.OpCheck:
		code = tx.check(k.in.String(), k.in.Int32())
	default:
		return wire.ErrMarshalling
	}
	return code
}

// putCreatedInMulti appends the result of a create: create2 is answered without its Stat, containers and TTL nodes with it.
func (k *call) putCreatedInMulti(op wire.Op, n *node) {
	shown := wire.OpCreate2
	if op == wire.OpCreate || op == wire.OpCreate2 {
		shown = wire.OpCreate
	}
	(&wire.MultiHeader{Type: shown}).Encode(k.out)
	k.putCreated(shown, n)
}

// skipOp reads past one operation of a multi; false when it is none.
func skipOp(op wire.Op, d *wire.Decoder) bool {
	switch op {
	case wire.OpCreate, wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
		decodeCreate(op, d)
	case wire.OpDelete, wire.OpCheck:
		_, _ = d.Buffer(), d.Int32()
	case wire.OpSetData:
		_, _, _ = d.Buffer(), d.Buffer(), d.Int32()
	default:
		return false
	}
	return true
}

// putError appends an error result of a multi or multiRead.
func putError(e *wire.Encoder, code wire.Code) {
	(&wire.MultiHeader{Type: wire.OpError, Err: code}).Encode(e)
	e.Int32(int32(code))
}
