package ensemble

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// merge makes a picture of the last answers.
func (e *Ensemble) merge() *Picture {
	p := &Picture{Began: e.began, At: e.cfg.Now(), WholeWatches: true, WholeConns: true, doubt: map[znode.SessionID]bool{}}
	self, _, heard := e.self()
	for _, d := range e.doors {
		d.clockOfDump()
		p.Members = append(p.Members, d.member(e))
		p.silent = p.silent || d.silent == 1 || d.idle == 1
		p.WholeConns = p.WholeConns && d.hasConns
		p.WholeWatches = p.WholeWatches && d.listed
		e.mergeWatches(p, d)
	}
	for path, ids := range p.Watches { // one path may be watched by all clients that there are
		slices.SortFunc(ids, func(a, b znode.SessionID) int { return cmp.Compare(uint64(a), uint64(b)) })
		p.Watches[path] = slices.Compact(ids)
	}
	e.mergeAllOwners(p)
	p.Listed = e.entries != nil
	for _, n := range e.missing {
		p.Members = append(p.Members, unknownMember(n))
		p.WholeConns, p.WholeWatches = false, false
	}
	e.mergeTrackers(p, self, heard)
	e.mergeConnections(p)
	p.unsure = slices.Clone(e.owned.unsure)
	return p
}

func (e *Ensemble) mergeWatches(p *Picture, d *door) {
	if d.watches == nil {
		return
	}
	if p.Watches == nil {
		p.Watches = map[string][]znode.SessionID{}
	}
	for path, ids := range d.watches {
		if path, ok := e.below(path); ok {
			p.Watches[path] = append(p.Watches[path], ids...)
		}
	}
}

// below turns a server's path into one below the chroot.
func (e *Ensemble) below(path string) (string, bool) {
	if e.cfg.Chroot == "" || e.cfg.Chroot == "/" {
		return path, true
	}
	rest, ok := znode.Relative(e.cfg.Chroot, path)
	return "/" + rest, ok
}

func (e *Ensemble) mergeOwners(p *Picture, d *door) {
	if d.dump == nil || d.dump.owners == nil {
		return
	}
	if p.Ephemerals == nil {
		p.Ephemerals = map[znode.SessionID][]string{}
	}
	for id, paths := range d.dump.owners {
		for _, path := range paths {
			if path, ok := e.below(path); ok {
				p.Ephemerals[id] = append(p.Ephemerals[id], path)
			}
		}
		if _, known := p.Ephemerals[id]; !known {
			p.Ephemerals[id] = nil
		}
		slices.Sort(p.Ephemerals[id])
		p.Ephemerals[id] = slices.Compact(p.Ephemerals[id]) // every member lists them all
	}
}

// mergeTrackers takes the sessions from the trackers. A leader or a server that stands alone knows all and until when
// they last; a follower knows which there are.
func (e *Ensemble) mergeTrackers(p *Picture, self znode.SessionID, heard time.Time) {
	for _, d := range e.doors {
		if d.dump == nil || d.dump.sessions == nil {
			continue
		}
		p.tracked = p.tracked || d.dump.whole
		if p.Sessions == nil {
			p.Sessions = map[znode.SessionID]znode.Session{}
		}
		for id, t := range d.dump.sessions {
			s := p.Sessions[id]
			s.ID = id
			if t.timeout > 0 {
				s.Timeout = t.timeout
			}
			if at, within := d.expiry(t, self, heard); !at.IsZero() {
				s.ExpiresAt, s.Within = at, within
			}
			p.Sessions[id] = s
		}
	}
}

// mergeConnections says who is connected where, and, where every member told, who is not connected at all.
func (e *Ensemble) mergeConnections(p *Picture) {
	yes, no := true, false
	tracked := map[znode.SessionID]bool{}
	for id, s := range p.Sessions {
		tracked[id] = !s.ExpiresAt.IsZero()
	}
	made := make(map[madeBy]madeAt, len(e.made))
	defer func() { e.made = made }()
	for _, d := range e.doors {
		if len(d.conns) == 0 && !d.hasConns {
			continue
		}
		if p.Sessions == nil {
			p.Sessions = map[znode.SessionID]znode.Session{}
		}
		for _, c := range d.conns {
			s, since := p.Sessions[c.session], e.madeAt(d, c, made)
			if s.Connected != nil && s.Since.After(since) {
				continue // the client has moved on: that member has not noticed yet
			}
			s.ID, s.Addr, s.Server, s.Connected, s.Since = c.session, c.addr, d.addr, &yes, since
			if c.timeout > 0 {
				s.Timeout = c.timeout
			}
			if !tracked[c.session] {
				s.ExpiresAt, s.Within = d.lastsUntil(c, p.At)
			}
			p.Sessions[c.session] = s
		}
	}
	if p.Sessions == nil {
		return
	}
	for id := range p.Ephemerals {
		if _, known := p.Sessions[id]; known {
			continue
		}
		if p.tracked && p.WholeConns {
			p.doubt[id] = true // it owns a znode, and no tracker has it
			continue
		}
		p.Sessions[id] = znode.Session{ID: id}
	}
	if !p.WholeConns {
		return
	}
	for id, s := range p.Sessions {
		if s.Connected == nil {
			s.Connected = &no
			e.recall(id, &s)
			p.Sessions[id], p.doubt[id] = s, true
		}
	}
}

