package paint

import (
	"github.com/zkscope/zkscope/internal/term"
)

// Cells joins columns: each a text, a width and a style. A width of zero takes what is left of w.
func (t *Theme) Cells(w int, cols ...Cell) Line {
	fixed, flex := 1, 0
	for _, c := range cols {
		if fixed += c.W + 1; c.W == 0 {
			flex++
		}
	}
	rest := max(0, w-fixed)
	out := Line{Plain.Text(" ")}
	for _, c := range cols {
		n := c.W
		if n == 0 {
			n = rest / max(1, flex)
		}
		text := term.Fit(c.Text, n, t.Ellipsis)
		switch {
		case c.Right:
			text = term.PadLeft(term.Cut(c.Text, n, t.Ellipsis), n)
		case c.Path:
			text = term.FitLeft(c.Text, n, t.Ellipsis)
		}
		out = append(out, c.Style.Text(text+" "))
	}
	return out
}

// Cell is one column of a line. Its text must have passed through term.Safe.
type Cell struct {
	Text  string
	W     int
	Style Style
	Right bool // aligned to the right
	Path  bool // cut at the left
}
