package model

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Role is what a claim is in its recipe.
type Role string

const (
	Holder    Role = "holder"    // has the lock, or a lease
	Waiter    Role = "waiter"    // stands in line for it
	Leader    Role = "leader"    // leads an election
	Candidate Role = "candidate" // would lead next, or later
	Member    Role = "member"    // of a group, a double barrier, a service
	Item      Role = "item"      // of a queue
	Ready     Role = "ready"     // of a delay queue: an item that is due
	Taken     Role = "taken"     // an item in work
	Vote      Role = "vote"      // a site of a transaction
	Value     Role = "value"     // the znode of a recipe that is one znode
)

// State is the state of a whole recipe; which words a kind uses is listed in the package's layouts.
type State string

const (
	Free    State = "free"    // nobody holds
	Stuck   State = "stuck"   // nobody holds, and those in line wait for each other
	Held    State = "held"    // somebody holds
	Reading State = "read"    // held by readers
	Writing State = "write"   // held by a writer
	Vacant  State = "vacant"  // nobody leads
	Elected State = "elected" // somebody leads

	Full      State = "full"      // a semaphore without a free lease
	Over      State = "over"      // a semaphore with more leases than its limit
	Closed    State = "closed"    // a barrier that stands
	Opened    State = "open"      // a barrier that is gone
	Idle      State = "idle"      // a double barrier that nobody has entered
	Gathering State = "gathering" // one that waits for members
	Inside    State = "inside"    // one whose members were let in
	Leaving   State = "leaving"   // one whose members leave
	Empty     State = "empty"     // nothing in it
	Waiting   State = "waiting"   // a queue with items to take; a rendezvous that nobody filled
	Working   State = "working"   // a queue with items in work and none to take
	Undecided State = "undecided" // a transaction without a verdict
	Committed State = "commit"    // every site voted so
	Aborted   State = "abort"     // some site voted so
	Present   State = "present"   // members
	Filled    State = "filled"    // a rendezvous
	HasValue  State = "value"     // a configuration or counter with data
	Expired   State = "expired"   // a lease past its end

	Unknown State = "unknown" // the claims could not be read, any kind; a double barrier whose members may be inside or not
)

// Proof says how sure an edge "this claim waits for that one" is.
type Proof string

const (
	Unproven Proof = ""        // not a waiter
	Proven   Proof = "proven"  // its session is seen watching the blocker's znode
	Likely   Proof = "likely"  // follows from the order; nobody could be asked
	Refuted  Proof = "refuted" // every server answered and no such watch exists
)

// Hearing says how sure it is that a holder listens for its revoke word.
type Hearing string

const (
	HearsUnknown  Hearing = ""         // this layout has no revoke word
	HearsProven   Hearing = "proven"   // the holder's session is seen watching its own znode, and this layout does so for that alone
	HearsLikely   Hearing = "likely"   // the layout listens by default
	HearsUnlikely Hearing = "unlikely" // the layout can listen, but this holder shows no sign of it
)

// Model is one decoded recipe. It is immutable once returned by Decode; an unchanged recipe keeps its
// pointer from one snapshot to the next.
type Model struct {
	Path       string // what its clients were given
	Kind       layout.Kind
	Dialect    layout.Dialect // whose layout its claims have
	Confidence float64        // 0..1
	Why        []string       // the evidence for kind and dialect
	State      State
	Claims     []Claim  // in serving order
	Foreign    []string // names of children that are no part of the recipe
	Numbers    Numbers
	Findings   []Finding  // what hurts most first
	Czxid      znode.Zxid // of the recipe's own directory: its identity

	more *Detail // what few recipes have; nil for most
}

// Detail is what few recipes have.
type Detail struct {
	Announced bool // an election whose leader was seen to announce itself
	Watched   bool // a line in which a waiter was seen to watch the claim ahead

	Handovers []Handover // the places that were seen to change hands lately

	Ready    znode.Zxid // of a double barrier: when its ready was made
	MayLeave bool       // of a double barrier: nothing tells whether its members leave already
	Leaving  time.Time  // of a double barrier: when the first was seen to leave; zero: nobody saw that
	Lost     []string   // of a transaction: the sites that left it before a verdict
	Nays     []string   // of a transaction: the sites that voted abort and left
	Until    time.Time  // of a lease: its end; zero: unknown

	Heirs  *Heirs    // of an election: who could follow, where that is no line
	Vacant time.Time // of an election: when it was first seen that nobody leads; zero: from the start
}

// Detail returns what few recipes have, to be read.
func (m *Model) Detail() Detail {
	if m.more == nil {
		return Detail{}
	}
	return *m.more
}

// MakeDetail returns the same, to be written while the model is made.
func (m *Model) MakeDetail() *Detail {
	if m.more == nil {
		m.more = new(Detail)
	}
	return m.more
}

// Severity orders findings.
type Severity uint8

const (
	Low    Severity = iota + 1 // worth knowing
	Medium                     // likely to mislead or to bite later
	High                       // someone is stuck, or two may act
)

// String returns low, medium or high.
func (s Severity) String() string {
	switch s {
	case Low:
		return "low"
	case Medium:
		return "medium"
	case High:
		return "high"
	}
	return "unknown"
}

// Finding is something an operator should know about a recipe. Code is stable for scripts.
type Finding struct {
	Code     string            // one of the Code constants
	Severity Severity          // how bad it is
	Text     string            // one line
	Paths    []string          // of the claims that it is about
	Sessions []znode.SessionID // of those
}

// Single reports whether the recipe is one znode: it comes and goes with its claim.
func (m *Model) Single() bool { return len(m.Claims) == 1 && m.Claims[0].PathIs(m.Path) }

// Sources of an owner's name, best first.
const (
	FromData    = "data"    // written into the znode by the participant itself
	FromAddress = "address" // the client's address, from the server that it is connected to
	FromSession = "session" // the session's id
	FromNode    = "node"    // the znode's own name: nothing else is known
)

// Library returns the dialect in which the recipe's claims are spelled. It is the recipe's own dialect but for systems
// that elect or lock with somebody's library: NiFi's elections are spelled as Curator's, Vault's as go-zookeeper's.
// Whoever joins a recipe has to go by it.
func (m *Model) Library() layout.Dialect {
	for i := range m.Claims {
		n := layout.ParseName(m.Claims[i].Node())
		rows := layout.SpelledWith(n.Word)
		if n.Word == "" || len(rows) == 0 {
			continue
		}
		for _, l := range rows {
			if l.Dialect == m.Dialect {
				return m.Dialect
			}
		}
		if l := layout.Of(&n, nil, m.Path); l != nil {
			return l.Dialect
		}
	}
	return m.Dialect
}
