package inspect

import (
	"slices"
	"time"
)

// Claim is one participant's stake in a recipe: a holder, a waiter, a candidate, an item, a vote. It is part of
// its Model and, like it, immutable; its methods may be called from any goroutine. The zero value is a claim of
// which nothing is known.
//
// A tree can hold a million of them, so a claim keeps what cannot be found out again: it points to its znode, and
// its path, the claims that it waits for and the words for that are made when they are asked for. As long as a
// claim is kept, its model and its znode are.
type Claim struct {
	Session SessionID // whose it is; 0: no session's
	Seq     int64     // sequence number; see HasSeq
	Addr    string    // client ip:port; empty: unknown

	node *Node  // what it was read from; nil only in a zero Claim
	home *home  // where that is, and among which claims
	name string // the owner's, unless it is the session's id
	rare *rare  // what few claims have; nil for most

	since  moment // when it took its role, where that is not its ctime
	seen   moment // when it was first seen; 0: it was there from the start
	behind moment // when it was first seen waiting for its present blocker; 0: from the start

	position int32
	from, to int32 // the claims of its model that must go first

	role, mode, proof, hears uint8 // places in the tables of words below
	source, revocable        uint8 // the same
	reason                   reason
	tied                     tied
	handed                   uint8 // how many sessions that worked on an item have gone while it stayed

	HasSeq    bool
	SinceSeen bool // the change of role was observed
	fresh     bool // it was seen to come in its present role
	Revoked   bool // the word has been written
	Mine      bool // our own session's

	settled bool  // the servers were asked about sessions and watches after the claim was first seen
	blank   uint8 // how many lists of all watches, up to two, lacked that of a waiter on its present blocker
	worth   worth // what there is to say of what the lists tell
	leaked  bool  // its turn came while it did not watch for it
	held    bool  // it was seen holding and is a waiter now, on the same znode
	ended   bool  // of a lease: it is past its end
}

// home is what the claims of one directory share.
type home struct {
	dir   string // the directory's path
	whole bool   // dir is the path of the claim itself
	model *Model
}

// rare is what few claims have.
type rare struct {
	why      string    // said in words of its own; empty: see reason
	vote     *string   // exact text
	priority *int64    // of an item
	taker    SessionID // of an item: the last session that was seen working on it
	first    string    // of a vote: the first one that was seen
	veiled   bool      // of a reader: its session's watch on a writer behind it has another reason, or had
}

// tied says what decides between a claim and another of the same number.
type tied uint8

const (
	notTied tied = iota
	tiedByArrival
	tiedByName
)

// The tables of words; the first of each is the zero value's.
var (
	roleWords    = []Role{"", Holder, Waiter, Leader, Candidate, Member, Item, Ready, Taken, Vote, Value}
	modeWords    = []Mode{"", Exclusive, Read, Write}
	proofWords   = []Proof{Unproven, Proven, Likely, Refuted}
	hearingWords = []Hearing{HearsUnknown, HearsProven, HearsLikely, HearsUnlikely}
	sourceWords  = []string{"", FromData, FromAddress, FromSession, FromNode}
	revokeWords  = []string{"", RevokeUnlock, RevokeCurator}
)

// placeIn returns where a word stands in its table.
func placeIn[T ~string](table []T, word T) uint8 { return uint8(max(0, slices.Index(table, word))) }

var noNode Node

func (c *Claim) znode() *Node {
	if c.node == nil {
		return &noNode
	}
	return c.node
}

// Node returns the last component of the claim's path: the name of its znode.
func (c *Claim) Node() string { return c.znode().Name }

// Path returns the absolute path of the claim's znode.
func (c *Claim) Path() string {
	switch {
	case c.home == nil:
		return ""
	case c.home.whole:
		return c.home.dir
	}
	return Join(c.home.dir, c.node.Name)
}

// appendPath appends the path to a buffer, so that it can be looked up without being made.
func (c *Claim) appendPath(buf []byte) []byte {
	if c.home == nil {
		return buf
	}
	buf = append(buf, c.home.dir...)
	if c.home.whole {
		return buf
	}
	if c.home.dir != "/" {
		buf = append(buf, '/')
	}
	return append(buf, c.node.Name...)
}

