package zkserver

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

const (
	version  = "3.8.0-zkserver, built on 2026-01-01 00:00 UTC"
	tickTime = 2 * time.Second // what a real server would round expiry times to; shown only
)

// fourLetterWords are the four-letter words. Each writes what a real server writes, in its format. They run under Server.mu.
var fourLetterWords = map[string]func(*Server, io.Writer){
	"ruok": func(_ *Server, w io.Writer) { fmt.Fprint(w, "imok") },
	"isro": (*Server).isro,
	"srvr": (*Server).srvr,
	"stat": (*Server).stat,
	"cons": (*Server).cons,
	"dump": (*Server).dump,
	"mntr": (*Server).mntr,
	"conf": (*Server).conf,
	"envi": (*Server).envi,
	"wchs": (*Server).wchs,
	"wchp": (*Server).wchp,
	"wchc": (*Server).wchc,
	"srst": (*Server).srst,
	"crst": (*Server).crst,
}

func isWord(s string) bool { return fourLetterWords[s] != nil }

// FourLetter returns the answer to a four-letter word, as a client on the network would get it, but for that client's own
// line in cons; empty for an unknown word.
func (s *Server) FourLetter(word string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.word(word)
}

// word answers a four-letter word. The caller holds Server.mu.
func (s *Server) word(word string) string {
	f := fourLetterWords[word]
	if f == nil {
		return ""
	}
	if s.opts.FourLetter != nil && !slices.Contains(s.opts.FourLetter, word) {
		return word + " is not executed because it is not in the whitelist.\n"
	}
	var b strings.Builder
	f(s, &b)
	return b.String()
}

// answerWord answers a four-letter word on its connection, which the caller then ends.
func (s *Server) answerWord(c *conn, word string) {
	if !s.lockOpen(c) {
		return
	}
	defer s.mu.Unlock()
	c.counts.received++
	s.stats.received++
	s.stats.sent++
	c.out = append(c.out, s.word(word)...)
}

func (s *Server) isro(w io.Writer) {
	if s.readOnly {
		fmt.Fprint(w, "ro")
		return
	}
	fmt.Fprint(w, "rw")
}

func (s *Server) mode() string {
	if s.readOnly {
		return "read-only"
	}
	if s.observer {
		return "observer"
	}
	return "standalone"
}

func (s *Server) srvr(w io.Writer) {
	fmt.Fprintf(w, "Zookeeper version: %s\n", version)
	s.summary(w)
}

// stat is srvr with a line for each connection.
func (s *Server) stat(w io.Writer) {
	fmt.Fprintf(w, "Zookeeper version: %s\nClients:\n", version)
	for _, c := range s.byID() {
		fmt.Fprintf(w, " %s)\n", c.brief())
	}
	fmt.Fprintln(w)
	s.summary(w)
}

func (s *Server) summary(w io.Writer) {
	l := &s.stats.latency
	fmt.Fprintf(w, "Latency min/avg/max: %d/%s/%d\n", l.min, decimal(l.avg()), l.max)
	fmt.Fprintf(w, "Received: %d\nSent: %d\nConnections: %d\nOutstanding: 0\n", s.stats.received, s.stats.sent, len(s.conns))
	fmt.Fprintf(w, "Zxid: %#x\nMode: %s\nNode count: %d\n", s.zxid, s.mode(), len(s.tree.nodes))
}

// decimal writes a number with at most four decimals and at least one.
func decimal(f float64) string {
	s := strings.TrimRight(fmt.Sprintf("%.4f", f), "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}

// byID lists the connections, the oldest first.
func (s *Server) byID() []*conn {
	list := s.allConns()
	slices.SortFunc(list, func(a, b *conn) int { return int(a.id - b.id) })
	return list
}

// brief is the common beginning of a connection's lines.
func (c *conn) brief() string {
	interest := 0
	if c.ses != nil {
		interest = 1
	}
	return fmt.Sprintf("/%s[%d](queued=0,recved=%d,sent=%d", c.addr, interest, c.counts.received, c.counts.sent)
}

func (s *Server) cons(w io.Writer) {
	for _, c := range s.byID() {
		fmt.Fprintf(w, " %s", c.brief())
		if c.ses != nil {
			n := &c.counts
			fmt.Fprintf(w, ",sid=%#x,lop=%s,est=%d,to=%d,lcxid=%#x,lzxid=%#x,lresp=%d,llat=%d,minlat=%d,avglat=%d,maxlat=%d",
				uint64(c.ses.id), n.op, n.since.UnixMilli(), c.ses.timeout.Milliseconds(), n.xid, n.zxid,
				n.answered.Sub(s.started).Milliseconds(), n.latency.last, n.latency.min, int64(n.latency.avg()), n.latency.max)
		}
		fmt.Fprintln(w, ")")
	}
	fmt.Fprintln(w)
}

func (s *Server) mntr(w io.Writer) {
	l := &s.stats.latency
	ephemerals, local, size := 0, 0, 0
	for _, ses := range s.sessions {
		ephemerals += len(ses.ephemerals)
		if ses.local {
			local++
		}
	}
	for path, n := range s.tree.nodes {
		size += len(path) + len(n.data)
	}
	for _, kv := range []struct {
		key string
		val any
	}{
		{"version", version}, {"server_state", s.mode()}, {"ephemerals_count", ephemerals},
		{"num_alive_connections", len(s.conns)}, {"avg_latency", decimal(l.avg())}, {"outstanding_requests", 0},
		{"znode_count", len(s.tree.nodes)}, {"global_sessions", len(s.sessions) - local}, {"local_sessions", local},
		{"packets_sent", s.stats.sent}, {"packets_received", s.stats.received},
		{"watch_count", s.data.count + s.child.count}, {"min_latency", l.min}, {"max_latency", l.max},
		{"approximate_data_size", size}, {"uptime", time.Since(s.started).Milliseconds()},
	} {
		fmt.Fprintf(w, "zk_%s\t%v\n", kv.key, kv.val)
	}
}

func (s *Server) conf(w io.Writer) {
	port := 0
	for l := range s.listeners {
		if a, ok := l.Addr().(*net.TCPAddr); ok && (port == 0 || a.Port < port) {
			port = a.Port
		}
	}
	fmt.Fprintf(w, "clientPort=%d\nsecureClientPort=-1\ndataDir=\ndataDirSize=0\ndataLogDir=\ndataLogSize=0\n", port)
	fmt.Fprintf(w, "tickTime=%d\nmaxClientCnxns=0\nminSessionTimeout=%d\nmaxSessionTimeout=%d\nclientPortListenBacklog=-1\nserverId=0\n",
		tickTime.Milliseconds(), s.opts.MinTimeout.Milliseconds(), s.opts.MaxTimeout.Milliseconds())
}

func (s *Server) envi(w io.Writer) {
	fmt.Fprintf(w, "Environment:\nzookeeper.version=%s\nhost.name=localhost\n", version)
}

func (s *Server) srst(w io.Writer) {
	s.stats = counters{}
	fmt.Fprintln(w, "Server stats reset.")
}

func (s *Server) crst(w io.Writer) {
	for c := range s.conns {
		n := &c.counts
		*n = connCounters{since: n.since, op: n.op, answered: n.answered}
	}
	fmt.Fprintln(w, "Connection stats reset.")
}
