package ensemble

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// connection is one client connection, as cons and the AdminServer's connections tell it.
type connection struct {
	session znode.SessionID
	addr    string // ip:port
	timeout time.Duration
	since   time.Time // by the server's clock
	heard   int64     // of the last response: milliseconds of the server's monotonic clock; 0: unknown
}

// dump is what a member knows of sessions: who has ephemeral znodes, and, on a leader or a server that stands alone,
// until when each session lasts.
type dump struct {
	sessions  map[znode.SessionID]tracked  // nil: not told
	owners    map[znode.SessionID][]string // immutable: rounds share it while nothing in it changes
	told      string                       // what owners were read from
	announced int64                        // how many owners there are to be; -1: not told
	conns     []connection                 // of the connections section, which servers without TLS have
	hasConns  bool
	first     time.Time // the earliest expiry that is listed, by the server's clock
	firstMs   int64     // the same in milliseconds of its monotonic clock, where that is all it told
	whole     bool      // what was announced by number was all there
}

// tracked is what a session tracker says of a session.
type tracked struct {
	expires time.Time // by the server's clock; zero: not told
	ms      int64     // by the server's monotonic clock; 0: not told
	timeout time.Duration
}

// summary is wchs: how much there is to list.
type summary struct{ connections, paths, total int64 }

// health is what srvr and the AdminServer's server_stats say.
type health struct {
	version, mode string
	zxid          znode.Zxid
	nodes, conns  int64
	outstanding   int64
	latency       string // min/avg/max in milliseconds
}

// settings is what conf and the AdminServer's configuration say.
type settings struct {
	clientPort, securePort int64
	id                     int64 // the server's; 0 when it stands alone
	dataDir                string
	tick, least, most      time.Duration
	quorum                 []configuredMember
}

// refusal reports whether a reply is a server's refusal of a word, and that the server does not serve at all.
func refusal(text string) (refused, idle bool) {
	refused = strings.Contains(text, "is not executed because it is not in the whitelist")
	return refused, strings.Contains(text, "not currently serving requests")
}

// parseAddr reads an address as Java prints it: /1.2.3.4:5, host/1.2.3.4:5, /0:0:0:0:0:0:0:1:5, /[::1]:5. The result
// is in the usual spelling; empty when there is no port.
func parseAddr(text string) string {
	if i := strings.LastIndexByte(text, '/'); i >= 0 {
		text = text[i+1:]
	}
	i := strings.LastIndexByte(text, ':')
	if i <= 0 {
		return ""
	}
	host, port := strings.Trim(text[:i], "[]"), text[i+1:]
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return ""
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.Unmap().String()
	}
	return net.JoinHostPort(host, port)
}

// hexID reads a session id as servers print it, 0x and hexadecimal digits.
func hexID(text string) (znode.SessionID, bool) {
	rest, ok := strings.CutPrefix(text, "0x")
	if !ok {
		return 0, false
	}
	u, err := strconv.ParseUint(rest, 16, 64)
	return znode.SessionID(u), err == nil
}

// lines is a reply without a last line that was cut off: half an id is another id.
func lines(text string) string { return text[:strings.LastIndexByte(text, '\n')+1] }

func number(text string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSpace(text), 0, 64)
	return n
}

func millis(n int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(max(n, 0), most)) * time.Millisecond
}

// parseCons reads cons. Lines without a session (whoever asks, clients that are connecting) are left out. whole is
// false when the reply does not end as a whole one does.
func parseCons(text string) (out []connection, whole bool) {
	for line := range strings.Lines(lines(text)) {
		line = strings.TrimSpace(line)
		open := strings.LastIndex(line, "](")
		if open < 0 || !strings.HasSuffix(line, ")") {
			continue
		}
		at := strings.LastIndexByte(line[:open], '[')
		if at < 0 {
			continue
		}
		c := connection{addr: parseAddr(line[:at])}
		for field := range strings.SplitSeq(line[open+2:len(line)-1], ",") {
			key, value, _ := strings.Cut(field, "=")
			c.set(key, value)
		}
		if c.session != 0 {
			out = append(out, c)
		}
	}
	return out, strings.HasSuffix(text, "\n\n") || text == "\n"
}

func (c *connection) set(key, value string) {
	switch key {
	case "sid":
		c.session, _ = hexID(value)
	case "to":
		c.timeout = millis(number(value))
	case "est":
		if n := number(value); n > 0 {
			c.since = time.UnixMilli(n)
		}
	case "lresp":
		c.heard = number(value)
	}
}

// fields cuts lines of the form key, separator, value.
func fields(text, separator string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), separator); ok {
			out[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return out
}

// parseSrvr reads srvr, and the end of stat. ok is false when there is no version in it.
func parseSrvr(text string) (h health, ok bool) {
	f := fields(text, ":")
	version, ok := f["Zookeeper version"]
	if !ok {
		return h, false
	}
	h.version = release(version)
	h.mode, h.latency = f["Mode"], f["Latency min/avg/max"]
	h.zxid = znode.Zxid(number(f["Zxid"]))
	h.nodes, h.conns, h.outstanding = number(f["Node count"]), number(f["Connections"]), number(f["Outstanding"])
	return h, true
}

// release is the number in a version line such as "3.8.0-${build}, built on 2024-12-29".
func release(text string) string {
	text, _, _ = strings.Cut(text, ",")
	if number, _, found := strings.Cut(text, "-"); found {
		return number
	}
	return strings.TrimSpace(text)
}

// parseConf reads conf.
func parseConf(text string) (s settings, ok bool) {
	f := fields(text, "=")
	if _, ok = f["clientPort"]; !ok {
		return s, false
	}
	s.clientPort, s.securePort, s.id = number(f["clientPort"]), number(f["secureClientPort"]), number(f["serverId"])
	s.tick, s.least, s.most = millis(number(f["tickTime"])), millis(number(f["minSessionTimeout"])), millis(number(f["maxSessionTimeout"]))
	s.dataDir, s.quorum = f["dataDir"], parseConfig(text)
	return s, true
}

// parseWchs reads the summary of watches.
func parseWchs(text string) (s summary, ok bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) >= 5 && strings.HasPrefix(words[1], "connection"):
			s.connections, s.paths = number(words[0]), number(words[3])
		case strings.HasPrefix(line, "Total watches:"):
			s.total, ok = number(line[len("Total watches:"):]), true
		}
	}
	return s, ok
}

// parseWchp reads the watches by path. whole is false when the reply does not end as a whole one does.
func parseWchp(text string) (out map[string][]znode.SessionID, whole bool) {
	out = map[string][]znode.SessionID{}
	path := ""
	for line := range strings.Lines(lines(text)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "/"):
			path = line
		case strings.HasPrefix(line, "\t") && path != "":
			if id, ok := hexID(line[1:]); ok {
				out[path] = append(out[path], id)
			}
		}
	}
	return out, strings.HasSuffix(text, "\n\n") || text == "\n"
}
