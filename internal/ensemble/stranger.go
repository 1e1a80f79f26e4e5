package ensemble

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
)

// setApart sets the addresses aside that lead to servers of another ensemble than the one that the connection is to: what those
// tell is of other data. They go on being asked, since a server may join. Of an address that nobody named nothing is kept.
func (e *Ensemble) setApart(ctx context.Context) {
	all := slices.Concat(e.endpoints, e.strangers)
	home := e.home(all)
	if len(all) < 2 || home == nil && !e.read {
		return
	}
	for _, ep := range all {
		e.view(ctx, ep)
	}
	e.trust(home)
	e.miss(home, all)
	e.endpoints, e.strangers = nil, nil
	for _, ep := range all {
		ep.foreign = e.foreign(home, ep, all)
		switch {
		case ep.foreign == "":
			e.endpoints = append(e.endpoints, ep)
		case !ep.guessed:
			ep.configured = nil
			e.strangers = append(e.strangers, ep)
		}
	}
}

// home is the address that the connection leads to; nil where that is not known, or what is there does not answer.
func (e *Ensemble) home(all []*endpoint) *endpoint {
	if e.cfg.Home == nil {
		return nil
	}
	addr := e.cfg.Home()
	for _, ep := range all {
		if addr != "" && sameAddr(ep.addr, addr) && ep.up {
			return ep
		}
	}
	return nil
}

// view completes what a server told of its ensemble: an AdminServer tells the members apart from the rest.
func (e *Ensemble) view(ctx context.Context, ep *endpoint) {
	if ep.conf == nil || len(ep.conf.quorum) > 0 || ep.admin == "" || ep.alone() {
		return
	}
	var reply votingReply
	if _, err := e.command(ctx, ep.admin, cmdVotingView, &reply); err == nil {
		ep.conf.quorum = reply.members()
		sorted.By(ep.conf.quorum, func(a, b configuredMember) int { return int(a.id - b.id) })
	}
}

// trust forgets a list of members that is of another ensemble than the server that the connection leads to: the connection
// has moved, or the list came from a stranger.
func (e *Ensemble) trust(home *endpoint) {
	if home == nil || e.configured == nil {
		return
	}
	same, told := compare(home.list(), e.configured)
	if home.alone() || told && !same {
		e.configured, e.missing, e.read = nil, nil, false
	}
}

// alone reports whether a server says that it is of no ensemble.
func (ep *endpoint) alone() bool { return ep.srvr != nil && ep.srvr.mode == "standalone" }

// joined reports whether a server says that it is of an ensemble.
func (ep *endpoint) joined() bool {
	if ep.srvr != nil {
		switch ep.srvr.mode {
		case "leader", "follower", "observer":
			return true
		}
	}
	return len(ep.list()) > 0 && !ep.alone()
}

// list is the members that a server lists; nil: it stands alone, or does not tell.
func (ep *endpoint) list() []configuredMember {
	if ep.conf == nil {
		return nil
	}
	return ep.conf.quorum
}

// foreign says by what it is known that a server is not of the connection's ensemble; empty where it is, or that is not known.
func (e *Ensemble) foreign(home, ep *endpoint, all []*endpoint) string {
	if ep == home || !ep.up {
		return ""
	}
	if home != nil && home.alone() {
		switch {
		case ep.joined():
			return "it is a member of an ensemble, and " + home.addr + " stands alone"
		case ep.alone() && ep.missed > 1:
			return "both stand alone, and our session is on " + home.addr + " and not on it"
		case ep.alone() && otherServer(home, ep):
			return fmt.Sprintf("both stand alone, %s with the data in %s at port %d, and it with the data in %s at port %d",
				home.addr, say.Printable(home.conf.dataDir), home.conf.clientPort, say.Printable(ep.conf.dataDir), ep.conf.clientPort)
		}
		return ""
	}
	known := e.configured
	if home != nil && known == nil {
		known = home.list()
	}
	switch {
	case ep.alone() && home != nil && home.joined():
		return "it stands alone, and " + home.addr + " is a member of an ensemble"
	case ep.alone() && len(known) > 0:
		return "it stands alone, and the connection is to an ensemble of " + say.Plural(len(known), "member", "members")
	case ep.among(known), home != nil && ep.among(home.list()):
		return ""
	}
	if why := apart(known, ep.list()); why != "" && (home == nil || len(home.list()) == 0 || apart(home.list(), ep.list()) != "") {
		return why
	}
	for _, o := range all {
		if (o == home || o.among(known)) && sameIDOther(o, ep) {
			return fmt.Sprintf("it has the id %d, as %s has, and lists none of the members that %s lists: %s, and not %s",
				ep.conf.id, o.addr, o.addr, listText(ep.list()), listText(o.list()))
		}
	}
	return ""
}

