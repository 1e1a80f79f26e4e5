package tui

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// View draws the whole screen: exactly as many lines as the terminal has, none wider.
func (a *App) View() string { return term.Frame(a.frame()) }

func (a *App) frame() string {
	s := a.shown.Size
	switch {
	case s.W == 0 || s.H == 0:
		return ""
	case s.TooSmall:
		return a.tooSmall()
	}
	return strings.Join(a.stack.Draw(a.screen, s.W, s.H), "\n")
}

// pageScreen draws a page over the whole screen.
func (a *App) pageScreen(p *view.Page) []string {
	t, r := &a.shown.Theme, a.shown.PageRect()
	c := paint.NewCanvas(t, a.shown.Size.W, a.shown.Size.H)
	c.Add(a.titleBar())
	c.Rule(t.TopLeft, t.TopRight, paint.RuleTitle{Text: p.View.Title(&a.shown, p), Note: a.tabs(p), Style: paint.Bold})
	c.Area(p.Lines(r.W, r.H, a.hand.MarkedItem), r.W, r.H)
	c.Rule(t.BottomLeft, t.BottomRight, paint.RuleTitle{})
	c.Add(a.keyBar())
	return c.Rows
}

// tabs names the views and their keys.
func (a *App) tabs(p *view.Page) string {
	var b strings.Builder
	for _, v := range view.All {
		if v.Key != "" && v != p.View {
			b.WriteString(" " + v.Key + " " + v.Name)
		}
	}
	return b.String()
}

func (a *App) tooSmall() string {
	c := paint.NewCanvas(&a.shown.Theme, a.shown.Size.W, a.shown.Size.H)
	c.Add(paint.PlainLine(fmt.Sprintf("terminal too small (need %dx%d)", paint.MinW, paint.MinH)))
	for len(c.Rows) < a.shown.Size.H {
		c.Add(nil)
	}
	return strings.Join(c.Rows, "\n")
}

// layout is where everything stands now: where the panel stands below the list, the one that has the focus gets
// all the room when it is the claims.
func (a *App) layout() paint.Layout {
	s := a.shown.Size
	if s.Stacked && a.focus == onClaims {
		s.Stacked, s.Single = false, true
		s.Panel = paint.Rect{X: 1, Y: 2, W: s.W - 2, H: s.List.H + 1 + s.Panel.H}
	}
	return s
}

func (a *App) screen() []string {
	t, s := &a.shown.Theme, a.layout()
	c := paint.NewCanvas(t, s.W, s.H)
	c.Add(a.titleBar())
	list, panel := a.listTitle(), a.panelTitle()
	switch {
	case s.Single && a.focus == onClaims:
		c.Rule(t.TopLeft, t.TopRight, panel)
		c.Area(a.panelArea(), s.Panel.W, s.Panel.H)
	case s.Single:
		c.Rule(t.TopLeft, t.TopRight, list)
		c.Area(a.listArea(), s.List.W, s.List.H)
	case s.Stacked:
		c.Rule(t.TopLeft, t.TopRight, list)
		c.Area(a.listArea(), s.List.W, s.List.H)
		c.Rule(t.TeeRight, t.TeeLeft, panel)
		c.Area(a.panelArea(), s.Panel.W, s.Panel.H)
	default:
		list.W, list.Join = s.List.W, t.TeeDown
		c.Rule(t.TopLeft, t.TopRight, list, panel)
		c.Areas(a.listArea(), s.List.W, a.panelArea(), s.Panel.W, s.List.H)
	}
	a.bottom(c)
	return c.Rows
}

