package order

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Contender is one child of a line as the order rules see it. Only Name is needed; without the czxid
// ties stay with the name, without the session Curator's downgrade is not seen.
type Contender struct {
	Name    string
	Czxid   znode.Zxid
	Session znode.SessionID // the owner; 0: none, or not known
}

// Rule says how a line is served.
type Rule struct {
	Dialect layout.Dialect // of the one who asks
	Limit   int            // how many may hold together; 0 stands for 1
}

// Turn is the answer to the two questions that a client in a line asks: is it my turn, and if not, whom
// do I watch?
type Turn struct {
	Found    bool   // the client's own name is in the line
	Holds    bool   // it is its turn
	Position int    // 0-based place in serving order
	Watch    string // the child to watch while waiting; empty when it holds
	Why      string // one phrase
}

// Turn decides for the client whose child is called mine. Children that are no claims, in any known
// spelling, never hold and are never waited for. Decode decides by the same code, so the console and
// the clients cannot disagree; only that a Curator reader behind its own session's writer is of the same
// thread, and so holds, is taken for granted here. It takes O(n log n), O(n) where all are spelled alike, and does not
// keep children.
func (r Rule) Turn(children []Contender, mine string) Turn {
	if t, ok := r.alike(children, mine); ok {
		return t
	}
	return r.arranged(children, mine)
}

// arranged is Turn by putting the whole line in order.
func (r Rule) arranged(children []Contender, mine string) Turn {
	l := r.line(children, mine)
	for i := range l.Queue {
		if l.Queue[i].Name.Text == mine {
			return l.public(i)
		}
	}
	return Turn{}
}

func (r Rule) line(children []Contender, mine string) *Line {
	l := &Line{Limit: max(1, r.Limit), Queue: make([]Place, 0, len(children))}
	for _, c := range children {
		if p := r.place(c, mine); p.Layout != nil {
			l.Queue = append(l.Queue, p)
		}
	}
	l.Arrange()
	return l
}

// place is a child's as far as its name tells; without a layout it is no claim.
func (r Rule) place(c Contender, mine string) Place {
	p := Place{Name: layout.ParseName(c.Name), Czxid: c.Czxid, Owner: c.Session}
	p.Layout = layout.Of(&p.Name, nil, "")
	if p.Layout != nil && !p.Layout.InLine() {
		p.Layout = nil
	}
	if p.Layout == nil && (r.Dialect == layout.Generic || c.Name == mine) && p.Name.HasSeq && p.Name.Word == "" {
		p.Layout = &layout.NumberedRow
	}
	return p
}

// Place is one claim's place in a line.
type Place struct {
	layout.Name
	Layout *layout.Layout // how its name is spelled; nil: it is no claim
	Node   *znode.Node    // nil when only names are known
	Czxid  znode.Zxid
	Owner  znode.SessionID
}

// Reads reports whether the claim is a reader's.
func (p *Place) Reads() bool { return p.Layout.Mode == layout.Read }

// Line is a queue of claims under one rule: the shared core of locks, read/write locks and elections.
type Line struct {
	Queue []Place // in serving order once arranged
	Order layout.Order
	Limit int  // how many may hold together
	Mixed bool // claims of more than one dialect

	firstWriter int // index of the first claim that is no reader; len(queue) when there is none
}

// Arrange chooses the rule and sorts. Where the claims' own rules differ, arrival decides.
func (l *Line) Arrange() {
	l.Order = layout.ByArrival
	known := true
	for i := range l.Queue {
		p := &l.Queue[i]
		if i == 0 {
			l.Order = p.Layout.Order
		}
		if p.Layout.Order != l.Order {
			l.Order = layout.ByArrival
		}
		l.Mixed = l.Mixed || p.Layout.Dialect != l.Queue[0].Layout.Dialect
		known = known && p.Czxid != 0
	}
	if l.Mixed {
		l.Order = layout.ByArrival
	}
	if l.Order == layout.ByArrival && !known {
		l.Order = layout.ByNumber // only names are known: the number is the best guess at arrival
	}
	slices.SortFunc(l.Queue, func(a, b Place) int { return Compare(l.Order, &a, &b) })
	l.firstWriter = slices.IndexFunc(l.Queue, func(p Place) bool { return !p.Reads() })
	if l.firstWriter < 0 {
		l.firstWriter = len(l.Queue)
	}
}

