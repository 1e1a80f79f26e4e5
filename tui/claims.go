package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
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
func (t *Theme) panelLines(p Panel, pic picture, c *claims, focus bool) []line {
	m, now, w, h := pic.m, pic.now, pic.w, pic.h
	head := t.panelHead(pic)
	if p.Draw != nil && h-len(head) > 6 {
		if d := p.Draw(pic); len(d) > 0 && len(head)+len(d) < h-3 {
			head = append(append(head, d...), nil)
		}
	}
	tail := t.detail(m, c, pic.said, w, h-len(head)-len(m.Claims)-2)
	if n := len(m.Foreign); n > 0 {
		tail = append(tail, t.foreign(m.Foreign, w))
	}
	room := max(1, h-len(head)-len(tail))
	c.table, c.height = len(head)+1, room-1
	out := append(head, t.claimTable(m, p, c, focus, now, w, room)...)
	for len(out) < h-len(tail) {
		out = append(out, nil)
	}
	return append(out, tail...)
}

// detail says about the selected claim what its row has no room for, in at most h lines.
func (t *Theme) detail(m *model.Model, c *claims, said string, w, h int) []line {
	if c.at >= len(m.Claims) || h < 3 || c.lost() != nil {
		return nil
	}
	cl := &m.Claims[c.at]
	var out []line
	for _, text := range []string{t.whyText(cl), term.Safe(cl.Node()), claimFacts(m.Kind, cl), said} {
		if text == "" {
			continue
		}
		for i, s := range term.Wrap(text, w-3, 2, t.Ellipsis) {
			out = append(out, line{{" " + onFirst(i, t.Dot) + strings.Repeat(" ", 1+i) + s, Dim}})
		}
	}
	if len(out) > h {
		out = out[:h]
	}
	return out
}

// claimFacts pins a claim in one line; in a line it says what its owner listens for.
func claimFacts(k layout.Kind, c *model.Claim) string {
	if c.Unread() {
		return "nothing but its name was read"
	}
	facts := fmt.Sprintf("czxid %d, version %d", int64(c.Czxid()), c.Version())
	if c.Session != 0 {
		facts = "session " + c.Session.String() + ", " + facts
	}
	if !k.Waits() {
		return facts
	}
	switch c.Hears() {
	case model.HearsProven, model.HearsLikely, model.HearsUnlikely:
		facts += fmt.Sprintf("; listens for %s: %s", c.Revocable(), c.Hears())
	case model.HearsUnknown:
		facts += "; cannot be asked to let go"
	}
	return facts
}

// panelHead is the summary, the findings and the evidence, in at most half of the area.
func (t *Theme) panelHead(pic picture) []line {
	m, now, w, h := pic.m, pic.now, pic.w, pic.h
	var out []line
	for _, s := range term.Wrap(term.Safe(m.Summary(now)), w-1, 2, t.Ellipsis) {
		out = append(out, line{{" " + s, Bold}})
	}
	most := max(2, h/2)
	for _, s := range term.Wrap(term.Safe(pic.ended), w-3, 2, t.Ellipsis) {
		out = append(out, line{{"   " + s, Warn}})
	}
	findings := pic.spans
	for i := range m.Findings {
		findings = append(findings, &m.Findings[i])
	}
	for _, f := range findings {
		text := t.findingLines(f, w)
		if r := pic.remedies[f]; r != "" && (len(text) > most-len(out) || len(text) == maxFinding) {
			first := *f
			first.Text = r + "; " + f.Text // where not all of it fits, what to do about it must
			text = t.findingLines(&first, w)
		}
		switch {
		case len(out)+len(text) <= most:
			out = append(out, text...)
		case f.Severity > model.Low: // a note may be left out without a word, a warning may not
			out = append(append(out, text...)[:most-1], line{{" " + t.Ellipsis + " more: make the window taller", Dim}})
			return append(out, nil)
		}
	}
	return append(out, nil)
}

// maxFinding is how many lines a finding takes at most.
const maxFinding = 6

// findingLines is a finding's text, wrapped, behind its mark.
func (t *Theme) findingLines(f *model.Finding, w int) (out []line) {
	mark, style := t.mark(f.Severity)
	for i, s := range term.Wrap(term.Safe(f.Text), w-3, maxFinding, t.Ellipsis) {
		if i > 0 {
			mark = " "
		}
		out = append(out, line{{" " + term.Pad(mark, 1) + " ", style}, {s, style}})
	}
	return out
}

func (t *Theme) foreign(names []string, w int) line {
	text := " foreign:"
	for _, n := range names {
		text += " " + term.Safe(n)
		if term.Width(text) > w {
			break
		}
	}
	return line{{term.Cut(text, w, t.Ellipsis), Dim}}
}

// claimTable draws the part of the claims around the selection.
func (t *Theme) claimTable(m *model.Model, p Panel, c *claims, focus bool, now time.Time, w, h int) []line {
	if len(m.Claims)+len(c.gone) == 0 {
		return []line{{{" no claims", Dim}}}
	}
	cols := columnsFor(w, p, seqWidth(m))
	out := []line{t.tableHead(cols)}
	h--
	rows := len(m.Claims) + len(c.gone)
	c.top = scroll(c.top, c.cursorRow(), rows, h)
	for row := c.top; row < min(rows, c.top+h); row++ {
		i, gone := c.inRow(row)
		if gone != nil {
			l := t.goneLine(gone, p, cols, now)
			if gone.held {
				l = t.picked(append(line{{t.Cursor, Plain}}, l[1:]...), w)
			}
			out = append(out, l)
			continue
		}
		l := t.claimLine(&m.Claims[i], p, cols, now)
		if sign := c.sign(m.Claims[i].ID()); sign != " " {
			l[1].text = sign + l[1].text[1:]
			l = brightened(l)
		}
		if c.marked != nil && c.marked(m.Claims[i].ID()) {
			l[0] = span{t.Mark, Accent}
		}
		switch {
		case c.lost() != nil:
		case i == c.at && focus:
			l = t.picked(append(line{{t.Cursor, Plain}}, l[1:]...), w)
		case i == c.at:
			l[0].text = t.Cursor
		}
		out = append(out, l)
	}
	if rest := rows - c.top - h; rest > 0 && h > 1 {
		out[len(out)-1] = line{{"   " + t.Ellipsis + " " + number(rest+1) + " more", Dim}}
	}
	return out
}
