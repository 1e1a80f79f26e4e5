package desk

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// Layout is where everything stands now: where the panel stands below the table, the one that has the focus gets
// all the room when it is the claims.
func (d *Desk) Layout() paint.Layout {
	s := d.shown.Size
	if s.Stacked && d.Focus == OnClaims {
		s.Stacked, s.Single = false, true
		s.Panel = paint.Rect{X: 0, Y: s.Attention.Y, W: s.W, H: s.Attention.H + s.List.H + 1 + s.Panel.H}
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

// AttentionTitle is the title over everything: what is shown, and how much of it needs attention.
func (d *Desk) AttentionTitle() paint.RuleTitle {
	text := "Recipes " + d.shown.Theme.Crumb + " " + paint.Counted(d.List.Recipes, "recipe", "recipes")
	if all := d.shown.Result.Models.Len(); d.shown.Filter.Text != "" {
		text += " of " + paint.Number(all) + " with " + term.Safe(d.shown.Filter.Text)
	}
	if n := d.shown.Hidden; n > 0 {
		text += " " + d.shown.Theme.Dot + " " + paint.Number(n) + " hidden"
	}
	high, medium := 0, 0
	for i, rows := 0, d.List.Rows(); i < len(rows) && rows[i].Finding != nil; i++ {
		high += paint.BoolInt(rows[i].Finding.Severity == model.High)
		medium += paint.BoolInt(rows[i].Finding.Severity == model.Medium)
	}
	if told := view.Weighed(high, medium); told != "" {
		text += " " + d.shown.Theme.Dot + " " + told
	}
	return paint.RuleTitle{Text: text, News: d.News(), Style: d.headStyle(OnList)}
}

// ListTitle is the title of the table: which of its rows are on the screen.
func (d *Desk) ListTitle() paint.RuleTitle {
	at := d.List.Top - d.List.Head()
	from, to := at+1, min(d.List.Recipes, at+d.shown.Size.List.H-1)
	text := "Recipes " + paint.Number(from) + "-" + paint.Number(to) + " of " + paint.Number(d.List.Recipes)
	if d.List.Recipes == 0 {
		text = "Recipes"
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

// table is how the recipes are drawn now.
func (d *Desk) table(w int) view.Table {
	return view.NewTable(&d.shown.Theme, d.shown.Columns, d.List.Prefix, d.shown.AsOf(), w)
}

// ListArea draws the table.
func (d *Desk) ListArea() []paint.Line {
	s := d.shown.Size.List
	if d.List.Len() == d.List.Head() {
		return d.nothing(s.W)
	}
	c := d.table(s.W)
	look := d.look(func(r *view.Row, gone *view.GoneRow, fresh bool) paint.Line { return d.recipeLine(&c, r, gone, fresh) })
	look.Head = c.Head(&d.Sorting)
	return d.List.Draw(look, s.W, s.H)
}

// look is how rows are drawn.
func (d *Desk) look(row func(r *view.Row, gone *view.GoneRow, fresh bool) paint.Line) widget.Look[view.RowID, view.Row] {
	return widget.Look[view.RowID, view.Row]{Theme: &d.shown.Theme, Now: d.shown.AsOf(), Focus: d.Focus == OnList, Row: row, Marked: d.rowMarked, Bare: true}
}

// recipeLine draws a recipe's row.
func (d *Desk) recipeLine(c *view.Table, r *view.Row, gone *view.GoneRow, fresh bool) paint.Line {
	kind := d.shown.Kind(r.Model.Kind)
	if gone != nil {
		word := "gone"
		if gone.Held {
			word = d.GoneWord()
		}
		if d.leapt { // since when is not known
			g := *gone
			g.At, gone = time.Time{}, &g
		}
		return c.Gone(gone, kind, word)
	}
	return c.Line(r, kind, d.rowSign(r, fresh))
}

// AttentionArea draws what needs attention; where nothing does, what that rests on.
func (d *Desk) AttentionArea() []paint.Line {
	s := d.shown.Size.Attention
	if d.List.Head() == 0 {
		return d.calmLines(s.W)
	}
	c := d.table(s.W)
	var out []paint.Line
	for _, h := range d.List.DrawHead(d.look(func(r *view.Row, gone *view.GoneRow, fresh bool) paint.Line {
		since, clause := d.attention(r)
		if gone != nil {
			clause = d.endedWord(r)
		}
		return c.Attention(r, since, clause, gone, fresh)
	}), s.W, s.H) {
		out = append(out, d.withHidden(h, s.W))
	}
	return out
}

// withHidden is a line of what needs attention with how many there are beside it that are not in sight.
func (d *Desk) withHidden(h widget.HeadLine, w int) paint.Line {
	t, note := &d.shown.Theme, ""
	for _, n := range []struct {
		n    int
		sign string
		word string
	}{{h.Above, t.SortUp + " ", " above"}, {h.Alike, "+", " more"}, {h.Below, t.SortDown + " ", " below"}} {
		switch {
		case n.n > 0 && w < 80: // where it is tells more
			note += " " + strings.TrimSpace(n.sign) + paint.Number(n.n)
		case n.n > 0:
			note += "  " + n.sign + paint.Number(n.n) + n.word
		}
	}
	if note == "" {
		return h.Line
	}
	note += " "
	style := paint.Bold
	if h.Line[0].Style == paint.Picked {
		style = paint.Picked
	}
	return append(paint.Shortened(h.Line, w-term.Width(note), t.Ellipsis), style.Text(note))
}

// attention is since when there is what needs attention, and how it shows, in a clause.
func (d *Desk) attention(r *view.Row) (since view.Since, clause string) {
	since = d.since[r.ID()]
	if ring := d.shown.Waits.CycleOf(r.Finding); ring != nil && !ring.Since.IsZero() {
		since = view.Since{At: ring.Since, Most: !ring.Exact}
	}
	if r.Finding.Code == model.CodeVacant && r.Model != nil && !r.Model.Detail().Vacant.IsZero() {
		since = view.Since{At: r.Model.Detail().Vacant} // it is told only when that has lasted
	}
	return since, d.shown.Clause(r.Finding)
}

// endedWord says of a finding that is not among those of the picture whether it has ended.
func (d *Desk) endedWord(r *view.Row) string {
	if d.leapt {
		return "not found at this moment"
	}
	if story.Unknown(d.shown.Result, r.Finding) {
		return "not known now: not every server answers"
	}
	return "cleared"
}

// LineAt is the line of the list in a row of the screen; -1: none.
func (d *Desk) LineAt(y int) int {
	s := d.Layout()
	switch at := y - s.List.Y - 1; { // below the titles
	case s.Attention.Holds(0, y):
		return d.List.HeadAt(y - s.Attention.Y)
	case at >= 0 && y < s.List.Y+s.List.H:
		return d.List.Top + at
	}
	return -1
}

// calmLines say that nothing needs attention, and what is not known.
func (d *Desk) calmLines(w int) []paint.Line {
	if snap := d.shown.Result.Snapshot; !snap.Complete && len(snap.Partial) == 0 {
		return nil
	}
	text, gap := d.shown.Calm(d.List.Recipes)
	line := paint.Line{paint.Good.Text(" " + d.shown.Theme.Seen), paint.Plain.Text(" " + text)}
	switch {
	case gap != "" && d.shown.Filter.Text != "":
		line = paint.Line{paint.Alert.Text(" " + d.shown.Theme.Alert), paint.Plain.Text(" " + text + "; " + gap)}
	case gap != "":
		line = paint.Line{paint.Warn.Text(" " + d.shown.Theme.Likely), paint.Plain.Text(" " + text + "; " + gap)}
	}
	return []paint.Line{line}
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
	return d.Claims.Lines(d.shown.Panel(m.Kind), d.pen(m, s), d.Focus == OnClaims && !d.Claims.Whole, func(id model.ClaimID) bool { return d.hand.Marked(m.Path, id) })
}

// pen is what a recipe is drawn from in an area.
func (d *Desk) pen(m *model.Model, s paint.Rect) chart.Pen {
	pen := chart.Pen{Theme: &d.shown.Theme, Model: m, Now: d.shown.AsOf(), W: s.W, H: s.H, Past: d.shown.Past.Of(m.Path),
		Clock: d.shown.Clock, WhyKey: d.shown.Keys.Why.Help().Key}
	if len(d.shown.Result.Snapshot.Sessions) > 0 {
		pen.Link = d.link
	}
	pen.Ended = d.endedText()
	pen.Spanning = d.shown.SpanningOf(m)
	pen.Remedies = d.remedies(pen.Spanning)
	if n := d.shown.Result.Snapshot.At(m.Path); n != nil {
		pen.Data = n.Data
	}
	if c := d.Claims.Selected(m); c != nil {
		pen.Said = d.said(m, c)
	}
	return pen
}

// widest is how wide a row is drawn that is copied: nothing is cut off there.
const widest = 1000

// RowText is the selected row with all its columns, a tab between them; empty: there is none.
func (d *Desk) RowText() string {
	if p := d.page(); p != nil {
		return p.RowText(widest)
	}
	m, r := d.Model(), d.List.Row()
	if c := d.Claims.Selected(m); d.Focus == OnClaims && c != nil {
		return d.Claims.RowText(d.shown.Panel(m.Kind), d.pen(m, paint.Rect{W: widest, H: 1}), c)
	}
	table := d.table(widest)
	switch {
	case r == nil || r.Model == nil || d.List.Lost() != nil:
		return ""
	case r.Finding != nil:
		since, clause := d.attention(r)
		return table.Attention(r, since, clause, nil, false).Fields()
	}
	return table.Line(r, d.shown.Kind(r.Model.Kind), " ").Fields()
}

// link is what servers told of a claim's session.
func (d *Desk) link(c *model.Claim) chart.Link {
	s, known := d.shown.Result.Snapshot.Sessions[c.Session]
	if !known || s.Connected == nil {
		return chart.Link{}
	}
	return chart.Link{Told: true, Connected: *s.Connected, Server: s.Server}
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
