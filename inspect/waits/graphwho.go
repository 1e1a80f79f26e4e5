package waits

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Stake is a claim of a session, with the recipe that it is in.
type Stake struct {
	Model *model.Model
	Claim *model.Claim
}

// Identity is everything that is known of one session.
type Identity struct {
	ID      znode.SessionID
	Name    string        // the most telling name that any of its znodes carries, else its address, else its id
	Known   bool          // a server was asked and has it
	Session znode.Session // what the servers tell of it
	Claims  []Stake       // holders, waiters, items, memberships, votes: in the order of the recipes
	Other   []string      // paths of its ephemeral znodes that are no claim of a recipe
	Watches []string      // what it watches, sorted; nil: not known
}

// nameRank ranks a claim's name: a name that somebody chose says more than an address, and both more than ids.
func nameRank(c *model.Claim) int {
	switch {
	case c.OwnerSource() == model.FromData && !layout.IsAddress(c.Owner()) && !layout.HasPort([]byte(c.Owner())):
		return 4
	case c.OwnerSource() == model.FromData && layout.HasPort([]byte(c.Owner())):
		return 3
	case c.OwnerSource() == model.FromAddress:
		return 2
	case c.OwnerSource() == model.FromData:
		return 1
	}
	return 0
}

// Labels names every session that has a claim by the most telling name that any of its znodes carries. Among equally
// telling ones the name that it uses most often counts, then the first in the alphabet.
func Labels(r *model.Result) map[znode.SessionID]string {
	type vote struct{ rank, times int }
	type who struct {
		id   znode.SessionID
		name string
	}
	votes := map[who]*vote{}
	for m := range r.Models.All() {
		for i := range m.Claims {
			c := &m.Claims[i]
			rank := nameRank(c)
			if c.Session == 0 || rank == 0 {
				continue
			}
			key := who{c.Session, c.Owner()}
			v := votes[key]
			if v == nil {
				v = new(vote)
				votes[key] = v
			}
			v.rank, v.times = max(v.rank, rank), v.times+1
		}
	}
	out, top := make(map[znode.SessionID]string, len(r.Snapshot.Sessions)), map[znode.SessionID]*vote{}
	for w, v := range votes {
		best := top[w.id]
		if best == nil || v.rank > best.rank || v.rank == best.rank &&
			(v.times > best.times || v.times == best.times && w.name < out[w.id]) {
			out[w.id], top[w.id] = w.name, v
		}
	}
	for id, s := range r.Snapshot.Sessions {
		if out[id] == "" && s.Addr != "" {
			out[id] = s.Addr
		}
	}
	return out
}

// Who collects everything about one session: one walk over the tree.
func Who(r *model.Result, id znode.SessionID) *Identity { return WhoAll(r, []znode.SessionID{id})[0] }

// WhoAll collects everything about sessions, in the order given, in one walk over the tree for all of them.
func WhoAll(r *model.Result, ids []znode.SessionID) []*Identity {
	names := Labels(r)
	out := make([]*Identity, len(ids))
	by := make(map[znode.SessionID]*Identity, len(ids))
	for i, id := range ids {
		who := &Identity{ID: id, Name: names[id]}
		if who.Name == "" {
			who.Name = id.String()
		}
		who.Session, who.Known = r.Snapshot.Sessions[id]
		out[i], by[id] = who, who
	}
	delete(by, 0)
	claimed := map[*znode.Node]bool{}
	for m := range r.Models.All() {
		for i := range m.Claims {
			c := &m.Claims[i]
			if who := by[c.Session]; who != nil {
				who.Claims = append(who.Claims, Stake{m, c})
				claimed[c.Znode()] = true
			}
		}
	}
	znode.EachEphemeral(r.Snapshot, func(dir string, n *znode.Node) {
		if who := by[n.Owner]; who != nil && !claimed[n] {
			who.Other = append(who.Other, r.Snapshot.PathIn(dir, n))
		}
	})
	if r.Snapshot.Watches == nil {
		return out
	}
	for _, who := range by {
		who.Watches = []string{}
	}
	for path, watchers := range r.Snapshot.Watches {
		for _, id := range watchers {
			if who := by[id]; who != nil {
				who.Watches = append(who.Watches, path)
			}
		}
	}
	for _, who := range by {
		slices.Sort(who.Watches)
	}
	return out
}

// SessionsFor finds the sessions that a text means: an id in any spelling, a client's address with or without port, or
// the name of an owner. addrs are further addresses that the text stands for, as a name service tells them.
func SessionsFor(r *model.Result, text string, addrs ...string) (out []znode.SessionID) {
	found := map[znode.SessionID]bool{}
	if id, ok := znode.ParseSessionID(text); ok && id != 0 && !strings.Contains(text, ".") && r.HasSession(id) {
		found[id] = true
	}
	match := func(addr string) bool {
		return addr != "" && (addr == text || model.Host(addr) == strings.Trim(text, "[]") ||
			slices.Contains(addrs, model.Host(addr)))
	}
	for id, s := range r.Snapshot.Sessions {
		if match(s.Addr) {
			found[id] = true
		}
	}
	for m := range r.Models.All() {
		for i := range m.Claims {
			c := &m.Claims[i]
			named := c.OwnerSource() == model.FromData &&
				(c.Owner() == text || match(c.Owner()) || hostLike(c.Owner(), text))
			if c.Session != 0 && (named || match(c.Addr)) {
				found[c.Session] = true
			}
		}
	}
	for id := range found {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// hostLike reports whether a name is host:port or host-pid of a host.
func hostLike(name, host string) bool {
	rest, ok := strings.CutPrefix(name, host)
	if !ok || host == "" || len(rest) < 2 || rest[0] != ':' && rest[0] != '-' {
		return false
	}
	return strings.IndexFunc(rest[1:], func(r rune) bool { return r < '0' || r > '9' }) < 0
}
