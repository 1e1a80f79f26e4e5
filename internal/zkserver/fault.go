package zkserver

import (
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// Request describes a request to Fault and in the log.
type Request struct {
	Conn    int64 // number of the connection, from 1
	Session int64 // 0 before there is one
	Xid     int32
	Op      wire.Op
	Path    string  // empty where the request names none
	SubOps  []SubOp // of multi and multiRead, in order
}

// SubOp is one operation inside a multi or multiRead.
type SubOp struct {
	Op   wire.Op
	Path string
}

// Drop says when a connection is lost.
type Drop uint8

const (
	DropNone   Drop = iota // the connection stays
	DropBefore             // before the request is applied
	DropAfter              // after it is applied, before the reply
)

// Action is what happens to a request. The zero value lets it pass.
type Action struct {
	Drop Drop
	Err  wire.Code       // answered instead of applying the request, unless OK; does not serve OpCreateSession
	Hold <-chan struct{} // the request, and those behind it, wait until Hold is closed, unless nil
}

// SetFault replaces Options.Fault; nil lets every request pass. It concerns requests that arrive later.
func (s *Server) SetFault(f func(Request) Action) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Requests returns the log that Options.Record asked for, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

// ForgetRequests empties the log.
func (s *Server) ForgetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = nil
}

// ask logs a request and asks Fault about it.
func (s *Server) ask(r Request) Action {
	s.mu.Lock()
	if s.opts.Record {
		s.log = append(s.log, r)
	}
	f := s.fault
	s.mu.Unlock()
	if f == nil {
		return Action{}
	}
	return f(r)
}

// hold waits as the action says, and loses the connection if it says so; false when the connection has ended.
func (c *conn) hold(a Action) bool {
	if a.Hold != nil {
		select {
		case <-a.Hold:
		case <-c.dead:
			return false
		}
	}
	if a.Drop == DropBefore {
		c.kill()
		return false
	}
	return true
}

// drop loses the connection after a request if the action says so. What was queued for the client is lost with it.
func (c *conn) drop(a Action) {
	if a.Drop == DropAfter {
		c.kill()
	}
}

// interfere logs a request and asks Fault about it, when there is reason to.
func (s *Server) interfere(c *conn, xid int32, op wire.Op, body []byte) Action {
	s.mu.Lock()
	wanted, id := s.opts.Record || s.fault != nil, int64(0)
	if c.ses != nil {
		id = c.ses.id
	}
	s.mu.Unlock()
	if !wanted {
		return Action{}
	}
	return s.ask(describe(Request{Conn: c.id, Session: id, Xid: xid, Op: op}, body))
}

// describe adds the paths of a request, as far as it is well formed.
func describe(r Request, body []byte) Request {
	d := wire.NewDecoder(body)
	switch r.Op {
	case wire.OpMulti, wire.OpMultiRead:
		r.SubOps = subOps(r.Op, d)
	case wire.OpPing, wire.OpAuth, wire.OpSASL, wire.OpSetWatches, wire.OpSetWatches2, wire.OpWhoAmI, wire.OpClose, wire.OpReconfig:
	default:
		r.Path = d.String()
	}
	return r
}

func subOps(op wire.Op, d *wire.Decoder) (out []SubOp) {
	for {
		var h wire.MultiHeader
		h.Decode(d)
		if h.Done || d.Err() != nil {
			return out
		}
		peek := wire.NewDecoder(d.Rest())
		p := SubOp{h.Type, peek.String()}
		if op == wire.OpMulti && !skipOp(h.Type, d) {
			return out
		}
		if op == wire.OpMultiRead {
			_, _ = d.Buffer(), d.Bool()
		}
		if d.Err() == nil {
			out = append(out, p)
		}
	}
}

// Pause makes the server hang: it keeps its connections, takes new ones, and answers nothing, like a process that was
// stopped. Requests that arrive wait. Sessions whose time passes meanwhile expire on Resume.
func (s *Server) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gate == nil && !s.closed {
		s.gate = make(chan struct{})
	}
}

// Resume ends Pause. It does nothing on a server that is not paused.
func (s *Server) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gate == nil {
		return
	}
	close(s.gate)
	s.gate = nil
	s.endOverdue()
}

// endOverdue expires the sessions whose time passed while they could not be expired.
func (s *Server) endOverdue() {
	for _, id := range s.sessionIDs() {
		ses := s.sessions[id]
		if ses.overdue && (!s.readOnly || ses.local) {
			s.end(ses)
		}
	}
}

// lockOpen locks Server.mu, but not before the server runs. False, and nothing locked, when the connection or the server
// ends first.
func (s *Server) lockOpen(c *conn) bool {
	for {
		s.mu.Lock()
		if s.gate == nil && !s.closed {
			return true
		}
		gate, closed := s.gate, s.closed
		s.mu.Unlock()
		if closed {
			return false
		}
		select {
		case <-gate:
		case <-c.dead:
			return false
		}
	}
}

// SetReadOnly cuts the server off from its quorum, or reunites it with it: connections are lost, and then only clients
// that allow read-only servers are served, on sessions that last until the server is reunited. Sessions from before are
// refused meanwhile and do not expire.
func (s *Server) SetReadOnly(on bool) {
	s.mu.Lock()
	s.readOnly = on
	for _, id := range s.sessionIDs() {
		ses := s.sessions[id]
		if !on && ses.local {
			ses.timer.Stop()
			delete(s.sessions, id)
		}
		if !ses.local {
			ses.heard, ses.overdue = time.Now(), false
			ses.timer.Reset(ses.timeout)
		}
	}
	drop := s.allConns()
	s.mu.Unlock()
	s.dropAll(drop)
}
