package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Heirs is who could take a leader's place, where that does not show as a line, and who is led.
type Heirs struct {
	By     []znode.SessionID // sessions that stand by; 0 for one without a session
	Names  []string          // the names of the first of those
	Known  bool              // there are no others
	Ranked bool              // they are members of a rank, and not only watchers
	Line   bool              // who could follow would stand in line
	Barred []string          // members of a rank that cannot be promoted
	Led    []string          // how many are led, as in "2 brokers"
	There  bool              // the system is there
	Paused bool              // by its operators
}

// Add adds somebody who stands by, once.
func (h *Heirs) Add(id znode.SessionID, name string) {
	for _, known := range h.By {
		if known == id && id != 0 {
			return
		}
	}
	h.By, h.Names = append(h.By, id), append(h.Names, name)
}

// Standbys returns how many could take the leader's place, each session counted once. known is false where there may be
// others, because standbys leave no znode here and not every server lists its watches.
func (m *Model) Standbys() (n int, known bool) {
	if h := m.Followers(); h != nil {
		return len(h.By), h.Known
	}
	return m.sessionsBehind(), m.State != Unknown
}

// StandbyNames returns the names of those who could take the leader's place and are not of the given sessions. known is
// false where there may be others.
func (m *Model) StandbyNames(gone map[znode.SessionID]bool) (who []string, known bool) {
	h := m.Followers()
	if h == nil {
		for i := range m.Claims {
			if c := &m.Claims[i]; !Holding(c.Role()) && !gone[c.Session] {
				who = append(who, c.Owner())
			}
		}
		return who, m.State != Unknown
	}
	for i, id := range h.By {
		if id == 0 || !gone[id] {
			who = append(who, h.Names[i])
		}
	}
	return who, h.Known
}

// sessionsBehind counts the sessions that wait or stand by and do not hold.
func (m *Model) sessionsBehind() (n int) {
	seen := make(map[znode.SessionID]bool)
	for i := range m.Claims {
		if Holding(m.Claims[i].Role()) {
			seen[m.Claims[i].Session] = true
		}
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		if Holding(c.Role()) || c.Session != 0 && seen[c.Session] {
			continue
		}
		seen[c.Session] = true
		n++
	}
	return n
}

// Followers is who could take the leader's place where that does not show as a line; nil: it does. Of a Kafka partition
// it is found out when it is asked for: there are many, and few ask.
func (m *Model) Followers() *Heirs {
	h := m.Detail().Heirs
	if h == nil && m.Dialect == layout.Kafka && len(m.Claims) == 1 && m.Claims[0].Node() == "state" {
		return inSync(m.Claims[0].Znode().Data, m.Claims[0].Owner())
	}
	return h
}

// inSync is who could lead a Kafka partition: the other replicas that are in sync.
func inSync(data []byte, leader string) *Heirs {
	var state struct{ ISR []json.Number }
	h := &Heirs{Ranked: true, Known: json.Unmarshal(data, &state) == nil}
	for _, id := range state.ISR {
		if id.String() != leader {
			h.Add(0, id.String())
		}
	}
	return h
}

// Vacant says who is there although nobody leads.
func (h *Heirs) Vacant() string {
	var clauses []string
	switch n := len(h.By); {
	case n > 0 && h.Ranked:
		clauses = append(clauses, say.List(h.Names)+" could be promoted")
	case n > 0:
		clauses = append(clauses, say.List(h.Names)+say.Choose(n, " watches", " watch")+" for the place")
	case len(h.Barred) > 0:
		clauses = append(clauses, "no member can be promoted ("+say.List(h.Barred)+say.Choose(len(h.Barred), " is", " are")+
			" there)")
	case h.Line:
		clauses = append(clauses, "nobody stands in line")
	case h.Ranked:
		clauses = append(clauses, "no member is there that could be promoted")
	case h.Known:
		clauses = append(clauses, "no standby is seen")
	default:
		clauses = append(clauses, "whether there is a standby is not known: standbys leave no znode")
	}
	if len(h.Led) > 0 {
		clauses = append(clauses, strings.Join(h.Led, " and ")+" without a leader")
	}
	return "; " + strings.Join(clauses, "; ")
}

// Holding reports whether a role is that of one who holds or leads.
func Holding(r Role) bool { return r == Holder || r == Leader }

// FirstHolder returns the first claim that holds or leads; nil: none does.
func FirstHolder(m *Model) *Claim {
	for i := range m.Claims {
		if Holding(m.Claims[i].Role()) {
			return &m.Claims[i]
		}
	}
	return nil
}

// WaitersAmong returns those of some sessions, which watch a claim's znode, that have a claim in the recipe waiting for
// it, for all that is known: one whose claims are all seen to watch others ahead of them left its watch behind.
func (m *Model) WaitersAmong(ids []znode.SessionID, watched *Claim) []znode.SessionID {
	waits := make(map[znode.SessionID]bool, len(m.Claims))
	for i := range m.Claims {
		c := &m.Claims[i]
		if elsewhere := c.Proof() == Proven && c.Ahead() != nil && c.Ahead() != watched; !Holding(c.Role()) &&
			!elsewhere {
			waits[c.Session] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id znode.SessionID) bool { return !waits[id] })
}