// bottom draws what stands below the panes: the events where there is room, the lower border, the keys.
func (a *App) bottom(c *paint.Canvas) {
	t, s := &a.shown.Theme, a.layout()
	between := paint.RuleTitle{W: s.List.W, Join: t.TeeUp} // where the border between the panes ends
	foot := []paint.RuleTitle{{}}
	if s.W >= paint.SideBySide {
		foot = []paint.RuleTitle{between, {}}
	}
	if s.Events.H > 0 {
		foot[0].Text, foot[0].Style = "events", paint.Bold
		if a.shown.Paused {
			foot[0].Text = "events, going on"
		}
		if a.shown.Filter.Text != "" {
			foot[0].Text += " with " + term.Safe(a.shown.Filter.Text)
		}
		c.Rule(t.TeeRight, t.TeeLeft, foot...)
		c.Area(a.eventLines(s.Events.H), s.Events.W, s.Events.H)
		foot = []paint.RuleTitle{{}}
	}
	c.Rule(t.BottomLeft, t.BottomRight, foot...)
	c.Add(a.keyBar())
}

func (a *App) listTitle() paint.RuleTitle {
	high, medium := 0, 0
	for i, rows := 0, a.list.Rows(); i < len(rows); i++ {
		switch f := rows[i].Finding; {
		case f == nil:
		case f.Severity == model.High:
			high++
		case f.Severity == model.Medium:
			medium++
		}
	}
	text := paint.Number(a.list.Recipes) + " recipes"
	if a.list.Recipes == 1 {
		text = "1 recipe"
	}
	if a.order != view.ByPath || a.reverse {
		text += " by " + view.OrderNames[a.order]
		if a.reverse {
			text += ", reversed"
		}
	}
	style := paint.Plain
	if a.focus == onList {
		style = paint.Bold
	}
	if told := view.Weighed(high, medium); told != "" {
		text += " " + a.shown.Theme.Dot + " " + told
	}
	return paint.RuleTitle{Text: text, Style: style}
}

func (a *App) panelTitle() paint.RuleTitle {
	m := a.model()
	if gone := a.goneModel(); gone != nil {
		return paint.RuleTitle{Text: term.Safe(gone.Path), Note: a.goneWord(), Style: paint.Plain}
	}
	if m == nil {
		return paint.RuleTitle{}
	}
	style := paint.Plain
	if a.focus == onClaims {
		style = paint.Bold
	}
	note := fmt.Sprintf("%s %s %s", m.Kind, a.shown.Theme.Dot, m.Dialect)
	if m.Confidence < 0.7 {
		note += fmt.Sprintf(" (%.0f%% sure)", m.Confidence*100)
	}
	return paint.RuleTitle{Text: term.Safe(m.Path), Note: note, Style: style}
}

func (a *App) listArea() []paint.Line {
	s := a.shown.Size.List
	if a.list.Len() == 0 {
		return a.nothing(s.W)
	}
	return a.list.Draw(widget.Look[view.RowID, view.Row]{Theme: &a.shown.Theme, Now: a.shown.AsOf(), Focus: a.focus == onList, Both: true, Row: a.rowLine, Marked: a.rowMarked}, s.W, s.H)
}

// rowLine draws a row of the list.
func (a *App) rowLine(r *view.Row, gone *view.GoneRow, fresh bool) paint.Line {
	w := a.shown.Size.List.W
	if gone != nil {
		word := "gone"
		if gone.Held {
			word = a.goneWord()
		}
		return view.LateLine(&a.shown.Theme, gone, word, a.shown.AsOf(), w)
	}
	p := panel.Panel{}
	if r.Model != nil {
		p = a.shown.Panel(r.Model.Kind)
	}
	return view.RowLine(&a.shown.Theme, r, p, a.rowSign(r, fresh), a.shown.AsOf(), w)
}

// rowMarked reports whether anything in a row is marked.
func (a *App) rowMarked(r *view.Row) bool {
	return r.Model != nil && len(a.hand.Marks) > 0 && a.hand.MarkedIn(r.Model)
}

