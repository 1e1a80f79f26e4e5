package survey

import (
	"cmp"
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// standing looks a claim's session up. A session is only said to be absent when the servers were asked
// after the claim was first seen.
func (d *Decoder) standing(c *model.Claim) model.Presence {
	if d.Snap.Sessions == nil || c.Session == 0 {
		return model.Unasked
	}
	s, ok := d.Snap.Sessions[c.Session]
	switch {
	case !ok && d.answered && c.AskedSince:
		return model.Absent
	case !ok || s.Connected == nil:
		return model.Unasked
	case *s.Connected:
		return model.Connected
	}
	return model.Away
}

// CheckOwners checks the sessions behind the claims: an owner without a connection keeps its place until its
// session expires.
func (v *Builder) CheckOwners() {
	var gone, lost, silent []*model.Claim
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		s := v.standing(c)
		if s == model.Connected && v.Snap.Silent(v.Snap.Sessions[c.Session], v.heard) {
			silent = append(silent, c)
		}
		if s != model.Away && s != model.Absent {
			continue
		}
		v.Volatile = true
		switch newer, ok := v.successor(c); {
		case ok:
			v.restarted(c, newer)
		case s == model.Away:
			gone = append(gone, c)
		default:
			lost = append(lost, c)
		}
	}
	if len(gone) > 0 {
		v.AddFinding(model.CodeOwnerDisconnected, v.Blocking(gone), v.disconnected(gone), gone...)
	}
	if len(silent) > 0 {
		v.AddFinding(model.CodeOwnerSilent, v.Blocking(silent), v.silence(silent), silent...)
	}
	if len(lost) > 0 {
		text := "no server has a session of " + model.Names(lost) + ": it has expired or is about to, yet " +
			say.Choose(len(lost), "its znode is still there", "their znodes are still there")
		v.AddFinding(model.CodeOrphanEphemeral, v.Blocking(lost), text, lost...)
	}
}

// Blocking is high when one of the claims holds while others wait, stand by or are led.
func (v *Builder) Blocking(claims []*model.Claim) model.Severity {
	h := v.Model.Detail().Heirs
	waited := len(v.Model.Claims) > 1 || h != nil && len(h.By)+len(h.Led) > 0
	if waited && slices.ContainsFunc(claims, func(c *model.Claim) bool { return model.Holding(c.Role()) }) {
		return model.High
	}
	return model.Medium
}

func (v *Builder) disconnected(claims []*model.Claim) string {
	if len(claims) > 1 {
		return say.Plural(len(claims), "owner has", "owners have") + " no connection: " + model.Names(claims)
	}
	c := claims[0]
	text := say.Printable(c.Owner()) + " (" + string(c.Role()) + ") has no connection"
	return text + v.expiry(c)
}

// expiry says until when a session without a connection lasts, as far as servers tell.
func (d *Decoder) expiry(c *model.Claim) string {
	s := d.Snap.Sessions[c.Session]
	switch {
	case !s.ExpiresAt.IsZero():
		return "; its session expires at " + s.ExpiresAt.UTC().Format("15:04:05") + " UTC unless it comes back"
	case s.Timeout > 0:
		return "; its session expires " + say.Age(s.Timeout) + " after it was last heard"
	}
	return ""
}

func (v *Builder) restarted(c *model.Claim, newer znode.SessionID) {
	v.AddFinding(model.CodeOwnerRestarted, v.Blocking([]*model.Claim{c}),
		say.Printable(c.Owner())+" ("+string(c.Role())+
			") is owned by session "+
			c.Session.String()+", which has no connection; the same address has session "+newer.String()+
			" now: probably a restart"+v.expiry(c), c)
	f := &v.Model.Findings[len(v.Model.Findings)-1]
	f.Sessions = append(f.Sessions, newer)
}

// successor finds a newer session with a connection from the client's address, if there is exactly one:
// with several, none can be said to be the restarted process.
func (v *Builder) successor(c *model.Claim) (znode.SessionID, bool) {
	where := model.Host(c.Addr)
	if where == "" && layout.IsAddress(c.Owner()) {
		where = c.Owner()
	}
	if where == "" {
		return 0, false
	}
	return onlyNewer(v.sessionsAt(where), c.Session)
}

// onlyNewer finds the one of the ids, which are in order, that is newer than another, or given out by another server,
// where there is exactly one. Where thousands of clients share an address each of thousands of claims asks.
func onlyNewer(ids []znode.SessionID, than znode.SessionID) (znode.SessionID, bool) {
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

func orderID(id znode.SessionID, than uint64) int { return cmp.Compare(uint64(id), than) }

// sessionsAt returns the sessions that have a connection from a host, in the order of their ids.
func (d *Decoder) sessionsAt(where string) []znode.SessionID {
	if d.byHost == nil {
		d.byHost = make(map[string][]znode.SessionID)
		for id, s := range d.Snap.Sessions {
			if s.Addr != "" && s.Connected != nil && *s.Connected {
				h := model.Host(s.Addr)
				d.byHost[h] = append(d.byHost[h], id)
			}
		}
		for _, ids := range d.byHost {
			slices.SortFunc(ids, func(a, b znode.SessionID) int { return orderID(a, uint64(b)) })
		}
	}
	return d.byHost[where]
}

// lostSession reports whether a session is known to be gone.
func (d *Decoder) lostSession(id znode.SessionID) bool {
	if d.Snap.Sessions == nil || !d.answered || id == 0 {
		return false
	}
	_, alive := d.Snap.Sessions[id]
	return !alive
}

// silence says in words since when owners were not heard, and until when that can last.
func (v *Builder) silence(claims []*model.Claim) string {
	if len(claims) > 1 {
		return say.Plural(len(claims), "owner is", "owners are") +
			" connected and not heard for more than half of the session timeout: " + model.Names(claims) +
			"; the clients may hang"
	}
	c := claims[0]
	s := v.Snap.Sessions[c.Session]
	return say.Printable(c.Owner()) + " (" + string(c.Role()) + ") is connected and not heard since " +
		say.Clock(s.ExpiresAt.Add(-s.Timeout)) +
		" UTC: its client may hang; its session expires at " + say.Clock(s.ExpiresAt) + " UTC unless it is heard"
}
