package paint

import (
	"strings"

	"github.com/zkscope/zkscope/internal/term"
)

// Box draws lines in a box of w cells inside over finished screen rows, in their middle.
func (t *Theme) Box(title string, body []Line, inner int, rows []string, w int) []string {
	left := (w - inner - 2) / 2
	at := max(1, (len(rows)-len(body)-2)/2)
	put := func(i int, s string) {
		if i < len(rows) {
			rows[i] = cutMiddle(rows[i], left, s, w)
		}
	}
	put(at, t.top(title, inner))
	for i, l := range body {
		var b strings.Builder
		b.WriteString(t.Vertical)
		t.draw(&b, l, inner)
		b.WriteString(t.Vertical)
		put(at+1+i, b.String())
	}
	put(at+1+len(body), t.BottomLeft+strings.Repeat(t.Horizontal, inner)+t.BottomRight)
	return rows
}

// top is the upper border of a box with a title in it.
func (t *Theme) top(title string, inner int) string {
	text := " " + term.Cut(title, inner-4, t.Ellipsis) + " "
	return t.TopLeft + t.Horizontal + t.before[Bold] + text + t.after[Bold] +
		strings.Repeat(t.Horizontal, inner-1-term.Width(text)) + t.TopRight
}
