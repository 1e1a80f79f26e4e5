package tui

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
)

// claims is the right pane's cursor: a claim of the shown recipe, by identity.
type claims struct {
	path string // the recipe's
	sel  model.ClaimID
	at   int
	top  int

	first bool // the selection stays with whoever is first
	stay  bool // it was made by the operator: it stays on a claim that goes
	whole bool // the recipe was gone to, and no claim of it has been chosen yet

	table, height int // where its lines were last drawn in the panel

	shown *model.Model // as it was last drawn
	last  *model.Model // the same, also across a jump in time
	asOf  time.Time    // of the picture
	came  map[model.ClaimID]time.Time
	gone  []goneClaim // in the order of their places

	marked func(model.ClaimID) bool // the marks, as they are drawn
}

// show points the pane at a recipe. The selection follows its claim; in a recipe that was not shown before
// it is the first claim.
func (c *claims) show(m *model.Model) {
	if m == nil {
		*c = claims{first: c.first, stay: c.stay}
		return
	}
	if m.Path != c.path {
		*c = claims{path: m.Path, first: c.first, stay: c.stay}
	}
	was := c.last
	c.shown, c.last = m, m
	c.bound(len(m.Claims))
	if c.first {
		c.at = 0
		c.keep(m)
		return
	}
	for i := range m.Claims {
		if m.Claims[i].Is(c.sel) {
			c.release()
			c.at = i
			return
		}
	}
	if c.stay && c.sel != (model.ClaimID{}) && c.holdGone(was) {
		c.bound(len(m.Claims))
		return
	}
	c.release()
	c.at = max(0, min(c.at, len(m.Claims)-1))
	c.keep(m)
}

func (c *claims) keep(m *model.Model) {
	c.sel = model.ClaimID{}
	if c.at < len(m.Claims) {
		c.sel = m.Claims[c.at].ID()
	}
}

func (c *claims) move(m *model.Model, n int) {
	c.first = false
	if c.whole { // the first step chooses the claim that the cursor is on
		if c.whole = false; n == 1 || n == -1 {
			n = 0
		}
	}
	if g := c.lost(); g != nil { // the claim behind it stands where it stood
		if c.at = g.pos; n > 0 {
			n--
		}
		c.release()
	}
	c.at = max(0, min(c.at+n, len(m.Claims)-1))
	c.keep(m)
}

// panelLines draws a recipe in an area of w×h cells: the answer first, then what is wrong, then the line of
// claims, then what does not belong.
func panelLines(t *paint.Theme, p panel.Panel, pic panel.Pen, c *claims, focus bool) []paint.Line {
	m, now, w, h := pic.Model, pic.Now, pic.W, pic.H
	head := panel.Head(t, pic)
	if p.Draw != nil && h-len(head) > 6 {
		if d := p.Draw(pic); len(d) > 0 && len(head)+len(d) < h-3 {
			head = append(append(head, d...), nil)
		}
	}
	tail := detail(t, m, c, pic.Said, w, h-len(head)-len(m.Claims)-2)
	if n := len(m.Foreign); n > 0 {
		tail = append(tail, panel.ForeignLine(t, m.Foreign, w))
	}
	room := max(1, h-len(head)-len(tail))
	c.table, c.height = len(head)+1, room-1
	out := append(head, claimTable(t, m, p, c, focus, now, w, room)...)
	for len(out) < h-len(tail) {
		out = append(out, nil)
	}
	return append(out, tail...)
}

// detail says about the selected claim what its row has no room for, in at most h lines.
func detail(t *paint.Theme, m *model.Model, c *claims, said string, w, h int) []paint.Line {
	if c.at >= len(m.Claims) || h < 3 || c.lost() != nil {
		return nil
	}
	cl := &m.Claims[c.at]
	var out []paint.Line
	for _, text := range []string{panel.WhyText(t, cl), term.Safe(cl.Node()), panel.ClaimFacts(m.Kind, cl), said} {
		if text == "" {
			continue
		}
		for i, s := range term.Wrap(text, w-3, 2, t.Ellipsis) {
			out = append(out, paint.Line{paint.Dim.Text(" " + paint.OnFirst(i, t.Dot) + strings.Repeat(" ", 1+i) + s)})
		}
	}
	if len(out) > h {
		out = out[:h]
	}
	return out
}

// claimTable draws the part of the claims around the selection.
func claimTable(t *paint.Theme, m *model.Model, p panel.Panel, c *claims, focus bool, now time.Time, w, h int) []paint.Line {
	if len(m.Claims)+len(c.gone) == 0 {
		return []paint.Line{{paint.Dim.Text(" no claims")}}
	}
	cols := panel.ColumnsFor(w, p, panel.SeqWidth(m))
	out := []paint.Line{panel.TableHead(t, cols)}
	h--
	rows := len(m.Claims) + len(c.gone)
	c.top = paint.Scroll(c.top, c.cursorRow(), rows, h)
	for row := c.top; row < min(rows, c.top+h); row++ {
		i, gone := c.inRow(row)
		if gone != nil {
			l := goneLine(t, gone, p, cols, now)
			if gone.held {
				l = t.Picked(append(paint.Line{paint.Plain.Text(t.Cursor)}, l[1:]...), w)
			}
			out = append(out, l)
			continue
		}
		l := panel.ClaimLine(t, &m.Claims[i], p, cols, now)
		if sign := c.sign(m.Claims[i].ID()); sign != " " {
			l[1].Text = sign + l[1].Text[1:]
			l = paint.Brightened(l)
		}
		if c.marked != nil && c.marked(m.Claims[i].ID()) {
			l[0] = paint.Accent.Text(t.Mark)
		}
		switch {
		case c.lost() != nil:
		case i == c.at && focus:
			l = t.Picked(append(paint.Line{paint.Plain.Text(t.Cursor)}, l[1:]...), w)
		case i == c.at:
			l[0].Text = t.Cursor
		}
		out = append(out, l)
	}
	if rest := rows - c.top - h; rest > 0 && h > 1 {
		out[len(out)-1] = paint.Line{paint.Dim.Text("   " + t.Ellipsis + " " + paint.Number(rest+1) + " more")}
	}
	return out
}
