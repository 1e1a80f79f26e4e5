package widget

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/tui/paint"
)

// How long a row that has come stands out, how long one that went away stays in sight, and how many of those at most.
const (
	freshFor = 5 * time.Second
	GoneFor  = 4 * time.Second
	maxGone  = 4
)

// The signs of a row that has come, and of one that went away.
const (
	CameSign = "+"
	GoneSign = "-"
)

// List is rows of which one is selected, by its identity: it stays selected when rows come, go and change places, and, where
// that is wanted, also when it is gone itself. Rows that went away stay in sight for a moment where they stood; they cannot
// be selected. All indices are of lines as they are shown, with those that are gone.
type List[ID comparable, T any] struct {
	Loose bool // the selection stays with whatever is first
	Hold  bool // the selection stays on its row when that goes away
	Top   int  // the first line that is on the screen

	ident func(*T) (id ID, selectable bool)
	is    func(*T, ID) bool
	alias func(sel ID, r *T) bool
	keep  func(*T) bool
	apart func(*T) (sort string, apart bool)
	all   []T // with those that are filtered away
	rows  []T
	gone  []Gone[ID, T] // in the order of their places
	went  []Gone[ID, T] // will be gone with the rows that are filled in next
	came  map[ID]time.Time
	calm  bool // what was filled in last does not lead to what comes next
	sel   ID
	at    int // the line of the selection; -1: none

	height int   // how many lines are on the screen
	heads  []int // the lines of the head that are on the screen
}

// Gone is a row that went away.
type Gone[ID comparable, T any] struct {
	Item T
	At   time.Time // when it went
	Held bool      // it is still selected

	id, after ID  // itself, and the row behind which it stood
	row, line int // where it stood among the rows, and among the lines with those that were gone then
	pos       int // the row in front of which it is shown; -1: it is not
}

// NewList makes an empty list of rows that ident identifies. The zero identity is that of no row; one that cannot be
// selected may have an identity, to be told from others.
func NewList[ID comparable, T any](ident func(*T) (id ID, selectable bool)) List[ID, T] {
	is := func(r *T, id ID) bool {
		x, can := ident(r)
		return can && x == id
	}
	return List[ID, T]{ident: ident, is: is, calm: true, at: -1}
}

// Match sets how a row is found by the identity of the selection, where that is more than being equal.
func (l *List[ID, T]) Match(is func(*T, ID) bool) { l.is = is }

// Follow sets what the selection goes over to where its row is not there: the first row of which f is true.
func (l *List[ID, T]) Follow(f func(sel ID, r *T) bool) { l.alias = f }

// Fill replaces the rows. Those that keep does not want are not shown; a nil one keeps all.
func (l *List[ID, T]) Fill(all []T, keep func(*T) bool, now time.Time) {
	first, down := l.topID(), l.down()
	l.part()
	there := l.find(all)
	l.hold(there, now)
	l.all, l.rows, l.keep = all, all, keep
	if keep != nil {
		l.rows = slices.Collect(func(yield func(T) bool) {
			for i := range all {
				if keep(&all[i]) && !yield(all[i]) {
					return
				}
			}
		})
	}
	l.place()
	l.calm = false
	l.reselect()
	switch at := l.line(first); {
	case l.Loose:
	case down >= 0 && l.at >= l.Head(): // what comes and goes does not move the row under the eye
		l.Top = max(l.Head(), l.at-down)
	case at >= 0: // nor, above the screen, what is on it
		l.Top = at
	}
}

// down is how far down on the screen the selected row is; -1: it is not on it.
func (l *List[ID, T]) down() int {
	if n := l.at - l.Top; l.at >= l.Head() && n >= 0 && n < l.height {
		return n
	}
	return -1
}

// topID is the first row on the screen; zero: it is none that stays.
func (l *List[ID, T]) topID() (id ID) {
	if l.Top > l.Head() && l.Top < l.Len() {
		if r, gone := l.Line(l.Top); gone == nil {
			id, _ = l.ident(r)
		}
	}
	return id
}