// nothing says what is known when there is no row to show.
func (a *App) nothing(w int) []paint.Line {
	snap := a.shown.Result.Snapshot
	say := func(style paint.Style, text string) (out []paint.Line) {
		out = append(out, nil)
		for _, s := range term.Wrap(text, w-2, 0, "") {
			out = append(out, paint.Line{style.Text(" " + s)})
		}
		return out
	}
	switch {
	case a.shown.Link.Err != nil:
		return say(paint.Alert, term.Safe(a.shown.Link.Err.Error()))
	case a.shown.Filter.Text != "" && a.shown.Result.Models.Len() > 0:
		if a.shown.Filter.Wrong != "" {
			return say(paint.Warn, a.shown.Filter.Wrong+"; esc clears it")
		}
		return say(paint.Dim, "no recipe matches the filter; esc clears it")
	case !snap.LostSince.IsZero():
		return say(paint.Warn, "not connected, and nothing was read before; trying on: "+term.Safe(a.shown.Link.Cause))
	case !snap.Complete && len(snap.Partial) == 0:
		return say(paint.Dim, fmt.Sprintf("reading the tree: %s znodes so far", paint.Number(picture.Count(snap.Root))))
	}
	if len(snap.Partial) > 0 {
		return say(paint.Warn, "no recipe found in what was read; not everything was: "+term.Safe(strings.Join(snap.Partial, "; ")))
	}
	return say(paint.Dim, fmt.Sprintf("no recipe found among %s znodes below %s. An empty lock leaves nothing to see; it appears when somebody claims it.",
		paint.Number(picture.Count(snap.Root)), term.Safe(snap.Base)))
}

func (a *App) panelArea() []paint.Line {
	m, s := a.model(), a.layout().Panel
	if gone := a.goneModel(); gone != nil {
		return a.goneArea(gone, s.W)
	}
	if m == nil {
		return nil
	}
	pen := panel.Pen{Theme: &a.shown.Theme, Model: m, Now: a.shown.AsOf(), W: s.W, H: s.H, Past: a.shown.Past.Of(m.Path)}
	pen.Ended = a.endedText()
	pen.Spanning = a.shown.SpanningOf(m)
	pen.Remedies = a.remedies(pen.Spanning)
	if n := a.shown.Result.Snapshot.At(m.Path); n != nil {
		pen.Data = n.Data
	}
	if c := a.claims.Selected(m); c != nil {
		pen.Said = a.said(m, c)
	}
	return a.claims.Lines(a.shown.Panel(m.Kind), pen, a.focus == onClaims && !a.claims.Whole, func(id model.ClaimID) bool { return a.hand.Marked(m.Path, id) })
}

// eventLines shows the newest events, newest first.
func (a *App) eventLines(h int) []paint.Line {
	if len(a.shown.Log.Events) == 0 {
		return []paint.Line{{paint.Dim.Text(" nothing has changed since the console started")}}
	}
	out := make([]paint.Line, 0, h)
	for i := len(a.shown.Log.Events) - 1; i >= 0 && len(out) < h; i-- {
		e := &a.shown.Log.Events[i].Event
		if !view.KeepsEvent(&a.shown.Filter, e) {
			continue
		}
		style := paint.Plain
		if strings.HasPrefix(e.Text, "you: ") {
			style = paint.Bold
		} else if e.What == story.EventAlarm {
			style = paint.Alert
		}
		path := term.Safe(e.Path)
		width := max(16, min(32, a.shown.Size.Events.W/4))
		out = append(out, paint.Line{paint.Dim.Text(" " + a.shown.Clock(e.At) + "  "), paint.Plain.Text(term.FitLeft(path, width, a.shown.Theme.Ellipsis) + "  "), style.Text(term.Safe(e.Told(a.shown.Clock)))})
	}
	if len(out) == 0 {
		return []paint.Line{{paint.Dim.Text(" nothing has changed in what the filter keeps")}}
	}
	return out
}

// said is the data of a claim's znode in one line; empty where it is shown elsewhere.
func (a *App) said(m *model.Model, c *model.Claim) string {
	n := a.shown.Result.Snapshot.At(c.Path())
	if n == nil || len(n.Data) == 0 || c.Path() == m.Path {
		return ""
	}
	text := strings.Join(paint.Readable(n.Data), " ")
	if text == term.Safe(c.Owner()) || text == panel.VoteWord(c) {
		return ""
	}
	return "data " + text
}
