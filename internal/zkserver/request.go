package zkserver

import (
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// call is one request while it is served. The caller of a handler holds Server.mu.
type call struct {
	s       *Server
	c       *conn
	op      wire.Op
	in      *wire.Decoder
	out     *wire.Encoder // the reply's body
	batch   bool          // it is one of a multiRead's
	noPath  bool          // the path was null, which most operations choke on
	hangUp  bool          // close the connection instead of replying
	partial bool          // the reply has a body in spite of its error
}

// path reads the path that a request begins with.
func (k *call) path() string {
	b := k.in.Buffer()
	k.noPath = k.noPath || b == nil
	return string(b)
}

// handler serves one operation: it reads the request's body, appends the reply's, and returns the error code. A body
// that was begun before an error is thrown away.
type handler func(*call) wire.Code

var handlers = map[wire.Op]handler{
	wire.OpPing:              (*call).ping,
	wire.OpCreate:            (*call).create,
	wire.OpCreate2:           (*call).create,
	wire.OpCreateContainer:   (*call).create,
	wire.OpCreateTTL:         (*call).create,
	wire.OpDelete:            (*call).delete,
	wire.OpDeleteContainer:   (*call).deleteContainer,
	wire.OpSetData:           (*call).setData,
	wire.OpSetACL:            (*call).setACL,
	wire.OpCheck:             (*call).check,
	wire.OpMulti:             (*call).multi,
	wire.OpReconfig:          (*call).reconfig,
	wire.OpExists:            (*call).exists,
	wire.OpGetData:           (*call).getData,
	wire.OpGetACL:            (*call).getACL,
	wire.OpGetChildren:       (*call).getChildren,
	wire.OpGetChildren2:      (*call).getChildren,
	wire.OpSync:              (*call).sync,
	wire.OpMultiRead:         (*call).multiRead,
	wire.OpGetEphemerals:     (*call).getEphemerals,
	wire.OpGetAllChildrenNum: (*call).getAllChildrenNumber,
	wire.OpWhoAmI:            (*call).whoAmI,
	wire.OpSetWatches:        (*call).setWatches,
	wire.OpSetWatches2:       (*call).setWatches,
	wire.OpAddWatch:          (*call).addWatch,
	wire.OpCheckWatches:      (*call).checkWatches,
	wire.OpRemoveWatches:     (*call).removeWatches,
	wire.OpSASL:              (*call).sasl,
}

// serveRequest reads a request's header, lets Fault interfere, and applies it; false ends the connection.
func (s *Server) serveRequest(c *conn, frame []byte) bool {
	start := time.Now()
	d := wire.NewDecoder(frame)
	xid, op := d.Int32(), wire.Op(d.Int32())
	if d.Err() != nil {
		return false
	}
	act := s.interfere(c, xid, op, d.Rest())
	if !c.hold(act) || !s.lockOpen(c) {
		return false
	}
	defer s.mu.Unlock()
	defer c.drop(act)
	if c.ses == nil {
		return false
	}
	c.ses.heard = time.Now()
	c.counts.received++
	s.stats.received++
	if act.Err != wire.OK {
		s.reply(c, xid, act.Err)
		return true
	}
	code, more := s.apply(c, xid, op, d, act.Drop == DropAfter)
	s.note(c, op, code, xid, start)
	return more
}

// apply serves one request and queues its reply, unless mute, in which case the connection is to end; more is false when
// the connection is to end.
func (s *Server) apply(c *conn, xid int32, op wire.Op, d *wire.Decoder, mute bool) (code wire.Code, more bool) {
	switch op {
	case wire.OpClose:
		return wire.OK, s.closeSession(c, xid, mute)
	case wire.OpCreateSession:
		return s.createAgain(c, xid, d, mute)
	case wire.OpAuth:
		return wire.OK, s.auth(c, xid, d) && !mute
	case wire.OpPing:
		xid = wire.XidPing
	}
	h := handlers[op]
	if h == nil || s.imitatesOld(op) {
		s.replyZxid(c, xid, -1, wire.ErrUnimplemented, nil)
		return wire.ErrUnimplemented, false
	}
	s.scratch.B = s.scratch.B[:0]
	k := &call{s: s, c: c, op: op, in: d, out: &s.scratch}
	code = wire.ErrNotReadOnly
	if !s.readOnly || !(op.Writes() || op == wire.OpCheck || op == wire.OpSync) {
		code = h(k)
	}
	if d.Err() != nil || k.noPath {
		code = wire.ErrMarshalling
	}
	if mute || k.hangUp {
		return code, false
	}
	body := k.out.B
	if code != wire.OK && !k.partial {
		body = nil
	}
	s.replyZxid(c, xid, s.zxid-s.wasted, code, body)
	return code, true
}

func (s *Server) imitatesOld(op wire.Op) bool {
	return s.opts.NoAddWatch && (op == wire.OpAddWatch || op == wire.OpSetWatches2) ||
		s.opts.NoMultiRead && op == wire.OpMultiRead
}

// reply queues a reply without a body.
func (s *Server) reply(c *conn, xid int32, code wire.Code) {
	s.replyZxid(c, xid, s.zxid-s.wasted, code, nil)
}

func (s *Server) replyZxid(c *conn, xid int32, zxid int64, code wire.Code, body []byte) {
	e := wire.Encoder{B: c.out}
	e.Int32(int32(wire.ReplyHeaderLen + len(body)))
	(&wire.ReplyHeader{Xid: xid, Zxid: zxid, Err: code}).Encode(&e)
	c.out = append(e.B, body...)
	c.counts.sent++
	s.stats.sent++
	poke(c.wake)
}

// closeSession ends the client's session; the reply is the last thing it gets.
func (s *Server) closeSession(c *conn, xid int32, mute bool) bool {
	s.end(c.ses)
	if !mute {
		s.reply(c, xid, wire.OK)
	}
	return false
}

// createAgain serves a request that only servers make of a connect request: where it is long enough to hold a timeout, the
// client is greeted once more.
func (s *Server) createAgain(c *conn, xid int32, d *wire.Decoder, mute bool) (wire.Code, bool) {
	s.nextZxid()
	if mute {
		return wire.OK, false
	}
	if d.Len() < 4 {
		s.reply(c, xid, wire.ErrMarshalling)
		return wire.ErrMarshalling, true
	}
	s.welcome(c, c.ses)
	return wire.OK, true
}

// auth adds an identity to the connection; an unknown scheme ends it.
func (s *Server) auth(c *conn, xid int32, d *wire.Decoder) bool {
	_, scheme, token := d.Int32(), d.String(), d.Buffer()
	if d.Err() != nil {
		return false
	}
	if !s.authenticate(c, scheme, token) {
		s.replyZxid(c, xid, 0, wire.ErrAuthFailed, nil)
		return false
	}
	s.replyZxid(c, xid, 0, wire.OK, nil)
	return true
}

func (k *call) ping() wire.Code { return wire.OK }

// sasl answers as a server without a login configuration does: success with a null token.
func (k *call) sasl() wire.Code {
	k.in.Buffer()
	k.hangUp = k.in.Err() != nil
	k.out.Buffer(nil)
	return wire.OK
}