// miss counts in how many rounds in a row a server that stands alone listed its connections without our own session's, which
// the one that our connection leads to listed: one server, known by two names, lists it under both.
func (e *Ensemble) miss(home *endpoint, all []*endpoint) {
	id, _, _ := e.self()
	has := func(ep *endpoint) bool {
		return slices.ContainsFunc(ep.conns, func(c connection) bool { return c.session == id })
	}
	known := id != 0 && home != nil && home.alone() && has(home)
	for _, ep := range all {
		if ep.missed++; !known || ep == home || !ep.alone() || !ep.hasConns || has(ep) {
			ep.missed = 0
		}
	}
}

// missesOnce reports whether one of the servers was without our session for the first time.
func (e *Ensemble) missesOnce() bool {
	return slices.ContainsFunc(e.endpoints, func(ep *endpoint) bool { return ep.missed == 1 })
}

// otherServer reports whether two addresses of servers that stand alone lead to different ones, and not to one by two names:
// one process has one directory and one port.
func otherServer(a, b *endpoint) bool {
	return a.conf != nil && b.conf != nil && (a.conf.clientPort != b.conf.clientPort ||
		a.conf.dataDir != "" && b.conf.dataDir != "" && a.conf.dataDir != b.conf.dataDir)
}

// among reports whether a server lists one of the members in a list as that does.
func (ep *endpoint) among(list []configuredMember) bool {
	same, _ := compare(ep.list(), list)
	return same
}

// sameIDOther reports whether two servers have one id and list not one member alike: no ensemble has an id twice, and one
// server, known by two names, has one list.
func sameIDOther(a, b *endpoint) bool {
	if a.conf == nil || b.conf == nil || a.conf.id <= 0 || a.conf.id != b.conf.id {
		return false
	}
	same, _ := compare(a.list(), b.list())
	return !same && len(a.list()) > 0 && len(b.list()) > 0 && listText(a.list()) != listText(b.list())
}

// apart says how two lists of members tell of two ensembles; empty where they do not. Members may be known to each other by
// other names, and a list may be older than another: it takes that no member is listed alike, and that either has members
// of ids that the other lacks, or all are at other ports.
func apart(known, other []configuredMember) string {
	same, told := compare(known, other)
	if same || !told {
		return ""
	}
	ports := true
	for _, a := range known {
		for _, b := range other {
			ports = ports && (a.id != b.id || a.port != b.port && a.port != "" && b.port != "")
		}
	}
	if !ports && (lacks(known, other) == 0 || lacks(other, known) == 0) {
		return ""
	}
	return "it lists other members: " + listText(other) + ", and not " + listText(known)
}

// compare reports whether two lists have a member alike, by id, host and port; told is false where that cannot be known,
// since one of them is empty, or a member stands in it with an address that stands for any.
func compare(a, b []configuredMember) (same, told bool) {
	told = len(a) > 0 && len(b) > 0
	for _, x := range a {
		for _, y := range b {
			if x.id != y.id {
				continue
			}
			if x.anywhere() || y.anywhere() {
				if x.port == y.port {
					told = false
				}
				continue
			}
			same = same || sameHost(x.host, y.host) && x.port == y.port
		}
	}
	return same, told || same
}

// anywhere reports whether a member is listed with an address that stands for all of its host's, as one lists itself.
func (m *configuredMember) anywhere() bool {
	ip := net.ParseIP(m.host)
	return ip != nil && ip.IsUnspecified()
}

// lacks counts the ids of a list that are not in another.
func lacks(list, in []configuredMember) (n int) {
	for _, a := range list {
		if !slices.ContainsFunc(in, func(b configuredMember) bool { return b.id == a.id }) {
			n++
		}
	}
	return n
}

func listText(list []configuredMember) string {
	var out []string
	for _, m := range list {
		out = append(out, fmt.Sprintf("server.%d=%s", m.id, net.JoinHostPort(say.Printable(m.host), say.Printable(m.port))))
	}
	return strings.Join(out, " ")
}
