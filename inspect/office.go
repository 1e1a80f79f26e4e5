package inspect

import (
	"encoding/json"
	"strings"
	"time"
)

// Office is what is known of a system's leadership besides the znodes of those who lead or stand in line: who is there to
// be led, who could be promoted, what pauses it. Paths are relative to the directory that the recipe is in; ./ begins one
// within the recipe.
type Office struct {
	Ranks []Rank
	Seen  string        // a znode that tells, like a rank, that the system is there; empty: none
	Pause string        // a znode whose data may say that its operators paused the system
	Grace time.Duration // how long nobody may lead before that is a finding; 0: [Grace]
	Mute  bool          // that nobody leads tells nothing unless somebody was seen to lead
	Polls bool          // who could follow tries again and again, and leaves no znode meanwhile
}

// Rank is a directory of those who may lead or are led, each an ephemeral child.
type Rank struct {
	At        string
	One, Many string
	Led       bool             // they are led and never lead
	Can       func(*Node) bool // which of them can be promoted; nil: each
}

// Grace is how long an election may be vacant, from when that was first seen, where its row says nothing else.
const Grace = 5 * time.Second

func (o *Office) grace() time.Duration {
	if o == nil || o.Grace == 0 {
		return Grace
	}
	return o.Grace
}

// promotable reports whether a member of a Patroni cluster can be promoted: it runs, and no tag forbids it.
func promotable(n *Node) bool {
	var member struct {
		State string
		Tags  map[string]any
	}
	if json.Unmarshal(n.Data, &member) != nil {
		return true // the URL alone, as old members write it
	}
	switch member.State {
	case "", "running", "streaming", "in archive recovery":
	default:
		return false
	}
	switch v := member.Tags["nofailover"].(type) {
	case bool:
		return !v
	case string:
		return v != "true" && v != "True"
	}
	priority, known := member.Tags["failover_priority"].(float64)
	return !known || priority > 0
}

// paused reports whether data says that operators paused a system: Patroni's pause.
func paused(n *Node) bool {
	var config struct{ Pause bool }
	return n != nil && json.Unmarshal(n.Data, &config) == nil && config.Pause
}

// heirs is who could take a leader's place, where that does not show as a line, and who is led.
type heirs struct {
	by     []SessionID // sessions that stand by; 0 for one without a session
	names  []string    // the names of the first of those
	known  bool        // there are no others
	ranked bool        // they are members of a rank, and not only watchers
	line   bool        // who could follow would stand in line
	barred []string    // members of a rank that cannot be promoted
	led    []string    // how many are led, as in "2 brokers"
	there  bool        // the system is there
	paused bool        // by its operators
}

// officeAt returns the office of the known place that a recipe is; nil: none is known.
func (x *dir) office() *Office {
	if x.place == nil {
		return nil
	}
	return x.place.Office
}

// heirsOf finds out who could take the place of a leader at a path; leader is nil where nobody leads. watched is the
// znode that those who wait for the place watch; empty where they would stand in line.
func (x *dir) heirsOf(leader *Claim, watched string) *heirs {
	h := &heirs{}
	members := make(map[SessionID]bool)
	if o := x.office(); o != nil {
		for i := range o.Ranks {
			x.rank(h, &o.Ranks[i], leader, members)
		}
		h.there = h.there || o.Seen != "" && x.dependOn(x.relative(o.Seen)) != nil
		h.paused = o.Pause != "" && paused(x.dependOn(x.relative(o.Pause)))
	}
	if h.ranked {
		return h
	}
	if polls := x.office() != nil && x.office().Polls; watched == "" {
		h.known, h.line = !polls, !polls
		return h
	}
	h.known = x.snap.listsWatches()
	for _, id := range x.snap.Watches[watched] {
		if leader != nil && id == leader.Session || members[id] || x.isOwn(id) {
			continue
		}
		h.heir(id, x.sessionName(id))
	}
	return h
}

func (d *decoder) isOwn(id SessionID) bool {
	for _, own := range d.own {
		if id == own {
			return true
		}
	}
	return false
}

// sessionName is the best name for a session of which nothing but that is known.
func (d *decoder) sessionName(id SessionID) string {
	if addr := d.snap.Sessions[id].Addr; addr != "" {
		return addr
	}
	return id.String()
}

// rank adds the members of one rank.
func (x *dir) rank(h *heirs, r *Rank, leader *Claim, members map[SessionID]bool) {
	n := x.dependOn(x.relative(r.At))
	if n == nil {
		return
	}
	h.there = true
	unread := n.unlisted() || n.Has(Unreadable)
	if !r.Led {
		h.ranked, h.known = true, !unread
	}
	count := 0
	for _, c := range n.Children {
		if !c.Ephemeral() {
			continue
		}
		members[c.Owner] = true
		switch {
		case leader != nil && (leader.Session != 0 && c.Owner == leader.Session || leader.Owner() == c.Name):
		case r.Led:
			count++
		case r.Can == nil || r.Can(c):
			h.heir(c.Owner, r.called(c.Name))
		default:
			h.barred = append(h.barred, c.Name)
		}
	}
	if count > 0 {
		h.led = append(h.led, plural(count, r.One, r.Many))
	}
}

// called names a member: a bare number says little.
func (r *Rank) called(name string) string {
	if allDigits(name) {
		return r.One + " " + name
	}
	return name
}

// heir adds somebody who stands by, once.
func (h *heirs) heir(id SessionID, name string) {
	for _, known := range h.by {
		if known == id && id != 0 {
			return
		}
	}
	h.by, h.names = append(h.by, id), append(h.names, name)
}

// relative resolves a path of an office.
func (x *dir) relative(path string) string {
	if rest, ok := strings.CutPrefix(path, "./"); ok {
		return Join(x.path, rest)
	}
	base := parentPath(x.path)
	for {
		rest, ok := strings.CutPrefix(path, "../")
		if !ok {
			return Join(base, path)
		}
		base, path = parentPath(base), rest
	}
}

// Standbys returns how many could take the leader's place, each session counted once. known is false where there may be
// others, because standbys leave no znode here and not every server lists its watches.
func (m *Model) Standbys() (n int, known bool) {
	if h := m.followers(); h != nil {
		return len(h.by), h.known
	}
	return m.sessionsBehind(), m.State != Unknown
}

// StandbyNames returns the names of those who could take the leader's place and are not of the given sessions. known is
// false where there may be others.
func (m *Model) StandbyNames(gone map[SessionID]bool) (who []string, known bool) {
	h := m.followers()
	if h == nil {
		for i := range m.Claims {
			if c := &m.Claims[i]; !holding(c.Role()) && !gone[c.Session] {
				who = append(who, c.Owner())
			}
		}
		return who, m.State != Unknown
	}
	for i, id := range h.by {
		if id == 0 || !gone[id] {
			who = append(who, h.names[i])
		}
	}
	return who, h.known
}

// sessionsBehind counts the sessions that wait or stand by and do not hold.
func (m *Model) sessionsBehind() (n int) {
	seen := make(map[SessionID]bool)
	for i := range m.Claims {
		if holding(m.Claims[i].Role()) {
			seen[m.Claims[i].Session] = true
		}
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		if holding(c.Role()) || c.Session != 0 && seen[c.Session] {
			continue
		}
		seen[c.Session] = true
		n++
	}
	return n
}
