package zkc

import "github.com/zkscope/zkscope/internal/wire"

// reading reports whether an operation changes nothing but the caller's own session and watches. It is
// the allow-list of a read-only connection: whatever is not on it is refused, also what no one has thought
// of yet.
func reading(op wire.Op) bool {
	switch op {
	case wire.OpExists, wire.OpGetData, wire.OpGetACL, wire.OpGetChildren, wire.OpGetChildren2,
		wire.OpSync, wire.OpPing, wire.OpCheckWatches, wire.OpRemoveWatches, wire.OpMultiRead,
		wire.OpAuth, wire.OpSetWatches, wire.OpSASL, wire.OpGetEphemerals, wire.OpGetAllChildrenNum,
		wire.OpSetWatches2, wire.OpAddWatch, wire.OpWhoAmI, wire.OpClose:
		return true
	}
	return false
}

// refusal is the reply that a read-only server sends to a write. Its zxid is 0, so that the library does
// not take it for news.
func refusal(xid int32) []byte {
	var e wire.Encoder
	(&wire.ReplyHeader{Xid: xid, Err: wire.ErrNotReadOnly}).Encode(&e)
	return framed(e.B)
}
