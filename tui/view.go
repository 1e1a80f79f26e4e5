package tui

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// View draws the whole screen: exactly as many lines as the terminal has, none wider.
func (a *App) View() string { return term.Frame(a.frame()) }

func (a *App) frame() string {
	s := a.size
	switch {
	case s.W == 0 || s.H == 0:
		return ""
	case s.TooSmall:
		return a.tooSmall()
	}
	return strings.Join(a.stack.Draw(a.screen, s.W, s.H), "\n")
}

// pageRect is where a page's lines are drawn.
func (a *App) pageRect() paint.Rect { return paint.Rect{X: 1, Y: 2, W: a.size.W - 2, H: a.size.H - 4} }

// pageScreen draws a page over the whole screen.
func (a *App) pageScreen(p *page) []string {
	t, r := &a.theme, a.pageRect()
	c := paint.NewCanvas(t, a.size.W, a.size.H)
	c.Add(a.titleBar())
	c.Rule(t.TopLeft, t.TopRight, paint.RuleTitle{Text: p.view.title(a, p), Note: a.tabs(p), Style: paint.Bold})
	c.Area(p.lines(r.W, r.H), r.W, r.H)
	c.Rule(t.BottomLeft, t.BottomRight, paint.RuleTitle{})
	c.Add(a.keyBar())
	return c.Rows
}

// tabs names the views and their keys.
func (a *App) tabs(p *page) string {
	var b strings.Builder
	for _, v := range a.views {
		if v.key != "" && v != p.view {
			b.WriteString(" " + v.key + " " + v.name)
		}
	}
	return b.String()
}

func (a *App) tooSmall() string {
	c := paint.NewCanvas(&a.theme, a.size.W, a.size.H)
	c.Add(paint.PlainLine(fmt.Sprintf("terminal too small (need %dx%d)", paint.MinW, paint.MinH)))
	for len(c.Rows) < a.size.H {
		c.Add(nil)
	}
	return strings.Join(c.Rows, "\n")
}

// layout is where everything stands now: where the panel stands below the list, the one that has the focus gets
// all the room when it is the claims.
func (a *App) layout() paint.Layout {
	s := a.size
	if s.Stacked && a.focus == onClaims {
		s.Stacked, s.Single = false, true
		s.Panel = paint.Rect{X: 1, Y: 2, W: s.W - 2, H: s.List.H + 1 + s.Panel.H}
	}
	return s
}

