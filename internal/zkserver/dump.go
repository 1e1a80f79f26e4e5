package zkserver

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// dump lists sessions by the time they would expire, their ephemerals, and the connections.
func (s *Server) dump(w io.Writer) {
	fmt.Fprintln(w, "SessionTracker dump:")
	fmt.Fprintf(w, "Session Sets (%d)/(%d):\n", len(s.expiries()), len(s.sessions))
	for _, set := range s.expiries() {
		fmt.Fprintf(w, "%d expire at %s:\n", len(set.ids), javaDate(set.at))
		for _, id := range set.ids {
			fmt.Fprintf(w, "\t%#x\n", uint64(id))
		}
	}
	s.dumpEphemerals(w)
	s.dumpConns(w)
}

// javaDate writes a time as Java prints its dates.
func javaDate(t time.Time) string { return t.UTC().Format("Mon Jan 02 15:04:05 MST 2006") }

// expirySet is the sessions that would expire in one tick.
type expirySet struct {
	at  time.Time
	ids []int64
}

// expiries groups the sessions by expiry time, rounded up to the next tick as a real server rounds.
func (s *Server) expiries() (out []expirySet) {
	at := map[time.Time][]int64{}
	for _, id := range s.sessionIDs() {
		ses := s.sessions[id]
		t := ses.heard.Add(ses.timeout).Add(tickTime).Truncate(tickTime)
		at[t] = append(at[t], id)
	}
	for t, ids := range at {
		out = append(out, expirySet{t, ids})
	}
	sorted.By(out, func(a, b expirySet) int { return a.at.Compare(b.at) })
	return out
}

func (s *Server) dumpEphemerals(w io.Writer) {
	owners := slices.DeleteFunc(s.sessionIDs(), func(id int64) bool { return len(s.sessions[id].ephemerals) == 0 })
	fmt.Fprintf(w, "ephemeral nodes dump:\nSessions with Ephemerals (%d):\n", len(owners))
	for _, id := range owners {
		fmt.Fprintf(w, "%#x:\n", uint64(id))
		for _, path := range sortedKeys(s.sessions[id].ephemerals) {
			fmt.Fprintf(w, "\t%s\n", path)
		}
	}
}

func (s *Server) dumpConns(w io.Writer) {
	conns := s.byID()
	fmt.Fprintf(w, "Connections dump:\nConnections Sets (%d)/(%d):\n", min(1, len(conns)), len(conns))
	if len(conns) == 0 {
		return
	}
	fmt.Fprintf(w, "%d expire at %s:\n", len(conns), javaDate(time.Now().Add(tickTime)))
	for _, c := range conns {
		id := int64(0)
		if c.ses != nil {
			id = c.ses.id
		}
		fmt.Fprintf(w, "\tip: /%s sessionId: %#x\n", c.addr, uint64(id))
	}
}

// wchs sums up the data and exist watches. Child watches never show, here or below, as on real servers.
func (s *Server) wchs(w io.Writer) {
	watching := 0
	for c := range s.conns {
		if len(c.watched[dataWatch]) > 0 {
			watching++
		}
	}
	fmt.Fprintf(w, "%d connections watching %d paths\nTotal watches:%d\n", watching, len(s.data.byPath), s.data.count)
}

// wchp lists the watches by path.
func (s *Server) wchp(w io.Writer) {
	for _, path := range sortedKeys(s.data.byPath) {
		fmt.Fprintln(w, path)
		for _, c := range s.data.byPath[path] {
			fmt.Fprintf(w, "\t%#x\n", uint64(c.ses.id))
		}
	}
	fmt.Fprintln(w)
}

// wchc lists the watches by session.
func (s *Server) wchc(w io.Writer) {
	for _, c := range s.byID() {
		if len(c.watched[dataWatch]) == 0 {
			continue
		}
		fmt.Fprintf(w, "%#x\n", uint64(c.ses.id))
		for _, path := range sortedKeys(c.watched[dataWatch]) {
			fmt.Fprintf(w, "\t%s\n", path)
		}
	}
	fmt.Fprintln(w)
}
