package zkserver

import (
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// counters are the server's totals, guarded by Server.mu.
type counters struct {
	received, sent int64
	latency        latency
}

func (c *counters) note(start time.Time) { c.latency.add(time.Since(start).Milliseconds()) }

// latency sums up how long requests took, in milliseconds.
type latency struct{ n, sum, last, min, max int64 }

func (l *latency) add(ms int64) {
	if l.n == 0 || ms < l.min {
		l.min = ms
	}
	l.n, l.sum, l.last, l.max = l.n+1, l.sum+ms, ms, max(l.max, ms)
}

// connCounters are a connection's totals, guarded by Server.mu.
type connCounters struct {
	since          time.Time
	received, sent int64
	op             wire.Op
	xid            int32
	zxid           int64
	answered       time.Time
	latency        latency
}

func (c *connCounters) note(op wire.Op, xid int32, zxid int64, start time.Time) {
	if xid >= 0 {
		c.xid = xid
	}
	c.op, c.zxid, c.answered = op, zxid, time.Now()
	c.latency.add(time.Since(start).Milliseconds())
}

func isWord(string) bool { return false }

func (s *Server) answerWord(*conn, string) {}