// ID identifies a claim across snapshots: a znode that was deleted and created again at the same path
// has another czxid and is another claim.
func (c *Claim) ID() ClaimID { return ClaimID{c.Path(), c.Czxid()} }

// ClaimID is the identity of a claim; comparable.
type ClaimID struct {
	Path  string
	Czxid Zxid
}

// Is reports whether the claim is the one of an identity. It makes no path for that.
// A czxid that was not read, in the claim or in the identity, contradicts nothing.
func (c *Claim) Is(id ClaimID) bool {
	known := c.Czxid() != 0 && id.Czxid != 0
	return (!known || c.Czxid() == id.Czxid) && c.pathIs(id.Path)
}

// pathIs compares the claim's path.
func (c *Claim) pathIs(path string) bool {
	if c.home == nil || c.home.whole {
		return c.Path() == path
	}
	dir, name := Split(path)
	return c.home.dir == dir && c.node.Name == name
}

// claimKey is what ClaimID is, and made without effort.
type claimKey struct {
	dir, name string
	czxid     Zxid
}

func (c *Claim) key() claimKey {
	if c.home == nil || c.home.whole {
		return claimKey{dir: c.Path(), czxid: c.Czxid()}
	}
	return claimKey{c.home.dir, c.node.Name, c.node.Czxid}
}

// same reports whether two claims are one at different times. A czxid that was not read contradicts nothing.
func (c *Claim) same(o *Claim) bool {
	return (c.Czxid() == o.Czxid() || c.Czxid() == 0 || o.Czxid() == 0) && c.at(o)
}

// at reports whether two claims have the same path.
func (c *Claim) at(o *Claim) bool {
	a, b := c.key(), o.key()
	return a.dir == b.dir && a.name == b.name
}

// Czxid returns the transaction that created the claim's znode; 0: unknown.
func (c *Claim) Czxid() Zxid { return c.znode().Czxid }

// Unread reports whether nothing but the name of the claim's znode was read. Session, Created and Version are then not
// known, and no session is no sign that none owns it.
func (c *Claim) Unread() bool { return c.znode().Has(NoStat) }

// Created returns the claim's ctime; zero: unknown.
func (c *Claim) Created() time.Time { return c.znode().Ctime.Time() }

// Version returns the data version of the claim's znode.
func (c *Claim) Version() int32 { return c.znode().Version }

// Role returns what the claim is in its recipe.
func (c *Claim) Role() Role { return roleWords[c.role] }

// Mode returns how the claim excludes others; empty where modes do not apply.
func (c *Claim) Mode() Mode { return modeWords[c.mode] }

// Position returns the claim's place in serving order, from 0, holders included.
func (c *Claim) Position() int { return int(c.position) }

// Owner returns the best name there is for whoever made the claim, as it was read. It is never blank.
func (c *Claim) Owner() string {
	if c.name == "" && c.OwnerSource() == FromSession {
		return c.Session.String()
	}
	return c.name
}

// OwnerSource returns where Owner comes from: data, address, session or node.
func (c *Claim) OwnerSource() string { return sourceWords[c.source] }

// called gives the claim an owner's name. It is made again from the session where it is the session's id.
func (c *Claim) called(owner, source string) {
	c.name, c.source = owner, placeIn(sourceWords, source)
	if source == FromSession {
		c.name = ""
	}
}

// Since returns when the claim took its present role, where that was seen, else its ctime; zero: unknown.
func (c *Claim) Since() time.Time {
	if c.since == 0 {
		return c.Created()
	}
	return c.since.time()
}

// Exact reports whether Since is when the claim took its present role. Else it is the earliest that can be: a claim in a
// line that was there first, and holds, may have waited before.
func (c *Claim) Exact() bool {
	return c.reason != unlessOld && (c.SinceSeen || c.fresh) || !c.HasSeq || !holding(c.Role())
}

// Lasts says for how long a claim has had its role at a moment; with AtMost before it where it may be less, and empty where
// nothing is known.
func (c *Claim) Lasts(now time.Time) string {
	switch {
	case c.Since().IsZero():
		return ""
	case c.Exact():
		return Age(now.Sub(c.Since()))
	}
	return AtMost + Age(now.Sub(c.Since()))
}

