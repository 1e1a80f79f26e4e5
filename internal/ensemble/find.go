package ensemble

import (
	"context"
	"net"
	"slices"
	"strings"
	"time"
)

// find lists the addresses to ask: those that the user named, those that the ensemble's own configuration names, and,
// where that names hosts without client ports, these hosts at the user's ports. It looks again after a while, for
// members that were added or came back.
func (e *Ensemble) find(ctx context.Context) {
	now := e.cfg.Now()
	if e.doors != nil && (now.Sub(e.found) < retryAfter || e.allUp()) {
		return
	}
	e.found = now
	if e.cfg.Members != nil {
		ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
		raw, err := e.cfg.Members(ctx)
		cancel()
		if list := parseConfig(string(raw)); err == nil && len(list) > 0 {
			e.entries = list
		}
	}
	doors := e.doors
	e.doors = nil
	for _, addr := range e.cfg.Servers {
		e.addDoor(doors, addr)
	}
	if !off(e.cfg.Words) {
		for _, addr := range e.cfg.Words {
			e.addDoor(doors, addr)
		}
	}
	e.addEntries(doors)
}

func (e *Ensemble) allUp() bool {
	return len(e.missing) == 0 && !slices.ContainsFunc(e.doors, func(d *door) bool { return !d.up })
}

// addEntries adds the addresses that the members' list leads to.
func (e *Ensemble) addEntries(old []*door) (added []*door) {
	for i := range e.entries {
		n := &e.entries[i]
		if n.client != "" {
			if d, fresh := e.addDoor(old, n.client); fresh {
				d.guessed = true
				added = append(added, d)
			}
			continue
		}
		for _, s := range e.cfg.Servers {
			_, port, err := net.SplitHostPort(s)
			if err != nil {
				continue
			}
			if d, fresh := e.addDoor(old, net.JoinHostPort(n.host, port)); fresh {
				d.guessed = true
				added = append(added, d)
			}
		}
	}
	return added
}

// addDoor adds an address unless it is there already, with what is remembered of it.
func (e *Ensemble) addDoor(old []*door, addr string) (d *door, fresh bool) {
	for _, d := range e.doors {
		if sameAddr(d.addr, addr) {
			return d, false
		}
	}
	for _, d := range old {
		if d.addr == addr {
			e.doors = append(e.doors, d)
			return d, true
		}
	}
	d = &door{addr: addr, words: addr, shut: map[string]time.Time{}, lengths: map[string]int{}}
	if off(e.cfg.Words) {
		d.words = ""
	}
	e.doors = append(e.doors, d)
	return d, true
}

// identify finds out which address is which member, and lets go of addresses that are another name of one. Where
// the list of members only became known by asking, the others are asked now.
func (e *Ensemble) identify(ctx context.Context, w Want) {
	if e.entries == nil {
		e.entries = e.entriesBySay(ctx)
		if added := e.addEntries(nil); len(added) > 0 {
			e.round(ctx, added, w)
		}
	}
	if e.entries == nil {
		return
	}
	place := make([]*door, len(e.entries))
	var rest []*door
	for _, d := range e.doors {
		i := e.entryOf(d)
		switch {
		case i < 0:
			rest = append(rest, d)
		case place[i] == nil || !place[i].up && d.up:
			place[i] = d
		}
	}
	for i := range place {
		if place[i] == nil {
			place[i] = e.onHost(&rest, e.entries[i].host)
		}
	}
	if !slices.ContainsFunc(place, func(d *door) bool { return d != nil && d.up }) {
		pair(place, rest)
	}
	pairSilent(place, rest)
	e.missing, e.doors = nil, nil
	for i, d := range place {
		if d == nil {
			e.missing = append(e.missing, e.entries[i])
			continue
		}
		d.entry = &e.entries[i]
		e.doors = append(e.doors, d)
	}
}

// pair takes the addresses that the user named and that answer for members that are known under names that lead
// nowhere from here. Which is which is not known.
func pair(place, rest []*door) {
	for _, d := range rest {
		if i := slices.IndexFunc(place, func(p *door) bool { return p == nil || !p.up }); i >= 0 && d.up && !d.guessed {
			place[i] = d
		}
	}
}

// pairSilent takes the addresses that the user named and that do not answer for the members that nothing leads to, where
// there are as many of both: they are known under other names.
func pairSilent(place, rest []*door) {
	rest = slices.DeleteFunc(slices.Clone(rest), func(d *door) bool { return d.up || d.guessed || slices.Contains(place, d) })
	empty := 0
	for _, d := range place {
		if d == nil {
			empty++
		}
	}
	if empty != len(rest) {
		return
	}
	for i := range place {
		if place[i] == nil {
			place[i], rest = rest[0], rest[1:]
		}
	}
}

// entryOf finds the member that an address leads to: by the id that it told, else by the address; -1 when neither
// tells.
func (e *Ensemble) entryOf(d *door) int {
	if d.conf != nil && d.conf.id > 0 {
		return slices.IndexFunc(e.entries, func(n entry) bool { return n.id == d.conf.id })
	}
	return slices.IndexFunc(e.entries, func(n entry) bool { return n.client != "" && sameAddr(n.client, d.addr) })
}

// onHost takes an address on a member's host that told no id, for a member whose address is not known: one that
// answers, where no other member is on that host, or one that the user named and that does not answer.
func (e *Ensemble) onHost(rest *[]*door, host string) *door {
	alone := 0
	for _, n := range e.entries {
		if sameHost(n.host, host) {
			alone++
		}
	}
	for i, d := range *rest {
		h, _, _ := net.SplitHostPort(d.addr)
		if sameHost(h, host) && d.conf == nil && (alone == 1 && (d.up || !d.guessed) || !d.up && !d.guessed) {
			*rest = slices.Delete(*rest, i, i+1)
			return d
		}
	}
	return nil
}

// entriesBySay takes the list of members from what a member says of its ensemble.
func (e *Ensemble) entriesBySay(ctx context.Context) []entry {
	for _, d := range e.doors {
		if d.conf != nil && len(d.conf.quorum) > 0 {
			return d.conf.quorum
		}
	}
	for _, d := range e.doors {
		if d.admin == "" || d.srvr != nil && d.srvr.mode == "standalone" {
			continue
		}
		var reply votingReply
		if _, err := e.command(ctx, d.admin, cmdVotingView, &reply); err != nil {
			continue
		}
		if list := reply.entries(); len(list) > 0 {
			slices.SortFunc(list, func(a, b entry) int { return int(a.id - b.id) })
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
