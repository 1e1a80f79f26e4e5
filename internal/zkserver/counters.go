package zkserver

import (
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// latency sums up how long requests took, in milliseconds.
type latency struct{ n, sum, last, min, max int64 }

func (l *latency) add(start time.Time) {
	ms := time.Since(start).Milliseconds()
	if l.n == 0 || ms < l.min {
		l.min = ms
	}
	l.n, l.sum, l.last, l.max = l.n+1, l.sum+ms, ms, max(l.max, ms)
}

func (l *latency) avg() float64 {
	if l.n == 0 {
		return 0
	}
	return float64(l.sum) / float64(l.n)
}

// counters are the totals of the server, guarded by Server.mu.
type counters struct {
	received, sent int64
	latency        latency
}

// connCounters are the totals of a connection, guarded by Server.mu.
type connCounters struct {
	since          time.Time
	received, sent int64
	op             string // the last one, in four letters
	xid            int32
	zxid           int64
	answered       time.Time
	latency        latency
}

// note counts a served request. Special xids are no requests of the client's own and do not show; nor does the name of a
// write that failed.
func (s *Server) note(c *conn, op wire.Op, code wire.Code, xid int32, start time.Time) {
	n := &c.counts
	if xid >= 0 {
		n.xid = xid
	}
	n.op, n.zxid, n.answered = shortNames[op], s.zxid, time.Now()
	if n.op == "" || code != wire.OK && op.Writes() {
		n.op = "NA"
	}
	n.latency.add(start)
	s.stats.latency.add(start)
}

// shortNames is how servers call operations in their connection lists.
var shortNames = map[wire.Op]string{
	wire.OpPing: "PING", wire.OpCreateSession: "SESS", wire.OpClose: "CLOS", wire.OpCreate: "CREA", wire.OpCreate2: "CREA",
	wire.OpCreateContainer: "CREA", wire.OpCreateTTL: "CREA", wire.OpDelete: "DELE", wire.OpSetData: "SETD",
	wire.OpSetACL: "SETA", wire.OpCheck: "CHEC", wire.OpMulti: "MULT", wire.OpMultiRead: "MLTR", wire.OpReconfig: "RECO",
	wire.OpSync: "SYNC", wire.OpExists: "EXIS", wire.OpGetData: "GETD", wire.OpGetACL: "GETA", wire.OpGetChildren: "GETC",
	wire.OpGetChildren2: "GETC", wire.OpGetAllChildrenNum: "GETACN", wire.OpGetEphemerals: "GETE", wire.OpSetWatches: "SETW",
	wire.OpSetWatches2: "STW2", wire.OpAddWatch: "ADDW", wire.OpCheckWatches: "CHKW", wire.OpRemoveWatches: "REMW",
	wire.OpWhoAmI: "HOMI",
}