// Compare orders two claims; equal ones by arrival, then writers first, then by name.
func Compare(o layout.Order, a, b *Place) int {
	c := 0
	switch o {
	case layout.ByNumber:
		c = cmp.Compare(a.Seq, b.Seq)
	case layout.ByText:
		c = strings.Compare(a.SeqText(), b.SeqText())
	case layout.ByMagnitude:
		c = strings.Compare(digits(a.SeqText()), digits(b.SeqText()))
	case layout.ByName:
		c = strings.Compare(a.Text, b.Text)
	}
	if c == 0 && o != layout.ByArrival && a.Layout.Tie == layout.TieByName && b.Layout.Tie == layout.TieByName {
		c = strings.Compare(a.Text, b.Text)
	}
	if c == 0 {
		c = cmp.Compare(a.Czxid, b.Czxid)
	}
	if c == 0 && a.Reads() != b.Reads() {
		if b.Reads() {
			return -1
		}
		return 1
	}
	if c == 0 {
		c = strings.Compare(a.Text, b.Text)
	}
	return c
}

// Tie reports whether two claims have the same number, which does not say then who is first.
func (l *Line) Tie(i, j int) bool {
	a, b := &l.Queue[i], &l.Queue[j]
	return l.Order != layout.ByArrival && l.Order != layout.ByName && a.HasSeq && b.HasSeq && a.Seq == b.Seq
}

// TieRule says what decides a tie.
func (l *Line) TieRule(i int) model.Tied {
	if l.Queue[i].Layout.Tie == layout.TieByName {
		return model.TiedByName
	}
	return model.TiedByArrival
}

func digits(seq string) string { return strings.TrimPrefix(seq, "-") }

// Decision is the decision on one claim, by index.
type Decision struct {
	Holds    bool
	Watch    int          // index of the claim to watch; -1: none
	From, To int          // the claims that must go first, as far as the claim itself can see: queue[from:to]
	Why      model.Reason // of it or of its wait
}

// Turns decides on the whole line in one pass.
func (l *Line) Turns() []Decision {
	out := make([]Decision, len(l.Queue))
	nearest := -1 // the nearest claim ahead that is no reader
	for i := range l.Queue {
		out[i] = l.turn(i, nearest)
		if !l.Queue[i].Reads() {
			nearest = i
		}
	}
	return out
}

// turn decides on one claim, given the nearest non-reader ahead of it.
func (l *Line) turn(i, nearest int) Decision {
	p := &l.Queue[i]
	switch {
	case p.Reads() && nearest < 0:
		return Decision{Holds: true, Watch: -1, Why: model.NoWriterAhead}
	case p.Reads() && l.Downgrades(p):
		return Decision{Holds: true, Watch: -1, Why: model.Downgraded}
	case p.Reads() && p.Layout.Watch == layout.WatchesWriter:
		return Decision{Watch: l.firstWriter, From: l.firstWriter, To: l.firstWriter + 1, Why: model.BehindWriter}
	case p.Reads():
		return Decision{Watch: nearest, From: nearest, To: nearest + 1, Why: model.BehindWriter}
	case i < l.Limit && l.Limit > 1:
		return Decision{Holds: true, Watch: -1, Why: model.AmongFirst}
	case i == 0 && l.Order == layout.ByArrival:
		return Decision{Holds: true, Watch: -1, Why: model.FirstToArrive}
	case i == 0:
		return Decision{Holds: true, Watch: -1, Why: model.Lowest}
	}
	ahead := i - l.Limit
	return Decision{Watch: ahead, From: min(max(nearest+1, 0), ahead), To: ahead + 1, Why: model.Behind}
}

// Downgrades reports whether a Curator reader's session also holds the write lock: it then holds both.
func (l *Line) Downgrades(p *Place) bool {
	head := &l.Queue[0]
	return p.Layout.Dialect == layout.Curator && p.Owner != 0 && head.Owner == p.Owner &&
		head.Layout.Mode == layout.Write && head.Layout.Dialect == layout.Curator
}

func (l *Line) public(i int) Turn {
	nearest := i - 1
	for nearest >= 0 && l.Queue[nearest].Reads() {
		nearest--
	}
	t := l.turn(i, nearest)
	out := Turn{Found: true, Holds: t.Holds, Position: i, Why: t.Why.Words()}
	if t.Watch >= 0 {
		out.Watch = l.Queue[t.Watch].Text
	}
	return out
}

// Wrapped reports whether the counter turned negative while the line stood.
func (l *Line) Wrapped() bool {
	for i := range l.Queue {
		if l.Queue[i].Seq < 0 {
			return true
		}
	}
	return false
}

// LockName is what stands before the dash and the number.
func (p *Place) LockName() string {
	stem := p.Text[:len(p.Text)-len(p.SeqText())]
	return stem[:len(stem)-1]
}
