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

func (a *App) screen() []string {
	t, s := &a.shown.Theme, a.desk.Layout()
	c := paint.NewCanvas(t, s.W, s.H)
	c.Add(a.titleBar())
	list, panel := a.desk.ListTitle(), a.desk.PanelTitle()
	switch {
	case s.Single && a.desk.Focus == desk.OnClaims:
		c.Rule(t.TopLeft, t.TopRight, panel)
		c.Area(a.desk.PanelArea(), s.Panel.W, s.Panel.H)
	case s.Single:
		c.Rule(t.TopLeft, t.TopRight, list)
		c.Area(a.desk.ListArea(), s.List.W, s.List.H)
	case s.Stacked:
		c.Rule(t.TopLeft, t.TopRight, list)
		c.Area(a.desk.ListArea(), s.List.W, s.List.H)
		c.Rule(t.TeeRight, t.TeeLeft, panel)
		c.Area(a.desk.PanelArea(), s.Panel.W, s.Panel.H)
	default:
		list.W, list.Join = s.List.W, t.TeeDown
		c.Rule(t.TopLeft, t.TopRight, list, panel)
		c.Areas(a.desk.ListArea(), s.List.W, a.desk.PanelArea(), s.Panel.W, s.List.H)
	}
	a.bottom(c)
	return c.Rows
}

// bottom draws what stands below the panes: the events where there is room, the lower border, the keys.
func (a *App) bottom(c *paint.Canvas) {
	t, s := &a.shown.Theme, a.desk.Layout()
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