// reselect finds the line of the selected row, or selects what stands where it stood.
func (l *List[ID, T]) reselect() {
	switch at := l.line(l.sel); {
	case l.Loose:
		l.settle(0, 1)
	case at >= 0:
		l.at = at
	default:
		l.settle(max(l.at, 0), 1)
	}
}

// find reports whether the selected row is among some, and forgets what is back of those that were gone.
func (l *List[ID, T]) find(all []T) bool {
	var zero ID
	there, other := false, zero
	for i := range all {
		r := &all[i]
		there = there || l.is(r, l.sel)
		if len(l.gone) > 0 {
			if id, _ := l.ident(r); id != zero {
				l.gone = slices.DeleteFunc(l.gone, func(g Gone[ID, T]) bool { return g.id == id })
			}
		}
		if l.alias != nil && !there && other == zero && l.sel != zero {
			if id, can := l.ident(r); can && l.alias(l.sel, r) {
				other = id
			}
		}
	}
	if !there && other != zero {
		l.sel, there = other, true
	}
	return there
}

// hold keeps the selection on its row when that is not there any more, and lets go of one that was kept before.
func (l *List[ID, T]) hold(there bool, now time.Time) {
	var zero ID
	kept := false
	for i := range l.gone {
		l.gone[i].Held = l.Hold && !l.Loose && !there && l.is(&l.gone[i].Item, l.sel)
		kept = kept || l.gone[i].Held
	}
	l.gone = slices.DeleteFunc(l.gone, func(g Gone[ID, T]) bool { return !g.Held && now.Sub(g.At) >= GoneFor })
	if there || kept || !l.Hold || l.Loose || l.sel == zero {
		return
	}
	for i := range l.all {
		if l.is(&l.all[i], l.sel) {
			g := l.leaving(i, now)
			g.Held = true
			l.gone = append(l.gone, g)
			return
		}
	}
}

// leaving is a row that goes away.
func (l *List[ID, T]) leaving(i int, at time.Time) Gone[ID, T] {
	g := Gone[ID, T]{Item: l.all[i], At: at, row: i, line: i, pos: -1}
	g.id, _ = l.ident(&l.all[i])
	if i > 0 {
		g.after, _ = l.ident(&l.all[i-1])
	}
	for k := range l.gone { // those that went before it stay before it
		g.line += paint.BoolInt(l.gone[k].pos >= 0 && l.gone[k].pos <= i)
	}
	return g
}

// place finds where those that are gone are shown: behind what they stood behind, which may be gone as well.
func (l *List[ID, T]) place() {
	if len(l.gone) == 0 {
		return
	}
	var zero ID
	where := make(map[ID]int, len(l.gone))
	for i := range l.gone {
		where[l.gone[i].after] = -1
	}
	for i := range l.rows {
		id, _ := l.ident(&l.rows[i])
		if _, asked := where[id]; asked {
			where[id] = i + 1
		}
	}
	sorted.By(l.gone, func(x, y Gone[ID, T]) int { return x.line - y.line })
	for i := range 2 * len(l.gone) { // twice: what it stood behind may have gone later
		g := &l.gone[i%len(l.gone)]
		switch at := where[g.after]; {
		case l.keep != nil && !l.keep(&g.Item):
			g.pos = -1
			continue
		case g.after != zero && at >= 0:
			g.pos = at
		default:
			g.pos = min(g.row, len(l.rows))
		}
		if _, asked := where[g.id]; asked {
			where[g.id] = g.pos
		}
	}
	sorted.By(l.gone, func(x, y Gone[ID, T]) int { return x.pos - y.pos })
}

// shown are those that are gone and shown.
func (l *List[ID, T]) shown() []Gone[ID, T] {
	n := 0
	for n < len(l.gone) && l.gone[n].pos < 0 {
		n++
	}
	return l.gone[n:]
}

// Len is how many lines there are.
func (l *List[ID, T]) Len() int { return len(l.rows) + len(l.shown()) }

