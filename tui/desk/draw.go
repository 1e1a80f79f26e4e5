package desk

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// Layout is where everything stands now: where the panel stands below the list, the one that has the focus gets
// all the room when it is the claims.
func (d *Desk) Layout() paint.Layout {
	s := d.shown.Size
	if s.Stacked && d.Focus == OnClaims {
		s.Stacked, s.Single = false, true
		s.Panel = paint.Rect{X: 1, Y: 2, W: s.W - 2, H: s.List.H + 1 + s.Panel.H}
	}
	return s
}

// headStyle is that of a pane's title: it tells which has the focus.
func (d *Desk) headStyle(of Focus) paint.Style {
	if d.Focus == of {
		return paint.Bold
	}
	return paint.Plain
}

// ListTitle is the title of the list: how many recipes, in what order, and how many of them need attention.
func (d *Desk) ListTitle() paint.RuleTitle {
	high, medium := 0, 0
	for i, rows := 0, d.List.Rows(); i < len(rows); i++ {
		switch f := rows[i].Finding; {
		case f == nil:
		case f.Severity == model.High:
			high++
		case f.Severity == model.Medium:
			medium++
		}
	}
	text := paint.Counted(d.List.Recipes, "recipe", "recipes")
	if d.Order != view.ByPath || d.Reverse {
		text += " by " + view.OrderNames[d.Order]
		if d.Reverse {
			text += ", reversed"
		}
	}
	if told := view.Weighed(high, medium); told != "" {
		text += " " + d.shown.Theme.Dot + " " + told
	}
	return paint.RuleTitle{Text: text, Style: d.headStyle(OnList)}
}

// PanelTitle is the title of the panel: the recipe, its kind and its dialect.
func (d *Desk) PanelTitle() paint.RuleTitle {
	m := d.Model()
	if gone := d.GoneModel(); gone != nil {
		return paint.RuleTitle{Text: term.Safe(gone.Path), Note: d.GoneWord(), Style: paint.Plain}
	}
	if m == nil {
		return paint.RuleTitle{}
	}
	note := fmt.Sprintf("%s %s %s", m.Kind, d.shown.Theme.Dot, m.Dialect)
	if m.Confidence < 0.7 {
		note += fmt.Sprintf(" (%.0f%% sure)", m.Confidence*100)
	}
	return paint.RuleTitle{Text: term.Safe(m.Path), Note: note, Style: d.headStyle(OnClaims)}
}

// ListArea draws the list.
func (d *Desk) ListArea() []paint.Line {
	s := d.shown.Size.List
	if d.List.Len() == 0 {
		return d.nothing(s.W)
	}
	return d.List.Draw(widget.Look[view.RowID, view.Row]{Theme: &d.shown.Theme, Now: d.shown.AsOf(), Focus: d.Focus == OnList, Both: true, Row: d.rowLine, Marked: d.rowMarked}, s.W, s.H)
}

// rowLine draws a row of the list.
func (d *Desk) rowLine(r *view.Row, gone *view.GoneRow, fresh bool) paint.Line {
	w := d.shown.Size.List.W
	if gone != nil {
		word := "gone"
		if gone.Held {
			word = d.GoneWord()
		}
		return view.LateLine(&d.shown.Theme, gone, word, d.shown.AsOf(), w)
	}
	p := panel.Panel{}
	if r.Model != nil {
		p = d.shown.Panel(r.Model.Kind)
	}
	return view.RowLine(&d.shown.Theme, r, p, d.rowSign(r, fresh), d.shown.AsOf(), w)
}

// rowMarked reports whether anything in a row is marked.
func (d *Desk) rowMarked(r *view.Row) bool {
	return r.Model != nil && len(d.hand.Marks) > 0 && d.hand.MarkedIn(r.Model)
}

// nothing says what is known when there is no row to show.
func (d *Desk) nothing(w int) []paint.Line {
	snap := d.shown.Result.Snapshot
	say := func(style paint.Style, text string) (out []paint.Line) {
		out = append(out, nil)
		for _, s := range term.Wrap(text, w-2, 0, "") {
			out = append(out, paint.Line{style.Text(" " + s)})
		}
		return out
	}
	switch {
	case d.shown.Link.Err != nil:
		return say(paint.Alert, term.Safe(d.shown.Link.Err.Error()))
	case d.shown.Filter.Text != "" && d.shown.Result.Models.Len() > 0:
		if d.shown.Filter.Wrong != "" {
			return say(paint.Warn, d.shown.Filter.Wrong+"; esc clears it")
		}
		return say(paint.Dim, "no recipe matches the filter; esc clears it")
	case !snap.LostSince.IsZero():
		return say(paint.Warn, "not connected, and nothing was read before; trying on: "+term.Safe(d.shown.Link.Cause))
	case !snap.Complete && len(snap.Partial) == 0:
		return say(paint.Dim, fmt.Sprintf("reading the tree: %s znodes so far", paint.Number(picture.Count(snap.Root))))
	}
	if len(snap.Partial) > 0 {
		return say(paint.Warn, "no recipe found in what was read; not everything was: "+term.Safe(strings.Join(snap.Partial, "; ")))
	}
	return say(paint.Dim, fmt.Sprintf("no recipe found among %s znodes below %s. An empty lock leaves nothing to see; it appears when somebody claims it.",
		paint.Number(picture.Count(snap.Root)), term.Safe(snap.Base)))
}

// PanelArea draws the selected recipe with its claims, or what was last known of it.
func (d *Desk) PanelArea() []paint.Line {
	m, s := d.Model(), d.Layout().Panel
	if gone := d.GoneModel(); gone != nil {
		return d.goneArea(gone, s.W)
	}
	if m == nil {
		return nil
	}
	pen := panel.Pen{Theme: &d.shown.Theme, Model: m, Now: d.shown.AsOf(), W: s.W, H: s.H, Past: d.shown.Past.Of(m.Path)}
	pen.Ended = d.endedText()
	pen.Spanning = d.shown.SpanningOf(m)
	pen.Remedies = d.remedies(pen.Spanning)
	if n := d.shown.Result.Snapshot.At(m.Path); n != nil {
		pen.Data = n.Data
	}
	if c := d.Claims.Selected(m); c != nil {
		pen.Said = d.said(m, c)
	}
	return d.Claims.Lines(d.shown.Panel(m.Kind), pen, d.Focus == OnClaims && !d.Claims.Whole, func(id model.ClaimID) bool { return d.hand.Marked(m.Path, id) })
}

// said is the data of a claim's znode in one line; empty where it is shown elsewhere.
func (d *Desk) said(m *model.Model, c *model.Claim) string {
	n := d.shown.Result.Snapshot.At(c.Path())
	if n == nil || len(n.Data) == 0 || c.Path() == m.Path {
		return ""
	}
	text := strings.Join(paint.Readable(n.Data), " ")
	if text == term.Safe(c.Owner()) || text == panel.VoteWord(c) {
		return ""
	}
	return "data " + text
}
