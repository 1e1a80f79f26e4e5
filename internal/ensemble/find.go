package ensemble

import (
	"context"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// find lists the addresses to ask: those that the user named, those that the ensemble's own configuration names, and,
// where that names hosts without client ports, these hosts at the user's ports. It looks again after a while, for
// members that were added or came back.
func (e *Ensemble) find(ctx context.Context) {
	now := e.cfg.Now()
	if e.endpoints != nil && (now.Sub(e.found) < retryAfter || e.allUp()) {
		return
	}
	e.found = now
	if e.cfg.Members != nil {
		ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
		raw, err := e.cfg.Members(ctx)
		cancel()
		if list := parseConfig(string(raw)); err == nil && len(list) > 0 {
			e.configured, e.read = list, true
		}
	}
	endpoints := slices.Concat(e.endpoints, e.strangers)
	e.endpoints, e.strangers = nil, nil
	for _, addr := range e.cfg.Servers {
		e.addEndpoint(endpoints, addr)
	}
	if !off(e.cfg.FourLetter) {
		for _, addr := range e.cfg.FourLetter {
			e.addEndpoint(endpoints, addr)
		}
	}
	e.addConfigured(endpoints)
}

func (e *Ensemble) allUp() bool {
	return len(e.missing) == 0 && !slices.ContainsFunc(e.endpoints, func(ep *endpoint) bool { return !ep.up })
}

// addConfigured adds the addresses that the members' list leads to.
func (e *Ensemble) addConfigured(old []*endpoint) (added []*endpoint) {
	for i := range e.configured {
		n := &e.configured[i]
		if n.client != "" {
			if ep, fresh := e.addEndpoint(old, n.client); fresh {
				ep.guessed = true
				added = append(added, ep)
			}
			continue
		}
		for _, s := range e.cfg.Servers {
			_, port, err := net.SplitHostPort(s)
			if err != nil {
				continue
			}
			if ep, fresh := e.addEndpoint(old, net.JoinHostPort(n.host, port)); fresh {
				ep.guessed = true
				added = append(added, ep)
			}
		}
	}
	return added
}

// addEndpoint adds an address unless it is there already, with what is remembered of it.
func (e *Ensemble) addEndpoint(old []*endpoint, addr string) (ep *endpoint, fresh bool) {
	for _, ep := range e.endpoints {
		if sameAddr(ep.addr, addr) {
			return ep, false
		}
	}
	for _, ep := range old {
		if ep.addr == addr {
			e.endpoints = append(e.endpoints, ep)
			return ep, true
		}
	}
	ep = &endpoint{addr: addr, fourLetter: addr, shut: map[string]time.Time{}, lengths: map[string]int{}}
	if off(e.cfg.FourLetter) {
		ep.fourLetter = ""
	}
	e.endpoints = append(e.endpoints, ep)
	return ep, true
}

// identify finds out which address is which member, and lets go of addresses that are another name of one. Where
// the list of members only became known by asking, the others are asked now.
func (e *Ensemble) identify(ctx context.Context, w Want) {
	if e.configured == nil {
		e.configured = e.configuredByMembers(ctx)
		if added := e.addConfigured(nil); len(added) > 0 {
			e.round(ctx, added, w)
		}
	}
	if e.configured == nil {
		return
	}
	found := make([]*endpoint, len(e.configured))
	var rest []*endpoint
	for _, ep := range e.endpoints {
		i := e.configuredAs(ep)
		switch {
		case i < 0:
			rest = append(rest, ep)
		case found[i] == nil || !found[i].up && ep.up:
			found[i] = ep
		}
	}
	for i := range found {
		if found[i] == nil {
			found[i] = e.onHost(&rest, e.configured[i].host)
		}
	}
	if !slices.ContainsFunc(found, func(ep *endpoint) bool { return ep != nil && ep.up }) {
		pair(found, rest)
	}
	pairSilent(found, rest)
	e.missing, e.endpoints = nil, nil
	for i, ep := range found {
		if ep == nil {
			e.missing = append(e.missing, e.configured[i])
			continue
		}
		ep.configured = &e.configured[i]
		e.endpoints = append(e.endpoints, ep)
	}
}

// pair takes the addresses that the user named and that answer for members that are known under names that lead
// nowhere from here. Which is which is not known.
func pair(found, rest []*endpoint) {
	for _, ep := range rest {
		if i := slices.IndexFunc(found, func(p *endpoint) bool { return p == nil || !p.up }); i >= 0 && ep.up && !ep.guessed {
			found[i] = ep
		}
	}
}

// pairSilent takes the addresses that the user named and that do not answer for the members that nothing leads to, where
// there are as many of both: they are known under other names.
func pairSilent(found, rest []*endpoint) {
	rest = slices.DeleteFunc(slices.Clone(rest), func(ep *endpoint) bool { return ep.up || ep.guessed || slices.Contains(found, ep) })
	empty := 0
	for _, ep := range found {
		if ep == nil {
			empty++
		}
	}
	if empty != len(rest) {
		return
	}
	for i := range found {
		if found[i] == nil {
			found[i], rest = rest[0], rest[1:]
		}
	}
}

// configuredAs finds the member that an address leads to: by the id that it told, else by the address; -1 when neither
// tells.
func (e *Ensemble) configuredAs(ep *endpoint) int {
	if ep.conf != nil && ep.conf.id > 0 {
		return slices.IndexFunc(e.configured, func(n configuredMember) bool { return n.id == ep.conf.id })
	}
	return slices.IndexFunc(e.configured, func(n configuredMember) bool { return n.client != "" && sameAddr(n.client, ep.addr) })
}

// onHost takes an address on a member's host that told no id, for a member whose address is not known: one that
// answers, where no other member is on that host, or one that the user named and that does not answer.
func (e *Ensemble) onHost(rest *[]*endpoint, host string) *endpoint {
	alone := 0
	for _, n := range e.configured {
		if sameHost(n.host, host) {
			alone++
		}
	}
	for i, ep := range *rest {
		h, _, _ := net.SplitHostPort(ep.addr)
		if sameHost(h, host) && ep.conf == nil && (alone == 1 && (ep.up || !ep.guessed) || !ep.up && !ep.guessed) {
			*rest = slices.Delete(*rest, i, i+1)
			return ep
		}
	}
	return nil
}

// configuredByMembers takes the list of members from what a member says of its ensemble.
func (e *Ensemble) configuredByMembers(ctx context.Context) []configuredMember {
	if home := e.home(e.endpoints); home != nil && len(home.list()) > 0 {
		return home.list()
	}
	for _, ep := range e.endpoints {
		if list := ep.list(); len(list) > 0 {
			return list
		}
	}
	for _, ep := range e.endpoints {
		if ep.admin == "" || ep.srvr != nil && ep.srvr.mode == "standalone" {
			continue
		}
		var reply votingReply
		if _, err := e.command(ctx, ep.admin, cmdVotingView, &reply); err != nil {
			continue
		}
		if list := reply.members(); len(list) > 0 {
			sorted.By(list, func(a, b configuredMember) int { return int(a.id - b.id) })
			return list
		}
	}
	return nil
}

func sameAddr(a, b string) bool {
	if a == b {
		return true
	}
	ha, pa, _ := net.SplitHostPort(a)
	hb, pb, _ := net.SplitHostPort(b)
	return pa == pb && sameHost(ha, hb)
}

// sameHost compares hosts as they are written; localhost is 127.0.0.1.
func sameHost(a, b string) bool {
	plain := func(h string) string {
		h = strings.ToLower(strings.TrimSuffix(h, "."))
		if ip := net.ParseIP(h); ip != nil {
			return ip.String()
		}
		if h == "localhost" {
			return "127.0.0.1"
		}
		return h
	}
	return plain(a) == plain(b)
}
