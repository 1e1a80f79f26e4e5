package ensemble

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// merge makes a status of the last answers.
func (e *Ensemble) merge() *Status {
	st := &Status{Began: e.began, At: e.cfg.Now(), WholeWatches: true, WholeConns: true, doubt: map[znode.SessionID]bool{}}
	self, _, heard := e.self()
	for _, ep := range e.endpoints {
		ep.clockOfDump()
		st.Members = append(st.Members, ep.member(e))
		st.silent = st.silent || ep.silent == 1 || ep.idle == 1
		st.WholeConns = st.WholeConns && ep.hasConns
		st.WholeWatches = st.WholeWatches && ep.listed
		e.mergeWatches(st, ep)
	}
	for path, ids := range st.Watches { // one path may be watched by all clients that there are
		slices.SortFunc(ids, func(a, b znode.SessionID) int { return cmp.Compare(uint64(a), uint64(b)) })
		st.Watches[path] = slices.Compact(ids)
	}
	for _, ep := range e.strangers {
		st.Strangers = append(st.Strangers, ep.member(e))
	}
	if e.cfg.Home != nil {
		st.Home = e.cfg.Home()
	}
	e.mergeAllOwners(st)
	st.Listed = e.configured != nil
	for _, n := range e.missing {
		st.Members = append(st.Members, unknownMember(n))
		st.WholeConns, st.WholeWatches = false, false
	}
	e.mergeTrackers(st, self, heard)
	e.mergeConnections(st)
	st.unsure = slices.Clone(e.owned.unsure)
	return st
}

