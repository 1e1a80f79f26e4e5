package model

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Claim is one participant's stake in a recipe: a holder, a waiter, a candidate, an item, a vote. It is part of
// its Model and, like it, immutable; its methods may be called from any goroutine. The zero value is a claim of
// which nothing is known.
//
// A tree can hold a million of them, so a claim keeps what cannot be found out again: it points to its znode, and
// its path, the claims that it waits for and the words for that are made when they are asked for. As long as a
// claim is kept, its model and its znode are.
type Claim struct {
	Session znode.SessionID // whose it is; 0: no session's
	Seq     int64           // sequence number; see HasSeq
	Addr    string          // client ip:port; empty: unknown

	node *znode.Node // what it was read from; nil only in a zero Claim
	home *Home       // where that is, and among which claims
	name string      // the owner's, unless it is the session's id
	few  *Rare       // what few claims have; nil for most

	RoleSince    Moment // when it took its role, where that is not its ctime
	FirstSeen    Moment // when it was first seen; 0: it was there from the start
	BlockedSince Moment // when it was first seen waiting for its present blocker; 0: from the start

	position int32
	from, to int32 // the claims of its model that must go first

	role, mode, proof, hears uint8  // places in the tables of words below
	source, revocable        uint8  // the same
	Reason                   Reason // why it has its role or waits
	Tied                     Tied   // what decided, where another has the same number
	ConsumersGone            uint8  // how many sessions that worked on an item have gone while it stayed

	HasSeq         bool // its name ends in a number
	RoleChangeSeen bool // the change of role was observed
	ArrivalSeen    bool // it was seen to come in its present role
	Revoked        bool // the word has been written
	Mine           bool // our own session's

	AskedSince    bool       // the servers were asked about sessions and watches after the claim was first seen
	ListsWithout  uint8      // how many lists of all watches, up to two, lacked that of a waiter on its present blocker
	WatchNotes    WatchNotes // what there is to say of what the lists tell
	TurnUnwatched bool       // its turn came while it did not watch for it
	HeldBefore    bool       // it was seen holding and is a waiter now, on the same znode
	Ended         bool       // of a lease: it is past its end
}

// Home is what the claims of one directory share.
type Home struct {
	Dir   string // the directory's path
	Whole bool   // Dir is the path of the claim itself
	Model *Model
}

// Rare is what few claims have.
type Rare struct {
	why      string          // said in words of its own; empty: see Reason
	Vote     *string         // exact text
	Priority *int64          // of an item
	Taker    znode.SessionID // of an item: the last session that was seen working on it
	First    string          // of a vote: the first one that was seen
	Veiled   bool            // of a reader: its session's watch on a writer behind it has another reason, or had
}

// Tied says what decides between a claim and another of the same number.
type Tied uint8

const (
	notTied       Tied = iota
	TiedByArrival      // the one created first goes first
	TiedByName         // the lower name as text goes first
)

// The tables of words; the first of each is the zero value's.
var (
	roleWords    = []Role{"", Holder, Waiter, Leader, Candidate, Member, Item, Ready, Taken, Vote, Value}
	modeWords    = []layout.Mode{"", layout.Exclusive, layout.Read, layout.Write}
	proofWords   = []Proof{Unproven, Proven, Likely, Refuted}
	hearingWords = []Hearing{HearsUnknown, HearsProven, HearsLikely, HearsUnlikely}
	sourceWords  = []string{"", FromData, FromAddress, FromSession, FromNode}
	revokeWords  = []string{"", layout.RevokeUnlock, layout.RevokeCurator}
)

// placeIn returns where a word stands in its table.
func placeIn[T ~string](table []T, word T) uint8 { return uint8(max(0, slices.Index(table, word))) }

var noNode znode.Node

// Znode returns the znode that the claim was read from; of a zero claim an empty one. It is never nil.
func (c *Claim) Znode() *znode.Node {
	if c.node == nil {
		return &noNode
	}
	return c.node
}

// Node returns the last component of the claim's path: the name of its znode.
func (c *Claim) Node() string { return c.Znode().Name }

// Path returns the absolute path of the claim's znode.
func (c *Claim) Path() string {
	switch {
	case c.home == nil:
		return ""
	case c.home.Whole:
		return c.home.Dir
	}
	return znode.Join(c.home.Dir, c.node.Name)
}

