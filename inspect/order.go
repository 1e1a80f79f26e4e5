package inspect

import (
	"cmp"
	"slices"
	"strings"
)

// Order is a library's rule for comparing two claims of a line. The rules agree until the sequence
// counter turns negative.
type Order uint8

const (
	ByNumber    Order = iota // the number as a signed integer: negative ones first
	ByText                   // the number as text: negative ones first, the largest magnitude last
	ByMagnitude              // the digits as text, the sign lost
	ByArrival                // the order of creation (czxid), which no client but ours can go by
	ByName                   // the whole name as text: how queues are served
)

// String returns how the rule is named in findings.
func (o Order) String() string {
	return [...]string{"integer order", "text order", "order without the sign", "order of arrival", "order of names"}[o%5]
}

// Tie is a library's rule for two claims of the same number, which a server never gives out twice in the life of a
// directory: copied numbers make them (Solr joins at the head, a Curator writer's own reader), and deletion of the
// counter.
type Tie uint8

const (
	TieByArrival Tie = iota // the one created first
	TieByName               // the whole name as text
)

// Contender is one child of a line as the order rules see it. Only Name is needed; without the czxid
// ties stay with the name, without the session Curator's downgrade is not seen.
type Contender struct {
	Name    string
	Czxid   Zxid
	Session SessionID
}

// Rule says how a line is served.
type Rule struct {
	Dialect Dialect // of the one who asks
	Limit   int     // how many may hold together; 0 stands for 1
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
	for i := range l.queue {
		if l.queue[i].Name.Text == mine {
			return l.public(i)
		}
	}
	return Turn{}
}

func (r Rule) line(children []Contender, mine string) *line {
	l := &line{limit: max(1, r.Limit), queue: make([]place, 0, len(children))}
	for _, c := range children {
		if p := r.place(c, mine); p.layout != nil {
			l.queue = append(l.queue, p)
		}
	}
	l.arrange()
	return l
}

// place is a child's as far as its name tells; without a layout it is no claim.
func (r Rule) place(c Contender, mine string) place {
	p := place{Name: ParseName(c.Name), czxid: c.Czxid, session: c.Session}
	p.layout = layoutOf(&p.Name, nil, "")
	if p.layout != nil && !p.layout.inLine() {
		p.layout = nil
	}
	if p.layout == nil && (r.Dialect == Generic || c.Name == mine) && p.Name.HasSeq && p.Name.Word == "" {
		p.layout = &generic
	}
	return p
}

// place is one claim's place in a line.
type place struct {
	Name
	layout  *Layout
	node    *Node // nil when only names are known
	czxid   Zxid
	session SessionID
}

func (p *place) reads() bool { return p.layout.Mode == Read }

// line is a queue of claims under one rule: the shared core of locks, read/write locks and elections.
type line struct {
	queue []place // in serving order once arranged
	order Order
	limit int
	mixed bool // claims of more than one dialect

	firstWriter int // index of the first claim that is no reader; len(queue) when there is none
}

// arrange chooses the rule and sorts. Where the claims' own rules differ, arrival decides.
func (l *line) arrange() {
	l.order = ByArrival
	known := true
	for i := range l.queue {
		p := &l.queue[i]
		if i == 0 {
			l.order = p.layout.Order
		}
		if p.layout.Order != l.order {
			l.order = ByArrival
		}
		l.mixed = l.mixed || p.layout.Dialect != l.queue[0].layout.Dialect
		known = known && p.czxid != 0
	}
	if l.mixed {
		l.order = ByArrival
	}
	if l.order == ByArrival && !known {
		l.order = ByNumber // only names are known: the number is the best guess at arrival
	}
	slices.SortFunc(l.queue, func(a, b place) int { return l.order.compare(&a, &b) })
	l.firstWriter = slices.IndexFunc(l.queue, func(p place) bool { return !p.reads() })
	if l.firstWriter < 0 {
		l.firstWriter = len(l.queue)
	}
}

