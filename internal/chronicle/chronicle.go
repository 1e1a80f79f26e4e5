// Package chronicle tells what became of every claim of a recipe over a history: when it came, when it held, when and how
// it went.
//
// It follows a recording state by state, decodes no more than the recipe's own part of the tree, and takes from the decoder
// who holds and who waits. How a claim ended is what the history records of it: files of servers tell which session deleted
// a znode, and whether a session was closed by its client or ended by the server; a recording of ours does not.
//
// # Concurrency
//
// Everything is for one goroutine; what is returned is plain values.
package chronicle

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Ending is how a claim went.
type Ending string

// How a claim can end.
const (
	Here     Ending = ""         // it is still there at the end of the history
	Released Ending = "released" // the session that owns it, or, where none does, that made it, deleted it
	Closed   Ending = "closed"   // its client closed the session
	LetGo    Ending = "let go"   // one of the two; no history says this, only who watched
	Expired  Ending = "expired"  // the server ended its session
	Broken   Ending = "broken"   // another session than its owner deleted it
	Deleted  Ending = "deleted"  // no session owns it, and one deleted it that did not make it, or of which that is not known
	Gone     Ending = "gone"     // the history does not tell how
)

// Cause is what a history records of the change that led to a state.
type Cause struct {
	Session znode.SessionID // who did it; 0: not told
	Ended   bool            // a session ended
	Makes   bool            // it made a znode that no session owns
	Server  bool            // by the server: it expired, or an administrator ended it
	Zxid    znode.Zxid
	Silent  Span   // of a session that the server ended: when its client was heard last, as far as that follows; zero: not told
	File    string // which records it
	Offset  int64  // where in that file
}

// Caused is a tape that tells causes.
type Caused interface {
	files.Tape
	// Cause tells of the change that led to the state.
	Cause() Cause
	// NextIn goes on to the next state in which something at or below one of the directories may have changed; io.EOF where
	// there is none.
	NextIn(dirs ...string) error
}

// Moment is when something came about, and what records it.
type Moment struct {
	At    time.Time // zero: not in this history
	From  time.Time // not zero: a recording has a gap from then to At, in which it came about while nobody saw it
	Cause *Cause    // nil: the history does not tell; see By
}

// By returns what led to it; zero where the history does not tell.
func (m Moment) By() Cause {
	if m.Cause == nil {
		return Cause{}
	}
	return *m.Cause
}

// Stay is what became of one claim.
type Stay struct {
	Claim    model.ClaimID
	Node     string
	Owner    string
	Session  znode.SessionID
	Role     model.Role      // the last one
	Position int             // in line, when it came
	Of       int             // how many claims there were then; 0: it came unseen, and where in line is not known
	Start    bool            // it was there when the history begins
	Came     Moment          // when its znode was made
	MadeBy   znode.SessionID // the session that made its znode; 0: the history does not tell
	Held     Moment          // when it came to hold, or to lead; zero: it never did
	HeldFrom bool            // it held when the history begins: since when is not known
	Doubt    bool            // whether it held is not known: it reads, or waits for a later writer, which only watches tell; or it went unseen. Held is the earliest that it can have
	Asked    Moment          // when it was asked to let go
	Left     Moment          // when it went
	How      Ending
}

// Waited returns for how long a claim waited until it held, until it went, or until now.
func (s *Stay) Waited(now time.Time) time.Duration {
	switch {
	case !s.Held.At.IsZero():
		return max(0, s.Held.At.Sub(s.Came.At))
	case !s.Left.At.IsZero():
		return max(0, s.Left.At.Sub(s.Came.At))
	}
	return max(0, now.Sub(s.Came.At))
}

// HeldFor returns for how long a claim held, until it went or until now.
func (s *Stay) HeldFor(now time.Time) time.Duration {
	switch {
	case s.Held.At.IsZero():
		return 0
	case !s.Left.At.IsZero():
		return max(0, s.Left.At.Sub(s.Held.At))
	}
	return max(0, now.Sub(s.Held.At))
}

// Between returns how long it was from one moment to another, at least and at most: they differ where one was not seen.
func Between(a, b Moment) (least, most time.Duration) {
	first, last := a.At, b.At
	if !a.From.IsZero() {
		first = a.From
	}
	if !b.From.IsZero() {
		last = b.From
	}
	return max(0, last.Sub(a.At)), max(0, b.At.Sub(first))
}

// Span is a stretch of time.
type Span struct{ From, To time.Time }

// Chronicle is the history of one recipe.
type Chronicle struct {
	Path       string
	Kind       layout.Kind // empty: there was never a recipe, or none is known: see Unknown
	Unknown    string      // why it is not known whether there was one, where Kind is empty; empty: there was none
	Begin, End time.Time   // of the history that was looked at
	Stays      []*Stay     // in the order in which they came
	Nobody     []Span      // when nobody held or led, although the recipe was there; the last one may go on
	Findings   []*Found    // in the order in which they began
	MoreFound  int         // findings of low severity that were too many to keep
	Gaps       []Span      // of a recording: in which nobody saw what happened
	States     int         // in which something of the recipe had changed
	Together   int         // of those, at which findings were not looked for, since it changed too often; see TogetherText
}

