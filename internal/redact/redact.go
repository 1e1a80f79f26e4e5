// Package redact takes out of a picture what its owner does not want to share: what znodes hold, where clients and servers
// are, what participants are called. Sessions, numbers, times and the structure stay, so that it is decoded as it was.
package redact

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// What says what is taken out. Each part leaves alone what another stands for: an address that is a participant's name goes
// with the addresses.
type What struct {
	Data      bool // letters and digits of what znodes hold, but for the words, numbers and times that recipes speak with
	Addresses bool // IP addresses and the hosts of host:port, wherever they stand, and host names in data; ports stay
	Names     bool // of participants, in data, and where they are the name of an ephemeral znode
}

// Words are how the parts are called, in the order of What.
var Words = []string{"data", "addresses", "names"}

// Parse reads a list of [Words].
func Parse(list []string) (What, error) {
	var w What
	for _, word := range list {
		switch word {
		case "data":
			w.Data = true
		case "addresses":
			w.Addresses = true
		case "names":
			w.Names = true
		default:
			return w, fmt.Errorf("%q is none of %s", word, strings.Join(Words, ", "))
		}
	}
	return w, nil
}

// Redactor makes shareable pictures of the pictures of one run: what is the same in two of them has the same pseudonym. It is
// for one goroutine.
type Redactor struct {
	hints model.Hints
	what  What
	last  *model.Result               // of the picture before, as it is
	names book                        // participants
	hosts book                        // hosts, by the name without a port
	done  map[*znode.Node]*znode.Node // what nodes of earlier pictures became
	whole int                         // how many of them a whole tree had
}

// New makes a redactor. Hints say what stands where, as for decoding.
func New(w What, h model.Hints) *Redactor {
	return &Redactor{what: w, hints: h, names: newBook("name"), hosts: newBook("host")}
}

// Snapshot returns a picture without what is to be taken out. The one that is given is not changed. It takes time and memory in
// proportion to what changed since the one before, or to the whole tree where a participant is new.
func (r *Redactor) Snapshot(s *znode.Snapshot) *znode.Snapshot {
	known := r.names.len() + r.hosts.len()
	r.learn(s)
	if r.names.len()+r.hosts.len() != known {
		r.done = nil // what was written of it before may hold the new name
	}
	if r.done == nil || len(r.done) > 2*r.whole+1000 { // mostly nodes that are no more
		r.done = make(map[*znode.Node]*znode.Node, r.whole)
		r.node(s.Root)
		r.whole = len(r.done)
	}
	out := *s
	out.Root = r.node(s.Root)
	out.Base = r.path(s, s.Base)
	out.Partial = each(s.Partial, r.text)
	out.Missing = each(s.Missing, func(p string) string { return r.path(s, p) })
	out.Lacks, out.Ephemerals = r.text(s.Lacks), nil // no file holds the latter
	out.Servers = each(s.Servers, func(sv znode.Server) znode.Server {
		sv.Addr = r.text(sv.Addr)
		return sv
	})
	if s.Sessions != nil {
		out.Sessions = make(map[znode.SessionID]znode.Session, len(s.Sessions))
		for id, x := range s.Sessions {
			x.Addr, x.Server = r.text(x.Addr), r.text(x.Server)
			out.Sessions[id] = x
		}
	}
	if s.Watches != nil {
		out.Watches = make(map[string][]znode.SessionID, len(s.Watches))
		for path, ids := range s.Watches {
			out.Watches[r.path(s, path)] = ids
		}
	}
	return &out
}

// each is a list with everything in it changed; nil stays nil.
func each[T any](list []T, change func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = change(v)
	}
	return out
}

// learn notes what participants of a picture are called, and where they and the servers are.
func (r *Redactor) learn(s *znode.Snapshot) {
	for _, sv := range s.Servers {
		r.hosts.add(host(sv.Addr))
	}
	for _, id := range slices.Sorted(maps.Keys(s.Sessions)) { // in order, so that the same picture is the same again
		x := s.Sessions[id]
		r.hosts.add(host(x.Addr))
		r.hosts.add(host(x.Server))
	}
	was := r.last
	r.last = inspect.Decode(s, was, r.hints)
	for m := range r.last.Models.All() {
		if was != nil && was.ByPath(m.Path) == m {
			continue
		}
		for i := range m.Claims {
			r.learnClaim(&m.Claims[i])
		}
	}
}

func (r *Redactor) learnClaim(c *model.Claim) {
	name := c.Owner()
	switch c.OwnerSource() {
	case model.FromData:
	case model.FromNode:
		if c.Session == 0 || c.HasSeq || c.Role() == model.Vote {
			return
		}
	default:
		return
	}
	for _, half := range strings.Split(name, "@") { // a process of a host, as many write it
		r.learnName(half)
	}
}

// placed is a host with a port, as some systems join them.
var placed = regexp.MustCompile(`^([^,]+),\d+,\d+$|^([^_,]+)_\d{2,5}$`)

func (r *Redactor) learnName(name string) {
	if strings.Contains(name, "://") || slices.Contains(spoken(), name) {
		return // the host of a URL goes with the addresses
	}
	if m := placed.FindStringSubmatch(name); m != nil {
		name = m[1] + m[2] + ":1"
	}
	if found := spans(name, addresses); len(found) > 0 || isIP(name) {
		if len(found) == 0 {
			r.hosts.add(name)
		}
		for _, s := range found {
			r.hosts.add(strings.Trim(host(name[s[0]:s[1]]), "[]"))
		}
		return
	}
	who, _ := stem(name)
	r.names.add(who)
}

// stem is a name without the number of a process or an instance behind it.
func stem(name string) (who, number string) {
	at := strings.LastIndexByte(name, '-')
	if at <= 0 || !digits(name[at+1:]) || len(name)-at > 8 || layout.IsUUID(name) {
		return name, ""
	}
	return name[:at], name[at:]
}

// host is an address without its port; the text itself where it has none.
func host(addr string) string {
	at := strings.LastIndexByte(addr, ':')
	if at <= 0 || isIP(addr) || !digits(addr[at+1:]) || len(addr)-at > 6 {
		return addr
	}
	return strings.Trim(addr[:at], "[]")
}

func isIP(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