// compare orders two claims; equal ones by arrival, then writers first, then by name.
func (o Order) compare(a, b *place) int {
	c := 0
	switch o {
	case ByNumber:
		c = cmp.Compare(a.Seq, b.Seq)
	case ByText:
		c = strings.Compare(a.SeqText(), b.SeqText())
	case ByMagnitude:
		c = strings.Compare(digits(a.SeqText()), digits(b.SeqText()))
	case ByName:
		c = strings.Compare(a.Text, b.Text)
	}
	if c == 0 && o != ByArrival && a.layout.Tie == TieByName && b.layout.Tie == TieByName {
		c = strings.Compare(a.Text, b.Text)
	}
	if c == 0 {
		c = cmp.Compare(a.czxid, b.czxid)
	}
	if c == 0 && a.reads() != b.reads() {
		if b.reads() {
			return -1
		}
		return 1
	}
	if c == 0 {
		c = strings.Compare(a.Text, b.Text)
	}
	return c
}

// tie reports whether two claims have the same number, which does not say then who is first.
func (l *line) tie(i, j int) bool {
	a, b := &l.queue[i], &l.queue[j]
	return l.order != ByArrival && l.order != ByName && a.HasSeq && b.HasSeq && a.Seq == b.Seq
}

// tieRule says what decides a tie.
func (l *line) tieRule(i int) tied {
	if l.queue[i].layout.Tie == TieByName {
		return tiedByName
	}
	return tiedByArrival
}

func digits(seq string) string { return strings.TrimPrefix(seq, "-") }

// turn is the decision on one claim, by index.
type turn struct {
	holds    bool
	watch    int // index of the claim to watch; -1: none
	from, to int // the claims that must go first, as far as the claim itself can see: queue[from:to]
	why      reason
}

// turns decides on the whole line in one pass.
func (l *line) turns() []turn {
	out := make([]turn, len(l.queue))
	nearest := -1 // the nearest claim ahead that is no reader
	for i := range l.queue {
		out[i] = l.turn(i, nearest)
		if !l.queue[i].reads() {
			nearest = i
		}
	}
	return out
}

// turn decides on one claim, given the nearest non-reader ahead of it.
func (l *line) turn(i, nearest int) turn {
	p := &l.queue[i]
	switch {
	case p.reads() && nearest < 0:
		return turn{holds: true, watch: -1, why: noWriterAhead}
	case p.reads() && l.downgrades(p):
		return turn{holds: true, watch: -1, why: downgraded}
	case p.reads() && p.layout.Watch == WatchesWriter:
		return turn{watch: l.firstWriter, from: l.firstWriter, to: l.firstWriter + 1, why: behindWriter}
	case p.reads():
		return turn{watch: nearest, from: nearest, to: nearest + 1, why: behindWriter}
	case i < l.limit && l.limit > 1:
		return turn{holds: true, watch: -1, why: amongFirst}
	case i == 0 && l.order == ByArrival:
		return turn{holds: true, watch: -1, why: firstToArrive}
	case i == 0:
		return turn{holds: true, watch: -1, why: lowest}
	}
	ahead := i - l.limit
	return turn{watch: ahead, from: min(max(nearest+1, 0), ahead), to: ahead + 1, why: behind}
}

// downgrades reports whether a Curator reader's session also holds the write lock: it then holds both.
func (l *line) downgrades(p *place) bool {
	head := &l.queue[0]
	return p.layout.Dialect == Curator && p.session != 0 && head.session == p.session &&
		head.layout.Mode == Write && head.layout.Dialect == Curator
}

func (l *line) public(i int) Turn {
	nearest := i - 1
	for nearest >= 0 && l.queue[nearest].reads() {
		nearest--
	}
	t := l.turn(i, nearest)
	out := Turn{Found: true, Holds: t.holds, Position: i, Why: reasons[t.why]}
	if t.watch >= 0 {
		out.Watch = l.queue[t.watch].Text
	}
	return out
}
