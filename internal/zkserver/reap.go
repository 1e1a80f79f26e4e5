package zkserver

import "time"

// armReaper starts the timer that looks for empty containers and outlived TTL nodes, unless it runs. It runs only while
// there are such nodes, so that an idle server has no timers. The caller holds Server.mu.
func (s *Server) armReaper() {
	if s.reaper == nil && !s.closed && len(s.tree.reaping) > 0 {
		s.reaper = time.AfterFunc(s.opts.ReapInterval, s.reap)
	}
}

// reap removes containers that had children and have none, and TTL nodes without children that were not changed for
// longer than their TTL.
func (s *Server) reap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reaper = nil
	if s.closed {
		return
	}
	if s.gate == nil && !s.readOnly {
		now := time.Now().UnixMilli()
		for _, path := range sortedKeys(s.tree.reaping) {
			if n := s.tree.reaping[path]; n.outlived(now) {
				tx := s.begin(nil)
				tx.remove(n)
				tx.commit()
			}
		}
	}
	s.armReaper()
}

func (n *node) outlived(now int64) bool {
	switch {
	case len(n.children) > 0:
		return false
	case n.kind == container:
		return n.creates > 0
	}
	return now-n.mtime > n.ttl
}
