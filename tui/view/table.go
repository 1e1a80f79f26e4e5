package view

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Table is how the recipes are drawn: the columns and their widths, which depend on the screen alone and so hold still.
type Table struct {
	t      *paint.Theme
	now    time.Time
	prefix string // the directory that all paths begin with, which is said once; empty: none

	w, kind, dialect, path, what, held, claims, wait int // how wide the columns are; zero leaves one out
}

const (
	leadW   = 3 // the cursor or a mark, the sign of what is wrong, what came and what went
	kindW   = 8
	heldW   = 7
	claimsW = 7
	waitW   = 8
)

// NewTable divides w cells between the columns that are wanted, as far as there is room. Paths get what is free.
func NewTable(t *paint.Theme, cols Columns, prefix string, now time.Time, w int) Table {
	c := Table{t: t, now: now, prefix: prefix, w: w}
	rest := w - leadW - 1
	take := func(name string, cells, least int) int { // of which least are to be left
		if !cols.has(name) || rest-cells-1 < least {
			return 0
		}
		rest -= cells + 1
		return cells
	}
	c.held, c.wait = take("held", heldW, 0), take("waiting", waitW, 0)
	c.kind = take("kind", kindW, 36)
	c.claims, c.dialect = take("claims", claimsW, 26), take("dialect", kindW+2, 26)
	if cols.has("holder") {
		c.what = max(10, min(26, (rest-1)*2/5))
		rest -= c.what + 1
	}
	c.path = rest
	return c
}

// PrefixOf is the directory that the paths of all rows lie in, where there is one below the root.
func PrefixOf(rows []Row) string {
	out, some := "", false
	for i := range rows {
		m := rows[i].Model
		switch {
		case m == nil:
		case !some:
			out, some = m.Path, true
			out, _ = znode.Split(out)
		default:
			for out != "/" && !strings.HasPrefix(m.Path, out+"/") {
				out, _ = znode.Split(out)
			}
		}
		if out == "/" {
			return ""
		}
	}
	return out
}

// short is a path without what all have in common.
func (c *Table) short(path string) string {
	if c.prefix != "" && strings.HasPrefix(path, c.prefix+"/") {
		path = path[len(c.prefix)+1:]
	}
	return term.Safe(path)
}

// Head is the titles of the columns; that by which the rows are sorted is marked.
func (c *Table) Head(o *Sorting) paint.Line {
	title := func(by Order, text string, w int, right bool) string {
		if o.Order == by {
			text += o.sign(c.t, o.moves())
		}
		if right {
			return term.PadLeft(text, w) + " "
		}
		return term.Fit(text, w, c.t.Ellipsis) + " "
	}
	path := "PATH"
	if c.prefix != "" {
		path += " in " + term.CutMiddle(term.Safe(c.prefix), c.path-8, c.t.Ellipsis)
	}
	text := title(ByTrouble, "", leadW-1, false)
	for _, x := range []struct {
		by    Order
		name  string
		w     int
		right bool
	}{{ByKind, "KIND", c.kind, false}, {Orders, "DIALECT", c.dialect, false}, {ByPath, path, c.path, false}, {ByHolder, "HOLDER/STATE", c.what, false},
		{ByHeld, "HELD", c.held, true}, {Orders, "CLAIMS", c.claims, true}, {ByWaiting, "WAITING", c.wait, true}} {
		if x.w > 0 {
			text += title(x.by, x.name, x.w, x.right)
		}
	}
	return paint.Line{paint.Dim.Text(text)}
}

// Line draws a recipe's row; its first cell is the cursor's. News is the sign of a row that came or rings.
func (c *Table) Line(r *Row, kind panel.Recipe, news string) paint.Line {
	if r.brief == nil {
		made := panel.BriefOf(r.Model, kind.Panel)
		r.brief = &made
	}
	b := *r.brief
	style := paint.Plain
	switch {
	case b.What == "":
		style, b.What = paint.Dim, string(r.Model.State)
	case b.Holds:
		style = paint.Good
	}
	mark, markStyle := " ", paint.Plain
	if r.worst >= model.Medium {
		mark, markStyle = chart.SeverityMark(c.t, r.worst)
	}
	return c.cells(r, kind.Short, paint.Line{paint.Plain.Text(" "), markStyle.Text(mark), paint.Accent.Text(news)}, b, style)
}

// cells are the columns behind a row's lead.
func (c *Table) cells(r *Row, kind string, lead paint.Line, b panel.Brief, style paint.Style) paint.Line {
	e := c.t.Ellipsis
	put := func(style paint.Style, text string, w int, cut func(string, int, string) string) {
		if w > 0 {
			lead = append(lead, style.Text(term.Pad(cut(text, w, e), w+1)))
		}
	}
	held := c.t.Spelled(model.Span(b.Since, !b.Most, c.now))
	if held == "" {
		held = say.Either(b.Holds, "?", "-")
	}
	what := term.Cut
	if b.Holds { // the end of a name tells processes of one host apart
		what = term.CutName
	}
	put(paint.Dim, kind, c.kind, term.Cut)
	put(paint.Dim, string(r.Model.Dialect), c.dialect, term.Cut)
	put(paint.Plain, c.short(r.Model.Path), c.path, term.CutMiddle)
	put(style, b.What, c.what, what)
	gap := ""
	for _, x := range []struct {
		text string
		w    int
	}{{held, c.held}, {paint.Number(len(r.Model.Claims)), c.claims}, {b.WaitText(), c.wait}} {
		if x.w > 0 {
			lead = append(lead, paint.Plain.Text(gap+term.PadLeft(x.text, x.w)))
			gap = " "
		}
	}
	return lead
}

// Gone draws a recipe's row that is gone: that it is, and since when, never how it stood.
func (c *Table) Gone(g *GoneRow, kind panel.Recipe, word string) paint.Line {
	lead := paint.Line{paint.Plain.Text(" "), paint.Plain.Text(" "), paint.Dim.Text(widget.GoneSign)}
	return paint.Dimmed(c.cells(&g.Item, kind.Short, lead, panel.Brief{What: word, Since: g.At, Waiting: panel.NoLine}, paint.Dim))
}
