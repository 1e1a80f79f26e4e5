package paint

import "github.com/zkscope/zkscope/internal/term"

// Column is one of a table: its title and how wide it is.
type Column struct {
	Title string
	W     int  // 0: it takes what is free, shared with the others of no width
	Min   int  // of one without a width, how little it may become
	Rank  int  // where there is no room the columns of the highest rank go first; those of rank 0 never
	Right bool // aligned to the right
	Path  bool // cut in its middle
	Name  bool // of clients, cut so that both ends stay
}

// Grid is columns with the widths that they have on a screen; zero where there was no room for one.
type Grid struct {
	t    *Theme
	cols []Column
	w    []int
}

// leadGrid is the cell of the cursor, before the columns.
const leadGrid = 1

// Grid divides w cells between columns.
func (t *Theme) Grid(w int, cols ...Column) Grid {
	g := Grid{t: t, cols: cols, w: make([]int, len(cols))}
	rank := 0
	for i := range cols {
		rank = max(rank, cols[i].Rank)
	}
	for ; ; rank-- {
		free, flex := w-leadGrid, 0
		for i, c := range cols {
			if g.w[i] = 0; c.Rank > rank {
				continue
			}
			free -= max(c.W, c.Min) + 1
			g.w[i] = max(c.W, c.Min)
			flex += BoolInt(c.W == 0)
		}
		if free >= 0 || rank <= 0 {
			g.share(max(0, free), flex)
			return g
		}
	}
}

// share gives what is free to the columns without a width.
func (g *Grid) share(free, flex int) {
	for i, c := range g.cols {
		if c.W == 0 && g.w[i] > 0 {
			part := free / flex
			g.w[i] += part
			free -= part
			flex--
		}
	}
}

// Shows reports whether there was room for a column.
func (g *Grid) Shows(i int) bool { return g.w[i] > 0 }

// Width is how many cells a column has; 0: there was no room for it.
func (g *Grid) Width(i int) int { return g.w[i] }

// Head is the titles.
func (g *Grid) Head() Line {
	text := " "
	for i, c := range g.cols {
		if g.w[i] > 0 {
			text += g.fit(i, c.Title) + " "
		}
	}
	return Line{Dim.Text(text)}
}

// Row is a row with one span for each column. Their texts must have passed through term.Safe.
func (g *Grid) Row(spans ...Span) Line {
	out := make(Line, 1, len(spans)+1)
	out[0] = Plain.Text(" ")
	for i, s := range spans {
		if g.w[i] > 0 {
			out = append(out, s.Style.Text(g.fit(i, s.Text)+" "))
		}
	}
	return out
}

// fit is a text in the width of a column.
func (g *Grid) fit(i int, text string) string {
	c, w := &g.cols[i], g.w[i]
	switch {
	case c.Path:
		return term.Pad(term.CutMiddle(text, w, g.t.Ellipsis), w)
	case c.Name:
		return term.Pad(term.CutName(text, w, g.t.Ellipsis), w)
	case c.Right:
		return term.PadLeft(term.Cut(text, w, g.t.Ellipsis), w)
	}
	return term.Fit(text, w, g.t.Ellipsis)
}
