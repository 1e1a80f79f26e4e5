package ensemble

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// dumpReader reads dump line by line. Servers print sections that differ by version and role: sets of sessions by
// expiry on a leader, "Global Sessions" with timeouts on a follower, the owners of ephemeral znodes everywhere, and
// connections since 3.5 where the plain port is served by Java's own I/O.
type dumpReader struct {
	out              dump
	expires          time.Time
	owner            znode.SessionID
	connsNow         bool  // in the connections section
	sessions, owners int64 // announced; -1: not
	connsSaid, lines int64
}

// parseDump reads dump. now is about when the server wrote it, by our clock: it tells the time zone of dates that
// are not in UTC. was is what the server told before, or nil: where it tells of the same owners in the same words, they
// are the same map, for there may be a hundred thousand paths and only the expiries move.
func parseDump(text string, now time.Time, was *dump) dump {
	r := dumpReader{sessions: -1, owners: -1, connsSaid: -1}
	before, owners, after := cutOwners(lines(text))
	r.read(before, now)
	if was != nil && owners == was.told {
		r.out.owners, r.out.told, r.owners, r.expires = was.owners, was.told, was.announced, time.Time{}
	} else {
		r.out.owners, r.out.told = map[znode.SessionID][]string{}, owners
		r.read(owners, now)
	}
	r.out.announced = r.owners
	r.read(after, now)
	if r.sessions == 0 && r.out.sessions == nil {
		r.out.sessions = map[znode.SessionID]tracked{}
	}
	r.out.whole = strings.HasSuffix(text, "\n") && r.owners >= 0 && int64(len(r.out.owners)) == r.owners &&
		(r.sessions < 0 || int64(len(r.out.sessions)) >= r.sessions)
	r.out.hasConns = strings.HasSuffix(text, "\n") && r.connsSaid >= 0 && r.lines == r.connsSaid
	return r.out
}

// cutOwners parts the section that tells who owns which ephemeral znodes from what stands before and after it.
func cutOwners(text string) (before, owners, after string) {
	const title, next = "\nSessions with Ephemerals", "\nConnections Sets"
	i := strings.Index(text, title) + 1
	if i == 0 {
		return text, "", ""
	}
	end := len(text)
	if j := strings.Index(text[i:], next); j >= 0 {
		end = i + j + 1
	}
	return text[:i], text[i:end], text[end:]
}

func (r *dumpReader) read(text string, now time.Time) {
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\r\n"), now)
	}
}

func (r *dumpReader) line(line string, now time.Time) {
	rest, indented := strings.CutPrefix(line, "\t")
	switch {
	case indented:
		r.item(rest)
	case strings.Contains(line, "Session Sets ("), strings.Contains(line, "Global Sessions("), strings.Contains(line, "Global Sessions ("):
		r.sessions = max(r.sessions, 0) + lastCount(line)
	case strings.HasPrefix(line, "Sessions with Ephemerals"):
		r.owners, r.expires = lastCount(line), time.Time{}
	case strings.HasPrefix(line, "Connections Sets"):
		r.connsSaid, r.connsNow = lastCount(line), true
	case strings.Contains(line, " expire at "):
		_, date, _ := strings.Cut(line, " expire at ")
		r.expires = javaDate(strings.TrimSuffix(date, ":"), now)
		if !r.connsNow && !r.expires.IsZero() && (r.out.first.IsZero() || r.expires.Before(r.out.first)) {
			r.out.first = r.expires
		}
	case strings.HasPrefix(line, "0x") && strings.HasSuffix(line, ":"):
		r.owner, _ = hexID(strings.TrimSuffix(line, ":"))
		r.out.owners[r.owner] = append(r.out.owners[r.owner], nil...)
	case strings.HasPrefix(line, "0x"):
		r.global(line)
	}
}

// item is an indented line: a session of the current expiry, a path of the current owner, or a connection.
func (r *dumpReader) item(line string) {
	switch {
	case strings.HasPrefix(line, "/") && r.owner != 0 && !r.connsNow:
		r.out.owners[r.owner] = append(r.out.owners[r.owner], line)
	case strings.HasPrefix(line, "0x") && r.owners < 0:
		if id, ok := hexID(line); ok {
			r.track(id, tracked{expires: r.expires})
		}
	case strings.HasPrefix(line, "ip: "):
		r.lines++
		addr, id, _ := strings.Cut(line[len("ip: "):], " sessionId: ")
		if sid, ok := hexID(id); ok && sid != 0 {
			r.out.conns = append(r.out.conns, connection{session: sid, addr: parseAddr(addr)})
		}
	}
}

// global is a follower's line: a session and its timeout.
func (r *dumpReader) global(line string) {
	id, timeout, ok := strings.Cut(line, "\t")
	if sid, good := hexID(id); ok && good {
		r.track(sid, tracked{timeout: millis(number(strings.TrimSuffix(timeout, "ms")))})
	}
}

func (r *dumpReader) track(id znode.SessionID, t tracked) {
	if r.out.sessions == nil {
		r.out.sessions = map[znode.SessionID]tracked{}
	}
	r.out.sessions[id] = t
}

// lastCount reads the number in the last pair of parentheses.
func lastCount(line string) int64 {
	i, j := strings.LastIndexByte(line, '('), strings.LastIndexByte(line, ')')
	if i < 0 || j < i {
		return -1
	}
	return number(line[i+1 : j])
}

// javaDate reads a date as Java prints it: Fri Nov 27 22:10:39 UTC 2026. The zone is a name that need not be known
// here; any but UTC and GMT is made up for by the quarters of an hour that the date is away from now.
func javaDate(text string, now time.Time) time.Time {
	words := strings.Fields(text)
	if len(words) != 6 {
		return time.Time{}
	}
	zone := words[4]
	words[4] = words[5]
	t, err := time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(words[:5], " "))
	if err != nil {
		return time.Time{}
	}
	if zone == "UTC" || zone == "GMT" || zone == "Z" {
		return t
	}
	const quarter = 15 * time.Minute
	return t.Add(-t.Sub(now).Round(quarter))
}