// Rows are the rows that are there and shown.
func (l *List[ID, T]) Rows() []T { return l.rows }

// Line is the row in a line, and that it is gone, or nil.
func (l *List[ID, T]) Line(i int) (*T, *Gone[ID, T]) {
	gone := l.shown()
	for k := range gone {
		switch at := gone[k].pos + k; {
		case at == i:
			return &gone[k].Item, &gone[k]
		case at > i:
			return &l.rows[i-k], nil
		}
	}
	return &l.rows[i-len(gone)], nil
}

// line is where a row is shown that is there or held; -1: it is not.
func (l *List[ID, T]) line(id ID) int {
	gone := l.shown()
	for k := range gone {
		if gone[k].Held && l.is(&gone[k].Item, id) {
			return gone[k].pos + k
		}
	}
	for i := range l.rows {
		if l.is(&l.rows[i], id) {
			for k := range gone {
				if gone[k].pos <= i {
					continue
				}
				return i + k
			}
			return i + len(gone)
		}
	}
	return -1
}

// Selected is the identity of the selected row; zero: none is.
func (l *List[ID, T]) Selected() ID { return l.sel }

// Select selects a row by its identity, whether it is there already or comes with the next that are filled in.
func (l *List[ID, T]) Select(id ID) {
	l.sel = id
	if at := l.line(id); at >= 0 {
		l.at = at
	}
}

// At is the line of the selection; -1: none.
func (l *List[ID, T]) At() int { return l.at }

// Current is the selected row, and that it is gone, or nil.
func (l *List[ID, T]) Current() (*T, *Gone[ID, T]) {
	if l.at < 0 || l.at >= l.Len() {
		return nil, nil
	}
	return l.Line(l.at)
}

// Choose selects a line, if it can be; it reports whether it could.
func (l *List[ID, T]) Choose(i int) bool {
	if i < 0 || i >= l.Len() || !l.selectable(i) {
		return false
	}
	r, _ := l.Line(i)
	l.at = i
	l.sel, _ = l.ident(r)
	for k := range l.gone {
		l.gone[k].Held = l.gone[k].Held && l.is(&l.gone[k].Item, l.sel)
	}
	return true
}

func (l *List[ID, T]) selectable(i int) bool {
	r, gone := l.Line(i)
	_, can := l.ident(r)
	return can && gone == nil
}

// settle selects the row at or nearest to line i, looking in direction step first.
func (l *List[ID, T]) settle(i, step int) {
	i = max(0, min(i, l.Len()-1))
	for _, s := range []int{step, -step} {
		for j := i; j >= 0 && j < l.Len(); j += s {
			if l.Choose(j) {
				return
			}
		}
	}
	l.at = l.line(l.sel) // what was selected is so again when it is there again
}

// First selects the first row.
func (l *List[ID, T]) First() { l.settle(0, 1) }

// Settle selects the row at or nearest to a line.
func (l *List[ID, T]) Settle(i int) { l.settle(i, 1) }

// Move shifts the selection by n lines, over what cannot be selected; where nothing can be it scrolls. h is how many lines
// are on the screen.
func (l *List[ID, T]) Move(n, h int) {
	if l.Loose = false; l.at < 0 {
		l.Top = max(0, min(l.Top+n, l.Len()-h))
		return
	}
	step := 1
	if n < 0 {
		step = -1
	}
	l.settle(l.at+n, step)
	if l.at == l.Head() || step < 0 && l.at <= l.Top && l.at > l.Head() { // the headings above the first line come into sight with it
		for l.Top = l.at; l.Top > l.Head() && !l.selectable(l.Top-1); l.Top-- {
		}
	}
}

// window is the lines that are shown on h lines of the screen, from one and up to another, the selection among them.
func (l *List[ID, T]) window(h int) (from, to int) {
	head := l.Head()
	l.height = h
	l.Top = head + paint.Scroll(l.Top-head, l.at-head, l.Len()-head, h)
	return l.Top, min(l.Len(), l.Top+h)
}