// recall adds what was known of a session while it was connected: from where, and its timeout.
func (e *Ensemble) recall(id znode.SessionID, s *znode.Session) {
	if e.before == nil {
		return
	}
	was := e.before.Sessions[id]
	s.Addr = was.Addr
	if s.Timeout == 0 {
		s.Timeout = was.Timeout
	}
}

// owned is what the members' accounts of who owns which ephemeral znodes came to.
type owned struct {
	from   []account
	all    map[znode.SessionID][]string
	unsure []Disagreement
}

// account is what one member told; rounds share the map while nothing in it changes.
type account struct {
	addr   string
	whole  bool
	owners map[znode.SessionID][]string
}

func (a account) same(b account) bool {
	return a.addr == b.addr && a.whole == b.whole && reflect.ValueOf(a.owners).Pointer() == reflect.ValueOf(b.owners).Pointer()
}

// mergeAllOwners merges who owns which ephemeral znodes, unless all members tell what they told in the round before.
func (e *Ensemble) mergeAllOwners(p *Picture) {
	var from []account
	for _, d := range e.doors {
		if d.dump != nil {
			from = append(from, account{d.addr, d.dump.whole, d.dump.owners})
		}
	}
	if !slices.EqualFunc(from, e.owned.from, account.same) {
		for _, d := range e.doors {
			e.mergeOwners(p, d)
		}
		e.owned = owned{from: from, all: p.Ephemerals, unsure: e.disagreements()}
	}
	p.Ephemerals = e.owned.all
}

// disagreements finds ephemeral znodes that some members list and others do not.
func (e *Ensemble) disagreements() (unsure []Disagreement) {
	var told []*door
	for _, d := range e.doors {
		if d.dump != nil && d.dump.owners != nil && d.dump.whole {
			told = append(told, d)
		}
	}
	if len(told) < 2 {
		return nil
	}
	type zn struct { // the same path of another session is another znode
		path  string
		owner znode.SessionID
	}
	has := map[zn][]string{}
	for _, d := range told {
		for id, paths := range d.dump.owners {
			for _, path := range paths {
				has[zn{path, id}] = append(has[zn{path, id}], d.addr)
			}
		}
	}
	for z, on := range has {
		below, ok := e.below(z.path)
		if len(on) == len(told) || !ok {
			continue
		}
		one := Disagreement{Path: below, Owner: z.owner, On: on, rounds: 1}
		for _, d := range told {
			if !slices.Contains(on, d.addr) {
				one.Off = append(one.Off, d.addr)
			}
		}
		unsure = append(unsure, one)
	}
	slices.SortFunc(unsure, func(a, b Disagreement) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(uint64(a.Owner), uint64(b.Owner)))
	})
	return unsure
}

// unknownMember is one of which no client address is known.
func unknownMember(n entry) Member {
	return Member{Addr: n.host, ID: n.id, Role: n.role, Tier: TierNone, Nodes: -1, Conns: -1, Waiting: -1, Watching: -1,
		Err: "its client port is not known: the configuration is static and none of the ports given leads to it; name its address among the servers or with --4lw"}
}

// member describes one member.
func (d *door) member(e *Ensemble) Member {
	m := Member{Addr: d.addr, Up: d.up, Down: d.silent > 1, Idle: d.idle > 1, Admin: d.admin, Tier: TierNone, Connections: d.hasConns, Watches: d.listed, Clock: d.clock,
		Buffer: d.buffer, Nodes: -1, Conns: -1, Waiting: -1, Watching: -1}
	if d.entry != nil {
		m.ID, m.Role = d.entry.id, d.entry.role
	}
	if d.hasConns {
		m.Tier = Tier(d.connsBy)
	}
	if d.dump != nil {
		m.Sessions, m.Ephemerals = d.dump.sessions != nil && d.dump.whole, d.dump.owners != nil && d.dump.whole
	}
	if h := d.srvr; h != nil {
		m.Version, m.Mode, m.Latency, m.Zxid = h.version, h.mode, h.latency, h.zxid
		m.Nodes, m.Conns, m.Waiting = h.nodes, h.conns, h.outstanding
	}
	if s := d.conf; s != nil {
		m.Tick, m.Shortest, m.Longest = s.tick, s.least, s.most
	}
	if d.sum != nil {
		m.Watching = d.sum.total
	}
	switch {
	case !d.up && d.err != nil:
		m.Err = oneLine(d.err)
	case d.err != nil && errors.Is(d.err, errIdle):
		m.Err = oneLine(errIdle)
	}
	m.Advice = d.advice(e)
	return m
}
