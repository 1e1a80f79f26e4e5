package view

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Table is how the recipes are drawn: the columns and their widths, which depend on the screen alone and so hold still.
type Table struct {
	t      *paint.Theme
	now    time.Time
	prefix string // the directory that all paths begin with, which is said once; empty: none

	w, kind, path, what int // zero leaves a column out
}

const (
	leadW = 3 // the cursor or a mark, the sign of what is wrong, what came and what went
	heldW = 7
	waitW = 9
)

// NewTable divides w cells. Paths get what is free.
func NewTable(t *paint.Theme, prefix string, now time.Time, w int) Table {
	c := Table{t: t, now: now, prefix: prefix, w: w}
	rest := w - leadW - heldW - waitW - 2
	if w >= 66 {
		c.kind = 8
		rest -= c.kind + 1
	}
	c.what = max(10, min(26, (rest-1)*2/5))
	c.path = rest - c.what - 1
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
			text += o.sign(c.t)
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
	if c.kind > 0 {
		text += title(ByKind, "KIND", c.kind, false)
	}
	text += title(ByPath, path, c.path, false) + title(ByHolder, "HOLDER/STATE", c.what, false)
	return paint.Line{paint.Dim.Text(text + title(ByHeld, "HELD", heldW, true) + title(ByWaiting, "WAITING", waitW-1, true))}
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
		mark, markStyle = panel.SeverityMark(c.t, r.worst)
	}
	return c.cells(r, kind.Short, paint.Line{paint.Plain.Text(" "), markStyle.Text(mark), paint.Accent.Text(news)}, b, style)
}

// cells are the columns behind a row's lead.
func (c *Table) cells(r *Row, kind string, lead paint.Line, b panel.Brief, style paint.Style) paint.Line {
	e := c.t.Ellipsis
	if c.kind > 0 {
		lead = append(lead, paint.Dim.Text(term.Pad(term.Cut(kind, c.kind, e), c.kind+1)))
	}
	held := c.t.Spelled(model.Span(b.Since, !b.Most, c.now))
	if held == "" {
		held = say.Either(b.Holds, "?", "-")
	}
	return append(lead, paint.Plain.Text(term.Pad(term.CutMiddle(c.short(r.Model.Path), c.path, e), c.path+1)),
		style.Text(term.Pad(term.Cut(b.What, c.what, e), c.what+1)), paint.Plain.Text(term.PadLeft(held, heldW)),
		paint.Plain.Text(term.PadLeft(b.WaitText(), waitW)))
}

// Gone draws a recipe's row that is gone: that it is, and since when, never how it stood.
func (c *Table) Gone(g *GoneRow, kind panel.Recipe, word string) paint.Line {
	lead := paint.Line{paint.Plain.Text(" "), paint.Plain.Text(" "), paint.Dim.Text(widget.GoneSign)}
	return paint.Dimmed(c.cells(&g.Item, kind.Short, lead, panel.Brief{What: word, Since: g.At, Waiting: panel.NoLine}, paint.Dim))
}
