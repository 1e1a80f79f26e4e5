package zkserver

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// session is what a client keeps over connections. All fields are guarded by Server.mu.
type session struct {
	id         int64
	timeout    time.Duration
	heard      time.Time
	timer      *time.Timer
	conn       *conn // nil while disconnected
	ephemerals map[string]*node
	local      bool  // of a read-only server
	overdue    bool  // its time was up while it could not be ended
	made       int64 // ephemerals so far
	buckets    int   // of the table in which a real server would keep them
}

func newSecret() (b [16]byte) {
	_, _ = rand.Read(b[:])
	return b
}

// password returns the 16 bytes that let a client resume a session.
func (s *Server) password(id int64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(s.secret[:], uint64(id)))
	return sum[:16]
}

// connect answers a connect request; false ends the connection.
func (s *Server) connect(c *conn, frame []byte) bool {
	var req wire.ConnectRequest
	start := time.Now()
	d := wire.NewDecoder(frame)
	req.Decode(d)
	if d.Err() != nil {
		return false
	}
	act := s.ask(Request{Conn: c.id, Session: req.SessionID, Op: wire.OpCreateSession})
	if !c.hold(act) || !s.lockOpen(c) {
		return false
	}
	defer s.mu.Unlock()
	defer c.drop(act)
	c.counts.received++
	s.stats.received++
	c.old = !req.HasReadOnly
	if req.LastZxid > s.zxid || s.readOnly && !req.ReadOnly {
		return false
	}
	ses, ok := s.admit(c, &req)
	if !ok {
		return false
	}
	if act.Drop == DropAfter {
		return false
	}
	s.welcome(c, ses)
	s.note(c, wire.OpCreateSession, wire.OK, 0, start)
	return ses != nil
}

// admit finds or makes the session that a client asks for: nil when it has expired, false when the connection is to
// close without an answer.
func (s *Server) admit(c *conn, req *wire.ConnectRequest) (*session, bool) {
	timeout := min(max(time.Duration(req.Timeout)*time.Millisecond, s.opts.MinTimeout), s.opts.MaxTimeout)
	if req.SessionID != 0 {
		return s.resume(c, req, timeout)
	}
	if s.readOnly && s.opts.NoLocalSessions {
		s.scratch.B = s.scratch.B[:0]
		(&wire.ReplyHeader{Zxid: s.zxid, Err: wire.ErrNotReadOnly}).Encode(&s.scratch)
		c.send(s.scratch.B)
		return nil, false
	}
	if !s.readOnly {
		s.nextZxid()
	}
	ses := &session{id: s.nextID, ephemerals: map[string]*node{}, local: s.readOnly}
	s.nextID++
	s.sessions[ses.id] = ses
	ses.timer = time.AfterFunc(timeout, func() { s.timeUp(ses) })
	s.attach(c, ses, timeout)
	return ses, true
}

// resume gives a session to a new connection. The old one is closed even when the password is wrong, as real servers
// do.
func (s *Server) resume(c *conn, req *wire.ConnectRequest, timeout time.Duration) (*session, bool) {
	ses := s.sessions[req.SessionID]
	if s.readOnly && (ses == nil || !ses.local) {
		return nil, false
	}
	if ses == nil {
		return nil, true
	}
	if old := ses.conn; old != nil {
		s.forget(old)
		old.kill()
	}
	if !bytes.Equal(req.Passwd, s.password(ses.id)) {
		return nil, true
	}
	s.attach(c, ses, timeout)
	return ses, true
}

func (s *Server) attach(c *conn, ses *session, timeout time.Duration) {
	ses.conn, c.ses = c, ses
	ses.timeout, ses.heard = timeout, time.Now()
	ses.timer.Reset(timeout)
}

// welcome queues the connect response; a nil session says that it has expired.
func (s *Server) welcome(c *conn, ses *session) {
	resp := wire.ConnectResponse{Passwd: make([]byte, 16), HasReadOnly: !c.old, ReadOnly: s.readOnly}
	if ses != nil {
		resp.SessionID, resp.Passwd = ses.id, s.password(ses.id)
		resp.Timeout = int32(ses.timeout.Milliseconds())
	}
	s.scratch.B = s.scratch.B[:0]
	resp.Encode(&s.scratch)
	c.send(s.scratch.B)
}

// timeUp is the session timer's function: it expires the session unless the client was heard meanwhile.
func (s *Server) timeUp(ses *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.sessions[ses.id] != ses {
		return
	}
	if left := ses.timeout - time.Since(ses.heard); left > 0 {
		ses.timer.Reset(left)
		return
	}
	if s.gate != nil || s.readOnly && !ses.local {
		ses.overdue = true
		return
	}
	s.end(ses)
}

// end closes a session: its ephemerals go, its connection sends what is queued and closes.
func (s *Server) end(ses *session) {
	ses.timer.Stop()
	delete(s.sessions, ses.id)
	if !ses.local {
		tx := s.begin(nil)
		for _, path := range sortedKeys(ses.ephemerals) {
			tx.remove(s.tree.nodes[path])
		}
		tx.commit()
	}
	if c := ses.conn; c != nil {
		s.forget(c)
		c.closing = true
		poke(c.wake)
	}
}

// forget detaches a connection from its session and drops its watches.
func (s *Server) forget(c *conn) {
	s.data.drop(c)
	s.child.drop(c)
	delete(s.conns, c)
	if c.ses != nil && c.ses.conn == c {
		c.ses.conn = nil
	}
	c.ses = nil
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