func (a *App) screen() []string {
	t, s := &a.theme, a.layout()
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
	t, s := &a.theme, a.layout()
	between := paint.RuleTitle{W: s.List.W, Join: t.TeeUp} // where the border between the panes ends
	foot := []paint.RuleTitle{{}}
	if s.W >= paint.SideBySide {
		foot = []paint.RuleTitle{between, {}}
	}
	if s.Events.H > 0 {
		foot[0].Text, foot[0].Style = "events", paint.Bold
		if a.paused {
			foot[0].Text = "events, going on"
		}
		if a.filter.Text != "" {
			foot[0].Text += " with " + term.Safe(a.filter.Text)
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
		switch f := rows[i].finding; {
		case f == nil:
		case f.Severity == model.High:
			high++
		case f.Severity == model.Medium:
			medium++
		}
	}
	text := paint.Number(a.list.recipes) + " recipes"
	if a.list.recipes == 1 {
		text = "1 recipe"
	}
	if a.order != byPath || a.reverse {
		text += " by " + orderNames[a.order]
		if a.reverse {
			text += ", reversed"
		}
	}
	style := paint.Plain
	if a.focus == onList {
		style = paint.Bold
	}
	if told := weighed(high, medium); told != "" {
		text += " " + a.theme.Dot + " " + told
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
	note := fmt.Sprintf("%s %s %s", m.Kind, a.theme.Dot, m.Dialect)
	if m.Confidence < 0.7 {
		note += fmt.Sprintf(" (%.0f%% sure)", m.Confidence*100)
	}
	return paint.RuleTitle{Text: term.Safe(m.Path), Note: note, Style: style}
}

func (a *App) listArea() []paint.Line {
	s := a.size.List
	if a.list.Len() == 0 {
		return a.nothing(s.W)
	}
	return a.list.Draw(widget.Look[rowID, row]{Theme: &a.theme, Now: a.asOf(), Focus: a.focus == onList, Both: true, Row: a.rowLine, Marked: a.rowMarked}, s.W, s.H)
}

// rowLine draws a row of the list.
func (a *App) rowLine(r *row, gone *goneRow, fresh bool) paint.Line {
	w := a.size.List.W
	if gone != nil {
		word := "gone"
		if gone.Held {
			word = a.goneWord()
		}
		return lateLine(&a.theme, gone, word, a.asOf(), w)
	}
	p := panel.Panel{}
	if r.model != nil {
		p = a.panel(r.model.Kind)
	}
	return rowLine(&a.theme, r, p, a.rowSign(r, fresh), a.asOf(), w)
}

// rowMarked reports whether anything in a row is marked.
func (a *App) rowMarked(r *row) bool {
	return r.model != nil && len(a.marks) > 0 && a.markedIn(r.model)
}

// nothing says what is known when there is no row to show.
func (a *App) nothing(w int) []paint.Line {
	snap := a.res.Snapshot
	say := func(style paint.Style, text string) (out []paint.Line) {
		out = append(out, nil)
		for _, s := range term.Wrap(text, w-2, 0, "") {
			out = append(out, paint.Line{style.Text(" " + s)})
		}
		return out
	}
	switch {
	case a.link.Err != nil:
		return say(paint.Alert, term.Safe(a.link.Err.Error()))
	case a.filter.Text != "" && a.res.Models.Len() > 0:
		if a.filter.Wrong != "" {
			return say(paint.Warn, a.filter.Wrong+"; esc clears it")
		}
		return say(paint.Dim, "no recipe matches the filter; esc clears it")
	case !snap.LostSince.IsZero():
		return say(paint.Warn, "not connected, and nothing was read before; trying on: "+term.Safe(a.link.Cause))
	case !snap.Complete && len(snap.Partial) == 0:
		return say(paint.Dim, fmt.Sprintf("reading the tree: %s znodes so far", paint.Number(count(snap.Root))))
	}
	if len(snap.Partial) > 0 {
		return say(paint.Warn, "no recipe found in what was read; not everything was: "+term.Safe(strings.Join(snap.Partial, "; ")))
	}
	return say(paint.Dim, fmt.Sprintf("no recipe found among %s znodes below %s. An empty lock leaves nothing to see; it appears when somebody claims it.",
		paint.Number(count(snap.Root)), term.Safe(snap.Base)))
}

func count(n *znode.Node) int {
	total := 1
	for _, c := range n.Children {
		total += count(c)
	}
	return total
}

func (a *App) panelArea() []paint.Line {
	m, s := a.model(), a.layout().Panel
	if gone := a.goneModel(); gone != nil {
		return a.goneArea(gone, s.W)
	}
	if m == nil {
		return nil
	}
	pen := panel.Pen{Theme: &a.theme, Model: m, Now: a.asOf(), W: s.W, H: s.H, Past: a.past.of(m.Path)}
	pen.Ended = a.endedText()
	pen.Spanning = a.spanningOf(m)
	pen.Remedies = a.remedies(pen.Spanning)
	if n := a.res.Snapshot.At(m.Path); n != nil {
		pen.Data = n.Data
	}
	if c := a.claims.selected(m); c != nil {
		pen.Said = a.said(m, c)
	}
	return a.claims.lines(a.panel(m.Kind), pen, a.focus == onClaims && !a.claims.whole, func(id model.ClaimID) bool { return a.marked(m.Path, id) })
}

// said is the data of a claim's znode in one line; empty where it is shown elsewhere.
func (a *App) said(m *model.Model, c *model.Claim) string {
	n := a.res.Snapshot.At(c.Path())
	if n == nil || len(n.Data) == 0 || c.Path() == m.Path {
		return ""
	}
	text := strings.Join(paint.Readable(n.Data), " ")
	if text == term.Safe(c.Owner()) || text == panel.VoteWord(c) {
		return ""
	}
	return "data " + text
}

// eventLines shows the newest events, newest first.
func (a *App) eventLines(h int) []paint.Line {
	if len(a.log.events) == 0 {
		return []paint.Line{{paint.Dim.Text(" nothing has changed since the console started")}}
	}
	out := make([]paint.Line, 0, h)
	for i := len(a.log.events) - 1; i >= 0 && len(out) < h; i-- {
		e := &a.log.events[i].Event
		if !keepsEvent(&a.filter, e) {
			continue
		}
		style := paint.Plain
		if strings.HasPrefix(e.Text, "you: ") {
			style = paint.Bold
		} else if e.What == story.EventAlarm {
			style = paint.Alert
		}
		path := term.Safe(e.Path)
		width := max(16, min(32, a.size.Events.W/4))
		out = append(out, paint.Line{paint.Dim.Text(" " + a.clock(e.At) + "  "), paint.Plain.Text(term.FitLeft(path, width, a.theme.Ellipsis) + "  "), style.Text(term.Safe(e.Told(a.clock)))})
	}
	if len(out) == 0 {
		return []paint.Line{{paint.Dim.Text(" nothing has changed in what the filter keeps")}}
	}
	return out
}
