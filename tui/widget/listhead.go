package widget

import "github.com/zkscope/zkscope/tui/paint"

// Part has the rows at the top of which f says so drawn apart, in a window of their own: see DrawHead. Those of one sort
// stand together there.
func (l *List[ID, T]) Part(f func(r *T) (sort string, apart bool)) { l.apart = f }

// Head is how many lines at the top are drawn apart.
func (l *List[ID, T]) Head() int {
	n := 0
	for l.apart != nil && n < l.Len() {
		r, _ := l.Line(n)
		if _, apart := l.apart(r); !apart {
			break
		}
		n++
	}
	return n
}

// HeadLine is a line of the head as it is drawn, and how many are not that would stand beside it.
type HeadLine struct {
	Line  paint.Line
	Above int // that are above
	Alike int // of its own sort, below
	Below int // of other sorts, below
}

// DrawHead draws the head in at most h lines of w cells. Each sort has a line before one has two; where there are more sorts
// than lines, the last line is of the sort that the selection is in.
func (l *List[ID, T]) DrawHead(look Look[ID, T], w, h int) (out []HeadLine) {
	l.heads = l.heads[:0]
	for _, s := range l.headSpans(h) {
		for i := range s.rows {
			line := HeadLine{Line: l.draw(&look, s.top+i, w)}
			if i == s.rows-1 {
				line.Above, line.Alike, line.Below = s.above+s.top-s.from, s.to-s.top-s.rows, s.below
			}
			l.heads, out = append(l.heads, s.top+i), append(out, line)
		}
	}
	return out
}

// HeadAt is the line that row y of what DrawHead drew shows; -1: none.
func (l *List[ID, T]) HeadAt(y int) int {
	if y < len(l.heads) && l.heads[y] < l.Head() {
		return l.heads[y]
	}
	return -1
}

// HeadShows are the rows that DrawHead draws in h lines.
func (l *List[ID, T]) HeadShows(h int) map[ID]bool {
	out := map[ID]bool{}
	for _, s := range l.headSpans(h) {
		for i := range s.rows {
			r, _ := l.Line(s.top + i)
			id, _ := l.ident(r)
			out[id] = true
		}
	}
	return out
}

// headSpan is the lines of a sort, and those of them that are drawn.
type headSpan struct {
	from, to     int // all of them
	top, rows    int // the first that is drawn, and how many
	above, below int // lines of other sorts that are not
}

// headSpans are the sorts of which lines are drawn where there is room for h.
func (l *List[ID, T]) headSpans(h int) []headSpan {
	all, sel := l.sorts()
	if h <= 0 || len(all) == 0 {
		return nil
	}
	if last := h - 1; len(all) > h { // the gravest stay, and the last line goes with the selection
		one := all[max(last, sel)]
		one.above, one.below = one.from-all[last].from, all[len(all)-1].to-one.to
		all = append(all[:last:last], one)
	}
	for spare := h; spare > 0; {
		before := spare
		for i := range all {
			if s := &all[i]; spare > 0 && s.rows < s.to-s.from {
				s.rows++
				spare--
			}
		}
		if spare == before {
			break
		}
	}
	for i := range all {
		all[i].top = l.headTop(&all[i])
	}
	return all
}

// headTop is the first line of a sort that is drawn: the selection is among those that are, if it is of the sort, and
// of the others as many as can be are there still.
func (l *List[ID, T]) headTop(s *headSpan) int {
	first, last := s.from, s.to-s.rows
	if l.at >= s.from && l.at < s.to {
		first, last = max(first, l.at-s.rows+1), min(last, l.at)
	}
	there := func(i int) int {
		_, gone := l.Line(i)
		return paint.BoolInt(gone == nil)
	}
	n := 0
	for i := first; i < first+s.rows; i++ {
		n += there(i)
	}
	best, most := first, n
	for top := first + 1; top <= last && most < s.rows; top++ {
		if n += there(top+s.rows-1) - there(top-1); n > most {
			best, most = top, n
		}
	}
	return best
}

// sorts are the sorts in the head, and which of them the selection is in; -1: none.
func (l *List[ID, T]) sorts() (out []headSpan, sel int) {
	sel = -1
	was := ""
	for i := range l.Head() {
		r, _ := l.Line(i)
		sort, _ := l.apart(r)
		if len(out) == 0 || sort != was {
			out, was = append(out, headSpan{from: i, to: i}), sort
		}
		if out[len(out)-1].to++; i == l.at {
			sel = len(out) - 1
		}
	}
	return out, sel
}
