package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/internal/term"
)

// canvas is the rows of a screen while they are drawn.
type canvas struct {
	t    *Theme
	w    int
	rows []string
}

func newCanvas(t *Theme, w, h int) *canvas { return &canvas{t: t, w: w, rows: make([]string, 0, h)} }

// add appends a full row.
func (c *canvas) add(l line) {
	var b strings.Builder
	b.Grow(c.w + 32)
	c.t.draw(&b, l, c.w)
	c.rows = append(c.rows, b.String())
}

// rule appends a border row with a title for one area, or for two side by side.
func (c *canvas) rule(left, right string, titles ...ruleTitle) {
	var b strings.Builder
	c.border(&b, left)
	room := c.w - term.Width(left) - term.Width(right)
	for i, t := range titles {
		w := t.w
		if i == len(titles)-1 {
			w = room
		}
		b.WriteString(c.title(t, w))
		if room -= w; i < len(titles)-1 {
			c.border(&b, t.join)
			room -= term.Width(t.join)
		}
	}
	c.border(&b, right)
	c.rows = append(c.rows, b.String())
}

// border writes a piece of the frame.
func (c *canvas) border(b *strings.Builder, s string) {
	b.WriteString(c.t.before[c.t.Border])
	b.WriteString(s)
	b.WriteString(c.t.after[c.t.Border])
}

// side is a cell of the frame's sides.
func (c *canvas) side() string { return c.t.before[c.t.Border] + c.t.Vertical + c.t.after[c.t.Border] }

// ruleTitle is one area's part of a border row: w cells, then a joint with the next area.
type ruleTitle struct {
	text, note string
	style      Style
	w          int
	join       string
}

func (c *canvas) title(r ruleTitle, w int) string {
	if r.text == "" || w < 6 {
		return c.t.before[c.t.Border] + strings.Repeat(c.t.Horizontal, max(0, w)) + c.t.after[c.t.Border]
	}
	text := " " + term.Cut(r.text, w-2, c.t.Ellipsis) + " "
	note := ""
	if r.note != "" && term.Width(text)+term.Width(r.note)+1 <= w {
		note = r.note + " "
	}
	fill := max(0, w-term.Width(text)-term.Width(note))
	return c.t.before[r.style] + text + c.t.after[r.style] + c.t.before[Dim] + note + c.t.after[Dim] +
		c.t.before[c.t.Border] + strings.Repeat(c.t.Horizontal, fill) + c.t.after[c.t.Border]
}

// area appends h rows of one area between borders.
func (c *canvas) area(lines []line, w, h int) {
	for i := range h {
		side := c.side()
		c.rows = append(c.rows, side+c.cell(lines, i, w)+side)
	}
}

// areas appends h rows of two areas side by side between borders.
func (c *canvas) areas(a []line, aw int, b []line, bw, h int) {
	for i := range h {
		side := c.side()
		c.rows = append(c.rows, side+c.cell(a, i, aw)+side+c.cell(b, i, bw)+side)
	}
}

func (c *canvas) cell(lines []line, i, w int) string {
	var b strings.Builder
	b.Grow(w + 32)
	var l line
	if i < len(lines) {
		l = lines[i]
	}
	c.t.draw(&b, l, w)
	return b.String()
}

// cutMiddle replaces the cells of row from left on by s, keeping what is on both sides. row is w cells wide
// and may hold styles.
func cutMiddle(row string, left int, s string, w int) string {
	before := term.Pad(ansi.Truncate(row, left, ""), left)
	end := left + ansi.StringWidth(s)
	after := ansi.TruncateLeft(row, end, "")
	if lack := w - end - ansi.StringWidth(after); lack > 0 {
		after = strings.Repeat(" ", lack) + after
	}
	return before + s + after
}
