package inspect

import (
	"cmp"
	"slices"
	"strings"
)

// standing is what is known of the session behind a claim.
type standing uint8

const (
	unasked   standing = iota // nothing
	connected                 // it has a connection
	away                      // a server knows it, and it has no connection
	absent                    // every server answered, and none has it
)

// standing looks a claim's session up. A session is only said to be absent when the servers were asked
// after the claim was first seen.
func (d *decoder) standing(c *Claim) standing {
	if d.snap.Sessions == nil || c.Session == 0 {
		return unasked
	}
	s, ok := d.snap.Sessions[c.Session]
	switch {
	case !ok && d.answered && c.settled:
		return absent
	case !ok || s.Connected == nil:
		return unasked
	case *s.Connected:
		return connected
	}
	return away
}

// owners checks the sessions behind the claims: an owner without a connection keeps its place until its
// session expires.
func (v *builder) owners() {
	var gone, lost, silent []*Claim
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		s := v.standing(c)
		if s == connected && v.snap.silent(v.snap.Sessions[c.Session], v.heard) {
			silent = append(silent, c)
		}
		if s != away && s != absent {
			continue
		}
		v.volatile = true
		switch newer, ok := v.successor(c); {
		case ok:
			v.restarted(c, newer)
		case s == away:
			gone = append(gone, c)
		default:
			lost = append(lost, c)
		}
	}
	if len(gone) > 0 {
		v.add(CodeOwnerDisconnected, v.blocking(gone), v.disconnected(gone), gone...)
	}
	if len(silent) > 0 {
		v.add(CodeOwnerSilent, v.blocking(silent), v.silence(silent), silent...)
	}
	if len(lost) > 0 {
		text := "no server has a session of " + names(lost) + ": it has expired or is about to, yet " +
			choose(len(lost), "its znode stands", "their znodes stand")
		v.add(CodeOrphanEphemeral, v.blocking(lost), text, lost...)
	}
}

// blocking is high when one of the claims holds while others wait, stand by or are led.
func (v *builder) blocking(claims []*Claim) Severity {
	h := v.model.detail().heirs
	waited := len(v.model.Claims) > 1 || h != nil && len(h.by)+len(h.led) > 0
	if waited && slices.ContainsFunc(claims, func(c *Claim) bool { return holding(c.Role()) }) {
		return High
	}
	return Medium
}

func (v *builder) disconnected(claims []*Claim) string {
	if len(claims) > 1 {
		return plural(len(claims), "owner has", "owners have") + " no connection: " + names(claims)
	}
	c := claims[0]
	text := Printable(c.Owner()) + " (" + string(c.Role()) + ") has no connection"
	return text + v.expiry(c)
}

// expiry says until when a session without a connection lasts, as far as servers tell.
func (d *decoder) expiry(c *Claim) string {
	s := d.snap.Sessions[c.Session]
	switch {
	case !s.ExpiresAt.IsZero():
		return "; its session expires at " + s.ExpiresAt.UTC().Format("15:04:05") + " UTC unless it comes back"
	case s.Timeout > 0:
		return "; its session expires " + Age(s.Timeout) + " after it was last heard"
	}
	return ""
}

func (v *builder) restarted(c *Claim, newer SessionID) {
	v.add(CodeOwnerRestarted, v.blocking([]*Claim{c}), Printable(c.Owner())+" ("+string(c.Role())+") is owned by session "+
		c.Session.String()+", which has no connection; the same address has session "+newer.String()+
		" now: probably a restart"+v.expiry(c), c)
	f := &v.model.Findings[len(v.model.Findings)-1]
	f.Sessions = append(f.Sessions, newer)
}

// successor finds a newer session with a connection from the client's address, if there is exactly one:
// with several, none can be said to be the restarted process.
func (v *builder) successor(c *Claim) (SessionID, bool) {
	where := host(c.Addr)
	if where == "" && bareAddress(c.Owner()) {
		where = c.Owner()
	}
	if where == "" {
		return 0, false
	}
	return onlyNewer(v.sessionsAt(where), c.Session)
}

// onlyNewer finds the one of the ids, which are in order, that is newer than another, or given out by another server, where
// there is exactly one. Where thousands of clients share an address each of thousands of claims asks.
func onlyNewer(ids []SessionID, than SessionID) (SessionID, bool) {
	const server = 56 // the bits above tell which server gave an id out
	from, _ := slices.BinarySearchFunc(ids, uint64(than)>>server<<server, orderID)
	to, there := slices.BinarySearchFunc(ids, uint64(than), orderID)
	if there {
		to++
	}
	switch older := to - from; {
	case len(ids)-older != 1:
		return 0, false
	case from == 1:
		return ids[0], true
	}
	return ids[to], true
}

func orderID(id SessionID, than uint64) int { return cmp.Compare(uint64(id), than) }

// sessionsAt returns the sessions that have a connection from a host, in the order of their ids.
func (d *decoder) sessionsAt(where string) []SessionID {
	if d.byHost == nil {
		d.byHost = make(map[string][]SessionID)
		for id, s := range d.snap.Sessions {
			if s.Addr != "" && s.Connected != nil && *s.Connected {
				h := host(s.Addr)
				d.byHost[h] = append(d.byHost[h], id)
			}
		}
		for _, ids := range d.byHost {
			slices.SortFunc(ids, func(a, b SessionID) int { return orderID(a, uint64(b)) })
		}
	}
	return d.byHost[where]
}

// host returns an address without its port.
func host(addr string) string {
	if i := strings.LastIndexByte(addr, ':'); i > 0 {
		return strings.Trim(addr[:i], "[]")
	}
	return addr
}

func choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
