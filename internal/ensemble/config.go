package ensemble

import (
	"net"
	"strconv"
	"strings"
)

// configuredMember is one member as the ensemble's configuration lists it.
type configuredMember struct {
	id     int64
	host   string
	port   string // where the others reach it for the quorum; empty: not said
	client string // host:port for clients; empty: not in the configuration
	role   string // participant or observer; empty: not said
}

// parseConfig reads the lines of /zookeeper/config, of conf's membership and of a configuration file:
//
//	server.1=zk1:2888:3888:participant;0.0.0.0:2181
//
// The part behind the semicolon is there with a dynamic configuration only.
func parseConfig(text string) (out []configuredMember) {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		id, isServer := strings.CutPrefix(strings.TrimSpace(key), "server.")
		n, err := strconv.ParseInt(id, 10, 64)
		if !ok || !isServer || err != nil {
			continue
		}
		quorum, client, _ := strings.Cut(strings.TrimSpace(value), ";")
		quorum, _, _ = strings.Cut(quorum, "|") // further addresses of the same member
		e := configuredMember{id: n}
		e.host, quorum = cutHost(quorum)
		fields := strings.Split(quorum, ":")
		if e.port = fields[0]; len(fields) > 2 {
			e.role = fields[len(fields)-1]
		}
		e.client = clientAddr(strings.TrimSpace(client), e.host)
		if e.host != "" {
			out = append(out, e)
		}
	}
	return out
}

// cutHost cuts host:rest, where the host may be an IPv6 address in brackets.
func cutHost(text string) (host, rest string) {
	if strings.HasPrefix(text, "[") {
		host, rest, _ = strings.Cut(text[1:], "]")
		return host, strings.TrimPrefix(rest, ":")
	}
	host, rest, _ = strings.Cut(text, ":")
	return host, rest
}

// clientAddr reads the clients' part of a member: a port, or an address and a port. An address that stands for all
// of the host's is the host.
func clientAddr(text, host string) string {
	if text == "" {
		return ""
	}
	where, port := "", text
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		where, port = strings.Trim(text[:i], "[]"), text[i+1:]
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return ""
	}
	if ip := net.ParseIP(where); where == "" || ip != nil && ip.IsUnspecified() {
		where = host
	}
	return net.JoinHostPort(where, port)
}