func (e *Ensemble) mergeWatches(st *Status, ep *endpoint) {
	if ep.watches == nil {
		return
	}
	if st.Watches == nil {
		st.Watches = map[string][]znode.SessionID{}
	}
	for path, ids := range ep.watches {
		if path, ok := e.below(path); ok {
			st.Watches[path] = append(st.Watches[path], ids...)
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

func (e *Ensemble) mergeOwners(st *Status, ep *endpoint) {
	if ep.dump == nil || ep.dump.owners == nil {
		return
	}
	if st.Ephemerals == nil {
		st.Ephemerals = map[znode.SessionID][]string{}
	}
	for id, paths := range ep.dump.owners {
		for _, path := range paths {
			if path, ok := e.below(path); ok {
				st.Ephemerals[id] = append(st.Ephemerals[id], path)
			}
		}
		if _, known := st.Ephemerals[id]; !known {
			st.Ephemerals[id] = nil
		}
		slices.Sort(st.Ephemerals[id])
		st.Ephemerals[id] = slices.Compact(st.Ephemerals[id]) // every member lists them all
	}
}

// mergeTrackers takes the sessions from the trackers. A leader or a server that stands alone knows all and until when
// they last; a follower knows which there are.
func (e *Ensemble) mergeTrackers(st *Status, self znode.SessionID, heard time.Time) {
	for _, ep := range e.endpoints {
		if ep.dump == nil || ep.dump.sessions == nil {
			continue
		}
		st.tracked = st.tracked || ep.dump.whole
		if st.Sessions == nil {
			st.Sessions = map[znode.SessionID]znode.Session{}
		}
		for id, t := range ep.dump.sessions {
			s := st.Sessions[id]
			s.ID = id
			if t.timeout > 0 {
				s.Timeout = t.timeout
			}
			if at, within := ep.expiry(t, self, heard); !at.IsZero() {
				s.ExpiresAt, s.Within = at, within
			}
			st.Sessions[id] = s
		}
	}
}

// mergeConnections says who is connected where, and, where every member told, who is not connected at all.
func (e *Ensemble) mergeConnections(st *Status) {
	yes, no := true, false
	tracked := map[znode.SessionID]bool{}
	for id, s := range st.Sessions {
		tracked[id] = !s.ExpiresAt.IsZero()
	}
	made := make(map[madeBy]madeAt, len(e.made))
	defer func() { e.made = made }()
	for _, ep := range e.endpoints {
		if len(ep.conns) == 0 && !ep.hasConns {
			continue
		}
		if st.Sessions == nil {
			st.Sessions = map[znode.SessionID]znode.Session{}
		}
		for _, c := range ep.conns {
			s, since := st.Sessions[c.session], e.madeAt(ep, c, made)
			if s.Connected != nil && s.Since.After(since) {
				continue // the client has moved on: that member has not noticed yet
			}
			s.ID, s.Addr, s.Server, s.Connected, s.Since = c.session, c.addr, ep.addr, &yes, since
			if c.timeout > 0 {
				s.Timeout = c.timeout
			}
			if !tracked[c.session] {
				s.ExpiresAt, s.Within = ep.lastsUntil(c, st.At)
			}
			st.Sessions[c.session] = s
		}
	}
	if st.Sessions == nil {
		return
	}
	for id := range st.Ephemerals {
		if _, known := st.Sessions[id]; known {
			continue
		}
		if st.tracked && st.WholeConns {
			st.doubt[id] = true // it owns a znode, and no tracker has it
			continue
		}
		st.Sessions[id] = znode.Session{ID: id}
	}
	if !st.WholeConns {
		return
	}
	for id, s := range st.Sessions {
		if s.Connected == nil {
			s.Connected = &no
			e.recall(id, &s)
			st.Sessions[id], st.doubt[id] = s, true
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
func (e *Ensemble) mergeAllOwners(st *Status) {
	var from []account
	for _, ep := range e.endpoints {
		if ep.dump != nil {
			from = append(from, account{ep.addr, ep.dump.whole, ep.dump.owners})
		}
	}
	if !slices.EqualFunc(from, e.owned.from, account.same) {
		for _, ep := range e.endpoints {
			e.mergeOwners(st, ep)
		}
		e.owned = owned{from: from, all: st.Ephemerals, unsure: e.disagreements()}
	}
	st.Ephemerals = e.owned.all
}

// disagreements finds ephemeral znodes that some members list and others do not.
func (e *Ensemble) disagreements() (unsure []Disagreement) {
	var told []*endpoint
	for _, ep := range e.endpoints {
		if ep.dump != nil && ep.dump.owners != nil && ep.dump.whole {
			told = append(told, ep)
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
	for _, ep := range told {
		for id, paths := range ep.dump.owners {
			for _, path := range paths {
				has[zn{path, id}] = append(has[zn{path, id}], ep.addr)
			}
		}
	}
	for z, on := range has {
		below, ok := e.below(z.path)
		if len(on) == len(told) || !ok {
			continue
		}
		one := Disagreement{Path: below, Owner: z.owner, On: on, rounds: 1}
		for _, ep := range told {
			if !slices.Contains(on, ep.addr) {
				one.Off = append(one.Off, ep.addr)
			}
		}
		unsure = append(unsure, one)
	}
	sorted.By(unsure, func(a, b Disagreement) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(uint64(a.Owner), uint64(b.Owner)))
	})
	return unsure
}

// unknownMember is one of which no client address is known.
func unknownMember(n configuredMember) Member {
	return Member{Addr: n.host, ID: n.id, Role: n.role, Tier: TierNone, Nodes: -1, Conns: -1, Waiting: -1, Watching: -1,
		Err: "its client port is not known: the configuration is static and none of the ports given leads to it; name its address among the servers or with --4lw"}
}

// member describes one member.
func (ep *endpoint) member(e *Ensemble) Member {
	m := Member{Addr: ep.addr, Foreign: ep.foreign, Up: ep.up, Down: ep.silent > 1, Idle: ep.idle > 1, Admin: ep.admin, Tier: TierNone, Connections: ep.hasConns, Watches: ep.listed, Clock: ep.clock,
		Buffer: ep.buffer, Nodes: -1, Conns: -1, Waiting: -1, Watching: -1}
	if ep.configured != nil {
		m.ID, m.Role = ep.configured.id, ep.configured.role
	} else if ep.foreign != "" && ep.conf != nil {
		m.ID = ep.conf.id
	}
	if ep.hasConns {
		m.Tier = Tier(ep.connsBy)
	}
	if ep.dump != nil {
		m.Sessions, m.Ephemerals = ep.dump.sessions != nil && ep.dump.whole, ep.dump.owners != nil && ep.dump.whole
	}
	if h := ep.srvr; h != nil {
		m.Version, m.Mode, m.Latency, m.Zxid = h.version, h.mode, h.latency, h.zxid
		m.Nodes, m.Conns, m.Waiting = h.nodes, h.conns, h.outstanding
	}
	if s := ep.conf; s != nil {
		m.Tick, m.Shortest, m.Longest = s.tick, s.least, s.most
	}
	if ep.sum != nil {
		m.Watching = ep.sum.total
	}
	switch {
	case !ep.up && ep.err != nil:
		m.Err = oneLine(ep.err)
	case ep.err != nil && errors.Is(ep.err, errIdle):
		m.Err = oneLine(errIdle)
	}
	m.Advice = ep.advice(e)
	return m
}
