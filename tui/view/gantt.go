package view

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// span is a stretch of time in cells, of which each begins at a whole unit.
type span struct {
	unit  time.Duration
	first int64 // unit since the epoch that the first cell is
	n     int   // cells
}

// spanOf is so many cells for a story: all of it, or where it is zoomed in by steps a part of it around a moment.
func spanOf(c *chronicle.Chronicle, at time.Time, zoom, w int) span {
	s := span{n: max(1, w)}
	i := 0
	for ; i < len(chart.Units)-1; i++ {
		s.unit = chart.Units[i]
		if c.End.UnixNano()/int64(s.unit)-c.Begin.UnixNano()/int64(s.unit) < int64(s.n) {
			break
		}
	}
	s.unit = chart.Units[max(0, min(i-zoom, len(chart.Units)-1))]
	cell := func(t time.Time) int64 { return t.UnixNano() / int64(s.unit) }
	begin, end := cell(c.Begin), cell(c.End)
	s.first = max(begin, min(cell(at)-int64(s.n/2), end-int64(s.n)+1))
	s.n = int(min(int64(s.n), end-s.first+1))
	return s
}

// from is when a cell begins.
func (s *span) from(i int) time.Time { return time.Unix(0, (s.first+int64(i))*int64(s.unit)) }

// cell is the cell of a moment; before the first or behind the last it lies outside.
func (s *span) cell(at time.Time) int { return int(at.UnixNano()/int64(s.unit) - s.first) }

// The signs of a lane: somebody waits, holds, is asked to let go, loses its session, is broken; nobody saw what was.
type ganttSigns struct{ wait, hold, asked, expired, broken, unseen, cursor string }

func signsOf(t *paint.Theme) ganttSigns {
	if t.Ellipsis == term.ASCII().Ellipsis {
		return ganttSigns{"-", "=", "?", "x", "X", ":", "|"}
	}
	return ganttSigns{"─", "━", "?", "✗", "╳", "░", "┃"}
}

// lane draws what became of an owner's claims in the cells of a span; the cell of the cursor stands out.
func (s *span) lane(t *paint.Theme, c *chronicle.Chronicle, stays []*chronicle.Stay, cursor int) paint.Line {
	signs := signsOf(t)
	cells := make([]paint.Span, s.n)
	for i := range cells {
		cells[i] = paint.Plain.Text(" ")
	}
	fill := func(from, to time.Time, style paint.Style, sign string) {
		if to.After(from) {
			to = to.Add(-1) // a cell that begins when it ends is that of what comes next
		}
		for i := max(0, s.cell(from)); i <= min(s.n-1, s.cell(to)); i++ {
			cells[i] = style.Text(sign)
		}
	}
	for _, x := range stays {
		end := orEnd(x.Left.At, c.End)
		fill(x.Came.At, end, paint.Dim, signs.wait)
	}
	for _, x := range stays { // who holds is drawn over who waits
		if !x.Held.At.IsZero() {
			fill(x.Held.At, orEnd(x.Left.At, c.End), paint.Good, signs.hold)
		}
	}
	for _, g := range c.Gaps {
		fill(g.From, g.To, paint.Dim, signs.unseen)
	}
	for _, x := range stays {
		if !x.Asked.At.IsZero() {
			fill(x.Asked.At, x.Asked.At, paint.Warn, signs.asked)
		}
		switch x.How {
		case chronicle.Expired:
			fill(x.Left.At, x.Left.At, paint.Alert, signs.expired)
		case chronicle.Broken:
			fill(x.Left.At, x.Left.At, paint.Alert, signs.broken)
		}
	}
	if cursor >= 0 && cursor < s.n {
		cells[cursor] = paint.Bold.Text(signs.cursor)
	}
	return cells
}

// orEnd is a moment, or the end of a story where there is none.
func orEnd(at, end time.Time) time.Time {
	if at.IsZero() {
		return end
	}
	return at
}

// axis is the times over the lanes, so many cells apart that they can be read, and how long a cell is.
func (s *span) axis(clock func(time.Time) string) string {
	const apart = 16
	var b strings.Builder
	for i := 0; i < s.n; i += apart {
		at := clock(s.from(i))
		if s.unit < time.Second {
			at += s.from(i).Format(".0")
		}
		b.WriteString(term.Fit("|"+at, min(apart, s.n-i), ""))
	}
	return b.String()
}

// scale says how long a cell is.
func (s *span) scale() string { return "1 cell = " + say.Fine(s.unit) }
