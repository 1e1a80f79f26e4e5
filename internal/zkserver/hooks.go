package zkserver

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// ExpireSession ends a session as if its timeout had passed; false when there is none with that id.
func (s *Server) ExpireSession(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.sessions[id]
	if ses == nil || s.closed {
		return false
	}
	s.end(ses)
	return true
}

// DropConnections loses all connections; the sessions survive. It returns how many there were.
func (s *Server) DropConnections() int {
	s.mu.Lock()
	drop := s.allConns()
	s.mu.Unlock()
	s.dropAll(drop)
	return len(drop)
}

// Drop loses a session's connection; the session survives. False when it has none.
func (s *Server) Drop(id int64) bool {
	s.mu.Lock()
	var drop []*conn
	if ses := s.sessions[id]; ses != nil && ses.conn != nil {
		drop = append(drop, ses.conn)
	}
	s.mu.Unlock()
	s.dropAll(drop)
	return len(drop) > 0
}

func (s *Server) dropAll(list []*conn) {
	s.mu.Lock()
	for _, c := range list {
		s.forget(c)
	}
	s.mu.Unlock()
	for _, c := range list {
		c.kill()
	}
}

// RefuseConnections makes the server close every new connection at once, as while it is down; existing ones stay.
func (s *Server) RefuseConnections(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = on
}

// SessionInfo describes a session.
type SessionInfo struct {
	ID         int64
	Timeout    time.Duration
	Connected  bool
	Addr       string // of the client; empty while disconnected
	Ephemerals []string
}

// Sessions lists all sessions by id.
func (s *Server) Sessions() []SessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []SessionInfo
	for _, id := range s.sessionIDs() {
		ses := s.sessions[id]
		info := SessionInfo{ID: id, Timeout: ses.timeout, Connected: ses.conn != nil, Ephemerals: sortedKeys(ses.ephemerals)}
		if ses.conn != nil {
			info.Addr = ses.conn.addr.String()
		}
		out = append(out, info)
	}
	return out
}

func (s *Server) sessionIDs() []int64 {
	out := make([]int64, 0, len(s.sessions))
	for id := range s.sessions {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// Znode is one znode as Tree returns it. Data and ACL are copies; Data is nil for null.
type Znode struct {
	Data      []byte
	ACL       []wire.ACL
	Stat      wire.Stat
	Container bool
	TTL       time.Duration // 0: no TTL node
}

// Tree returns all znodes by path, /zookeeper included, at one point in time.
func (s *Server) Tree() map[string]Znode {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]Znode, len(s.tree.nodes))
	for path, n := range s.tree.nodes {
		if path != "" {
			out[path] = n.export()
		}
	}
	return out
}

// Node returns one znode.
func (s *Server) Node(path string) (Znode, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.tree.nodes[path]
	if n == nil {
		return Znode{}, false
	}
	return n.export(), true
}

func (n *node) export() Znode {
	return Znode{
		Data: keep(n.data), ACL: slices.Clone(n.acl), Stat: n.stat(),
		Container: n.kind == container, TTL: time.Duration(n.ttl) * time.Millisecond,
	}
}

// SetCounter sets how many children were ever created under a znode, which is the next sequence number; false when there
// is no such znode. No client can do this.
func (s *Server) SetCounter(path string, creates int32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.tree.nodes[path]
	if n == nil {
		return false
	}
	n.creates = creates
	return true
}

// Watchers lists the sessions that watch a path, once each: those with data and exist watches first, then child watches.
func (s *Server) Watchers(path string) (data, child []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := func(list []*conn) (out []int64) {
		for _, c := range list {
			out = append(out, c.ses.id)
		}
		return out
	}
	return ids(s.data.byPath[path]), ids(s.child.byPath[path])
}
