package tui

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
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
	r := a.shown.PageRect()
	c := a.begin()
	c.Rule(paint.RuleTitle{Text: a.crumbs() + p.SortNote(r.W), News: a.desk.News(), Style: paint.Bold})
	c.Area(p.Lines(r.W, r.H, a.hand.MarkedItem), r.W, r.H)
	c.Add(a.keyBar())
	return c.Rows
}

// begin draws the two bars that every screen begins with.
func (a *App) begin() *paint.Canvas {
	c := paint.NewCanvas(&a.shown.Theme, a.shown.Size.W, a.shown.Size.H)
	c.Add(a.titleBar())
	var bar paint.Line
	for _, t := range a.tabs() {
		bar = append(bar, t.line...)
	}
	c.Add(bar)
	return c
}

// crumbs lead from the recipes to the page that is shown.
func (a *App) crumbs() string {
	text := ""
	for _, p := range a.pages() {
		if text != "" {
			text += " " + a.shown.Theme.Crumb + " "
		}
		text += p.View.Title(&a.shown, p)
	}
	return titled(text)
}

func (a *App) tooSmall() string {
	c := paint.NewCanvas(&a.shown.Theme, a.shown.Size.W, a.shown.Size.H)
	c.Add(paint.PlainLine(fmt.Sprintf("terminal too small (need %dx%d)", paint.MinW, paint.MinH)))
	for len(c.Rows) < a.shown.Size.H {
		c.Add(nil)
	}
	return strings.Join(c.Rows, "\n")
}

func (a *App) screen() []string {
	t, s := &a.shown.Theme, a.desk.Layout()
	c := a.begin()
	panel := a.desk.PanelTitle()
	if s.Single && a.desk.Focus == desk.OnClaims {
		panel.News = a.desk.News()
		c.Rule(panel)
		c.Area(a.desk.PanelArea(), s.Panel.W, s.Panel.H)
		a.bottom(c, paint.RuleTitle{})
		return c.Rows
	}
	c.Rule(a.desk.AttentionTitle())
	attention, list := a.desk.AttentionArea(), a.desk.ListArea()
	c.Area(attention, s.Attention.W, s.Attention.H)
	foot := paint.RuleTitle{}
	switch {
	case s.Single:
		c.Area(list, s.List.W, s.List.H)
	case s.Stacked:
		c.Area(list, s.List.W, s.List.H)
		c.Rule(panel)
		c.Area(a.desk.PanelArea(), s.Panel.W, s.Panel.H)
	default:
		title := a.desk.ListTitle()
		title.W, title.Join = s.List.W, t.TeeDown
		c.Rule(title, panel)
		c.Areas(list, s.List.W, a.desk.PanelArea(), s.Panel.W, s.List.H)
		foot.W, foot.Join = s.List.W, t.TeeUp // where the border between the panes ends
	}
	a.bottom(c, foot)
	return c.Rows
}

// bottom draws what stands below the panes: the events where there is room, and the keys.
func (a *App) bottom(c *paint.Canvas, foot paint.RuleTitle) {
	if s := a.shown.Size; s.Events.H > 0 {
		titles := []paint.RuleTitle{foot}
		if foot.W > 0 {
			titles = append(titles, paint.RuleTitle{})
		}
		titles[0].Text = "Events"
		if a.shown.Paused {
			titles[0].Text = "Events, going on"
		}
		if a.shown.Filter.Text != "" {
			titles[0].Text += " with " + term.Safe(a.shown.Filter.Text)
		}
		c.Rule(titles...)
		c.Area(a.eventLines(s.Events.H), s.Events.W, s.Events.H)
	}
	c.Add(a.keyBar())
}

// eventLines shows the newest events, newest first.
func (a *App) eventLines(h int) []paint.Line {
	lines := a.shown.EventLines(func(e *story.Event) bool { return view.KeepsEvent(&a.shown.Filter, e) }, h-1)
	switch {
	case len(a.shown.Log.Events) == 0:
		return []paint.Line{{paint.Dim.Text(" nothing has changed since the console started")}}
	case len(lines) == 0:
		return []paint.Line{{paint.Dim.Text(" nothing has changed in what the filter keeps")}}
	}
	g := a.shown.EventGrid(a.shown.Size.Events.W, true)
	out := []paint.Line{g.Head()}
	for i := range lines {
		out = append(out, lines[i].Row(&g, true))
	}
	return out
}