// AtMost stands before a time that is an upper bound.
const AtMost = "≤"

// tookRole notes when the claim took its present role.
func (c *Claim) tookRole(t time.Time) {
	c.since = momentOf(t)
	switch {
	case t.Equal(c.Created()):
		c.since = 0
	case c.since == 0:
		c.since = never
	}
}

// Proof returns how sure it is that the claim waits for those that block it; empty: it is no waiter.
func (c *Claim) Proof() Proof { return proofWords[c.proof] }

// Revocable returns the word that a holder of this layout can listen for; empty: none.
func (c *Claim) Revocable() string { return revokeWords[c.revocable] }

// Hears returns how sure it is that the owner listens for that word.
func (c *Claim) Hears() Hearing { return hearingWords[c.hears] }

// Blockers returns the claims that must go first, in serving order; nil when there are none. They are those of the
// model, and not to be modified.
func (c *Claim) Blockers() []Claim {
	if c.from >= c.to || c.home == nil {
		return nil
	}
	return c.home.model.Claims[c.from:c.to]
}

// Ahead returns the claim that this one waits for, which its client watches: the last of those that must go first; nil
// when there are none.
func (c *Claim) Ahead() *Claim {
	if by := c.Blockers(); len(by) > 0 {
		return &by[len(by)-1]
	}
	return nil
}

// blocked notes that the claims of its model from one to before another must go first.
func (c *Claim) blocked(from, to int) { c.from, c.to = int32(from), int32(to) }

// BlockedBy returns the paths of Blockers, nil when there are none.
func (c *Claim) BlockedBy() []string {
	by := c.Blockers()
	if len(by) == 0 {
		return nil
	}
	paths := make([]string, len(by))
	for i := range by {
		paths[i] = by[i].Path()
	}
	return paths
}

// Vote returns the exact text of a site's vote; nil: it is not a vote, or none yet.
func (c *Claim) Vote() *string {
	if c.rare == nil {
		return nil
	}
	return c.rare.vote
}

// Priority returns the priority of a queue's item; nil: it has none.
func (c *Claim) Priority() *int64 {
	if c.rare == nil {
		return nil
	}
	return c.rare.priority
}

// rarely returns the place for what few claims have.
func (c *Claim) rarely() *rare {
	if c.rare == nil {
		c.rare = new(rare)
	}
	return c.rare
}

func (c *Claim) taker() SessionID {
	if c.rare == nil {
		return 0
	}
	return c.rare.taker
}

func (c *Claim) firstVote() string {
	if c.rare == nil {
		return ""
	}
	return c.rare.first
}

// say gives the claim words of its own for what Why returns.
func (c *Claim) say(why string) { c.rarely().why = why }

// Why says in one line, safe for a terminal, why the claim has its role or what it waits for.
func (c *Claim) Why() string {
	if c.rare != nil && c.rare.why != "" {
		return c.rare.why
	}
	text := c.reason.text(c)
	switch c.tied {
	case tiedByArrival:
		text += ", a tie that arrival decides"
	case tiedByName:
		text += ", a tie that the name decides"
	}
	if c.reason.waits() && c.Proof() == Refuted {
		text += ", but does not watch it"
	}
	return text
}

// seqText returns the sequence number as it is spelled in the znode's name; empty when there is none.
func (c *Claim) seqText() string {
	if !c.HasSeq {
		return ""
	}
	name := ParseName(c.Node())
	return name.SeqText()
}

// moment is a time in microseconds since the Unix epoch; 0 stands for none.
type moment int64

// never is the moment of what is known to have no known time.
const never moment = -1 << 63

func momentOf(t time.Time) moment {
	if t.IsZero() {
		return 0
	}
	return moment(t.UnixMicro())
}

// time returns the moment as a UTC time; the zero time when there is none.
func (m moment) time() time.Time {
	if m == 0 || m == never {
		return time.Time{}
	}
	return time.UnixMicro(int64(m)).UTC()
}
