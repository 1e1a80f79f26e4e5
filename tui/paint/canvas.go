package paint

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/internal/term"
)

// Canvas is the rows of a screen while they are drawn.
type Canvas struct {
	t    *Theme
	w    int
	Rows []string
}

// NewCanvas begins a screen of w×h cells.
func NewCanvas(t *Theme, w, h int) *Canvas { return &Canvas{t: t, w: w, Rows: make([]string, 0, h)} }

// Add appends a full row.
func (c *Canvas) Add(l Line) {
	var b strings.Builder
	b.Grow(c.w + 32)
	c.t.draw(&b, l, c.w)
	c.Rows = append(c.Rows, b.String())
}

// Rule appends a row that parts areas, with a title for one area, or for two side by side.
func (c *Canvas) Rule(titles ...RuleTitle) {
	var b strings.Builder
	room := c.w
	for i, t := range titles {
		w := t.W
		if i == len(titles)-1 {
			w = room
		}
		b.WriteString(c.title(t, w))
		if room -= w; i < len(titles)-1 {
			b.WriteString(c.border(t.Join))
			room -= term.Width(t.Join)
		}
	}
	c.Rows = append(c.Rows, b.String())
}

// border is a piece of the frame.
func (c *Canvas) border(s string) string { return c.t.before[c.t.Border] + s + c.t.after[c.t.Border] }

// RuleTitle is one area's part of a rule: w cells, then a joint with the next area.
type RuleTitle struct {
	Text, Note string
	News       string // what stands out behind the text, cut to fit
	Style      Style
	W          int
	Join       string
}

func (c *Canvas) title(r RuleTitle, w int) string {
	if r.Text == "" || w < 6 {
		return c.border(strings.Repeat(c.t.Horizontal, max(0, w)))
	}
	room, least := w-1, 0
	if r.News != "" {
		least = min(term.Width(r.News)+1, newsW, room/2)
	}
	part := func(style Style, text string) string {
		room -= term.Width(text)
		return c.t.before[style] + text + c.t.after[style]
	}
	out := part(r.Style, " "+term.CutMiddle(r.Text, room-2-least, c.t.Ellipsis)+" ")
	if r.News != "" {
		out += part(Alert, term.Cut(r.News, room-1, c.t.Ellipsis)+" ")
	}
	if r.Note != "" && term.Width(r.Note) < room {
		out += part(Dim, r.Note+" ")
	}
	return c.border(c.t.Horizontal) + out + c.border(strings.Repeat(c.t.Horizontal, max(0, room)))
}

// newsW is how wide news are at least, where the title has to give way.
const newsW = 26

// Area appends h rows of one area.
func (c *Canvas) Area(lines []Line, w, h int) {
	for i := range h {
		c.Rows = append(c.Rows, c.row("", i, cell{lines, w}))
	}
}

// Areas appends h rows of two areas side by side.
func (c *Canvas) Areas(a []Line, aw int, b []Line, bw, h int) {
	side := c.border(c.t.Vertical)
	for i := range h {
		c.Rows = append(c.Rows, c.row(side, i, cell{a, aw}, cell{b, bw}))
	}
}

// cell is one area of a row: the lines of the area, and how wide it is.
type cell struct {
	lines []Line
	w     int
}

// row draws the i-th line of each cell, with a side between them.
func (c *Canvas) row(side string, i int, cells ...cell) string {
	var b strings.Builder
	b.Grow(len(cells) * (cells[0].w + 64))
	for k, l := range cells {
		if k > 0 {
			b.WriteString(side)
		}
		var line Line
		if i < len(l.lines) {
			line = l.lines[i]
		}
		c.t.draw(&b, line, l.w)
	}
	return b.String()
}

// cutMiddle replaces the cells of row from left on by s, keeping what is on both sides. row is w cells wide
// and may hold styles.
func cutMiddle(row string, left int, s string, w int) string {
	before := term.Pad(ansi.Truncate(row, left, ""), left)
	end := left + ansi.StringWidth(s)
	after := ansi.TruncateLeft(row, end, "")
	if lack := w - end - ansi.StringWidth(after); lack > 0 {
		after = term.Blank(lack) + after
	}
	return before + s + after
}
