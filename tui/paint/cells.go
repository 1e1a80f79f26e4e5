package paint

import (
	"github.com/zkscope/zkscope/internal/term"
)

// Cells joins columns: each a text, a width and a style. A width of zero takes what is left of w.
func (t *Theme) Cells(w int, cols ...Cell) Line {
	fixed, flex := 1, 0
	for _, c := range cols {
		if fixed += c.w + 1; c.w == 0 {
			flex++
		}
	}
	rest := max(0, w-fixed)
	out := Line{Plain.Text(" ")}
	for _, c := range cols {
		n := c.w
		if n == 0 {
			n = rest / max(1, flex)
		}
		text := term.Fit(c.text, n, t.Ellipsis)
		switch {
		case c.right:
			text = term.PadLeft(term.Cut(c.text, n, t.Ellipsis), n)
		case c.path:
			text = term.FitLeft(c.text, n, t.Ellipsis)
		}
		out = append(out, c.style.Text(text+" "))
	}
	return out
}

// Cell is one column of a line.
type Cell struct {
	text  string
	w     int
	style Style
	right bool // aligned to the right
	path  bool // cut at the left
}

// Cell is a column of w cells in a style; of zero, as wide as there is room left. Its text must have passed through term.Safe.
func (s Style) Cell(text string, w int) Cell { return Cell{text: text, w: w, style: s} }

// ToRight is the column aligned to the right.
func (c Cell) ToRight() Cell {
	c.right = true
	return c
}

// AsPath is the column cut at the left where there is no room: a path's end tells it from its neighbours.
func (c Cell) AsPath() Cell {
	c.path = true
	return c
}