// AppendPath appends the path to a buffer, so that it can be looked up without being made.
func (c *Claim) AppendPath(buf []byte) []byte {
	if c.home == nil {
		return buf
	}
	buf = append(buf, c.home.Dir...)
	if c.home.Whole {
		return buf
	}
	if c.home.Dir != "/" {
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
	Czxid znode.Zxid // of its znode; 0: not read
}

// Is reports whether the claim is the one of an identity. It makes no path for that.
// A czxid that was not read, in the claim or in the identity, contradicts nothing.
func (c *Claim) Is(id ClaimID) bool {
	known := c.Czxid() != 0 && id.Czxid != 0
	return (!known || c.Czxid() == id.Czxid) && c.PathIs(id.Path)
}

// PathIs compares the claim's path.
func (c *Claim) PathIs(path string) bool {
	if c.home == nil || c.home.Whole {
		return c.Path() == path
	}
	dir, name := znode.Split(path)
	return c.home.Dir == dir && c.node.Name == name
}

// ClaimKey is what ClaimID is, and made without effort.
type ClaimKey struct {
	dir, name string
	czxid     znode.Zxid
}

// Key returns what tells the claim from every other one of its tree, also after it was deleted and made anew.
func (c *Claim) Key() ClaimKey {
	if c.home == nil || c.home.Whole {
		return ClaimKey{dir: c.Path(), czxid: c.Czxid()}
	}
	return ClaimKey{c.home.Dir, c.node.Name, c.node.Czxid}
}

// Same reports whether two claims are one at different times. A czxid that was not read contradicts nothing.
func (c *Claim) Same(o *Claim) bool {
	return (c.Czxid() == o.Czxid() || c.Czxid() == 0 || o.Czxid() == 0) && c.At(o)
}

// At reports whether two claims have the same path.
func (c *Claim) At(o *Claim) bool {
	a, b := c.Key(), o.Key()
	return a.dir == b.dir && a.name == b.name
}

// Czxid returns the transaction that created the claim's znode; 0: unknown.
func (c *Claim) Czxid() znode.Zxid { return c.Znode().Czxid }

// Unread reports whether nothing but the name of the claim's znode was read. Session, Created and Version are then not
// known, and no session is no sign that none owns it.
func (c *Claim) Unread() bool { return c.Znode().Has(znode.NoStat) }

// Created returns the claim's ctime; zero: unknown.
func (c *Claim) Created() time.Time { return c.Znode().Ctime.Time() }

// Version returns the data version of the claim's znode.
func (c *Claim) Version() int32 { return c.Znode().Version }

// Role returns what the claim is in its recipe.
func (c *Claim) Role() Role { return roleWords[c.role] }

// Mode returns how the claim excludes others; empty where modes do not apply.
func (c *Claim) Mode() layout.Mode { return modeWords[c.mode] }

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

// SetOwner gives the claim an owner's name. It is made again from the session where it is the session's id.
func (c *Claim) SetOwner(owner, source string) {
	c.name, c.source = owner, placeIn(sourceWords, source)
	if source == FromSession {
		c.name = ""
	}
}

// Since returns when the claim took its present role, where that was seen, else its ctime; zero: unknown.
func (c *Claim) Since() time.Time {
	if c.RoleSince == 0 {
		return c.Created()
	}
	return c.RoleSince.Time()
}

// SetRoleSince notes when the claim took its present role.
func (c *Claim) SetRoleSince(t time.Time) {
	c.RoleSince = MomentOf(t)
	switch {
	case t.Equal(c.Created()):
		c.RoleSince = 0
	case c.RoleSince == 0:
		c.RoleSince = never
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
	return c.home.Model.Claims[c.from:c.to]
}

// Ahead returns the claim that this one waits for, which its client watches: the last of those that must go first; nil
// when there are none.
func (c *Claim) Ahead() *Claim {
	if by := c.Blockers(); len(by) > 0 {
		return &by[len(by)-1]
	}
	return nil
}

// SetBlockers notes that the claims of its model from one to before another must go first.
func (c *Claim) SetBlockers(from, to int) { c.from, c.to = int32(from), int32(to) }

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
	if c.few == nil {
		return nil
	}
	return c.few.Vote
}

// Priority returns the priority of a queue's item; nil: it has none.
func (c *Claim) Priority() *int64 {
	if c.few == nil {
		return nil
	}
	return c.few.Priority
}

// MakeRare returns the place for what few claims have.
func (c *Claim) MakeRare() *Rare {
	if c.few == nil {
		c.few = new(Rare)
	}
	return c.few
}

// Taker returns the last session that was seen working on an item; 0: none was.
func (c *Claim) Taker() znode.SessionID {
	if c.few == nil {
		return 0
	}
	return c.few.Taker
}

// FirstVote returns the first vote that was seen of a site; empty: none.
func (c *Claim) FirstVote() string {
	if c.few == nil {
		return ""
	}
	return c.few.First
}

// SetWhy gives the claim words of its own for what Why returns.
func (c *Claim) SetWhy(why string) { c.MakeRare().why = why }

// Why says in one line, safe for a terminal, why the claim has its role or what it waits for.
func (c *Claim) Why() string {
	if c.few != nil && c.few.why != "" {
		return c.few.why
	}
	text := c.Reason.text(c)
	switch c.Tied {
	case TiedByArrival:
		text += ", a tie that arrival decides"
	case TiedByName:
		text += ", a tie that the name decides"
	}
	if c.Reason.waits() && c.Proof() == Refuted {
		text += ", but does not watch it"
	}
	return text
}

// seqText returns the sequence number as it is spelled in the znode's name; empty when there is none.
func (c *Claim) seqText() string {
	if !c.HasSeq {
		return ""
	}
	name := layout.ParseName(c.Node())
	return name.SeqText()
}

// Moment is a time in microseconds since the Unix epoch; 0 stands for none.
type Moment int64

// never is the moment of what is known to have no known time.
const never Moment = -1 << 63

// MomentOf returns a time as a Moment; of the zero time it is 0.
func MomentOf(t time.Time) Moment {
	if t.IsZero() {
		return 0
	}
	return Moment(t.UnixMicro())
}

// Time returns the moment as a UTC time; the zero time when there is none.
func (m Moment) Time() time.Time {
	if m == 0 || m == never {
		return time.Time{}
	}
	return time.UnixMicro(int64(m)).UTC()
}