// claims compares the claims of a state with those that were there before.
func (f *follower) claims(snap *znode.Snapshot, m *model.Model, at Moment, first bool) {
	now := map[model.ClaimID]bool{}
	held := false
	if m != nil {
		f.kinds.note(m.Kind, 0)
		f.passed(m)
		for i := range m.Claims {
			c := &m.Claims[i]
			if c.HasNote(model.NoteHasLease) {
				continue // it is told with its lease
			}
			now[c.ID()] = true
			f.claim(m.Kind, c, len(m.Claims), at, first)
			held = held || holds(c.Role())
		}
	}
	for id, s := range f.here {
		if !now[id] {
			if s.Left, s.How = at, ending(s, at.By()); stands(snap, id) {
				s.How = Gone // it is no claim any more, and nobody deleted it
			}
			f.mayHaveHeld(s)
			delete(f.here, id)
		}
	}
	f.out.Kind = f.kinds.kind()
	f.nobody(m != nil && !held && m.Kind.Waits(), at.At)
	f.findings(m, at)
}

// passed lets what is told of a claim that waited go on with the lease that it got by another znode.
func (f *follower) passed(m *model.Model) {
	for c, o := range model.Passed(f.model, m) {
		if s := f.here[o.ID()]; s != nil {
			delete(f.here, s.Claim)
			s.Claim, s.Node = c.ID(), c.Node()
			f.here[s.Claim] = s
		}
	}
}

// mayHaveHeld notes of a claim that waited when a gap began, and was gone at its end, that it may have held in it.
func (f *follower) mayHaveHeld(s *Stay) {
	if s.Left.From.IsZero() || !s.Held.At.IsZero() || !f.kinds.kind().Waits() {
		return
	}
	s.Doubt, s.Held.At = true, s.Left.From
	if s.Came.At.After(s.Left.From) {
		s.Held.At = s.Came.At
	}
}

func (f *follower) claim(k layout.Kind, c *model.Claim, of int, at Moment, first bool) {
	s := f.here[c.ID()]
	if s == nil {
		s = f.arrive(k, c, of, at, first)
	}
	s.Owner, s.Session, s.Role = f.name(c), c.Session, c.Role()
	if holds(c.Role()) && s.Held.At.IsZero() {
		if s.Held, s.HeldFrom = at, first && of > 1; first && of == 1 {
			s.Held.At = c.Created()
		}
		if !s.Held.From.IsZero() && s.Came.From.IsZero() && s.Held.From.Before(s.Came.At) {
			s.Held.From = s.Came.At
		}
	}
	if c.Reason == model.UnlessOld && (first || at.At.Sub(s.Held.At) < looksWithin) {
		s.Doubt = true
	}
	if c.Revoked && s.Asked.At.IsZero() {
		s.Asked = at
	}
}

// arrive notes a claim that came, as one of so many.
func (f *follower) arrive(k layout.Kind, c *model.Claim, of int, at Moment, first bool) *Stay {
	id := c.ID()
	f.kinds.note(k, 1)
	s := &Stay{Claim: id, Node: id.Path[strings.LastIndexByte(id.Path, '/')+1:], Owner: f.name(c), Session: c.Session, Position: c.Position(), Of: of, Came: at, Start: first, MadeBy: f.makes[c.Czxid()]}
	if made := c.Created(); first || !at.From.IsZero() && !made.Before(at.From) && !made.After(at.At) {
		s.Came = Moment{At: made} // its znode tells, although nobody saw it come
	}
	if !first && !at.From.IsZero() {
		s.Position, s.Of = 0, 0
	}
	f.here[id] = s
	f.out.Stays = append(f.out.Stays, s)
	return s
}

// name is the owner's, kept once for all claims.
func (f *follower) name(c *model.Claim) string {
	name := c.Owner()
	if kept, ok := f.names[name]; ok {
		return kept
	}
	f.names[name] = name
	return name
}

// stands reports whether the znode of a claim is still there.
func stands(s *znode.Snapshot, id model.ClaimID) bool {
	n := s.At(id.Path)
	return n != nil && n.Czxid == id.Czxid
}

// looksWithin is how soon a client has read the line after its turn came: a reader that saw no writer by then reads, whoever
// comes later.
const looksWithin = 10 * time.Second

func holds(r model.Role) bool { return r == model.Holder || r == model.Leader }

// ending is how a claim went.
func ending(s *Stay, c Cause) Ending {
	switch {
	case c.Session == 0:
		return Gone
	case c.Ended && c.Session != s.Session:
		return Gone
	case c.Ended && c.Server:
		return Expired
	case c.Ended:
		return Closed
	case s.Session != 0 && c.Session != s.Session:
		return Broken
	case s.Session == 0 && c.Session != s.MadeBy:
		return Deleted
	}
	return Released
}

// nobody notes since when nobody holds, and until when.
func (f *follower) nobody(is bool, at time.Time) {
	switch {
	case is && f.free.IsZero():
		f.free = at
	case !is && !f.free.IsZero():
		if at.After(f.free) {
			f.out.Nobody = append(f.out.Nobody, Span{f.free, at})
		}
		f.free = time.Time{}
	}
}
