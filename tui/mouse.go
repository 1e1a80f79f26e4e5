package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// wheelStep is how many lines a notch of the wheel moves.
const wheelStep = 3

// toggleMouse begins to take the mouse, or leaves it to the terminal.
func (a *App) toggleMouse() tea.Cmd {
	if a.mouse = !a.mouse; !a.mouse {
		a.say("the mouse is the terminal's again", paint.Plain)
		return tea.DisableMouse
	}
	a.say("the mouse scrolls and selects; :mouse gives it back to the terminal", paint.Good)
	return tea.EnableMouseCellMotion
}

// onMouse scrolls and selects. It decides nothing: boxes that ask take keys only.
func (a *App) onMouse(m tea.MouseMsg) tea.Cmd {
	if !a.mouse || a.shown.Size.TooSmall || m.Action != tea.MouseActionPress {
		return nil
	}
	sheet := layer.Top[*layer.Sheet](&a.stack)
	switch {
	case sheet != nil && m.Button == tea.MouseButtonWheelUp:
		sheet.Scroll(-wheelStep)
	case sheet != nil && m.Button == tea.MouseButtonWheelDown:
		sheet.Scroll(wheelStep)
	case act.Busy(&a.stack):
	case m.Button == tea.MouseButtonWheelUp:
		a.wheel(m.X, m.Y, -wheelStep)
	case m.Button == tea.MouseButtonWheelDown:
		a.wheel(m.X, m.Y, wheelStep)
	case m.Button == tea.MouseButtonLeft:
		return a.click(m.X, m.Y)
	}
	return nil
}

// pane is the pane at a cell of the screen, with the title above it.
func (a *App) pane(x, y int) (desk.Focus, bool) {
	s := a.desk.Layout()
	list, panel := s.List, s.Panel
	for _, r := range []*paint.Rect{&list, &panel} {
		r.Y, r.H = r.Y-1, r.H+1
	}
	switch {
	case s.Single:
		return a.desk.Focus, list.Holds(x, y) || panel.Holds(x, y)
	case list.Holds(x, y):
		return desk.OnList, true
	case panel.Holds(x, y):
		return desk.OnClaims, a.desk.Model() != nil
	}
	return desk.OnList, false
}

// wheel moves the selection of the pane under the pointer; the focus stays.
func (a *App) wheel(x, y, by int) {
	if at, ok := a.pane(x, y); ok || a.page() != nil {
		a.shift(at, by)
	}
}

// click selects the line at a cell, and gives its pane the focus; on the name of a view it opens that.
func (a *App) click(x, y int) tea.Cmd {
	if p := a.page(); p != nil {
		if v := a.tabAt(p, x, y); v != nil {
			return a.open(v.Name, "")
		}
		if r := a.shown.PageRect(); r.Holds(x, y) {
			p.Choose(p.List.Top + y - r.Y)
		}
		return nil
	}
	at, ok := a.pane(x, y)
	if !ok {
		return nil
	}
	a.desk.Focus, a.desk.List.Loose = at, false
	s := a.desk.Layout()
	if at == desk.OnList {
		if y >= s.List.Y && a.desk.List.Choose(a.desk.List.Top+y-s.List.Y) {
			a.desk.ShowClaims()
		}
		return nil
	}
	a.desk.Claims.Choose(y - s.Panel.Y)
	return nil
}

// tabAt is the view whose name is at a cell of a page's title, or nil.
func (a *App) tabAt(p *view.Page, x, y int) *view.View {
	left := 2 + term.Width(p.View.Title(&a.shown, p)) + 1
	if y != 1 || left+term.Width(a.tabs(p))+1 > a.shown.Size.W-1 {
		return nil
	}
	for _, v := range view.All {
		if v.Key == "" || v == p.View {
			continue
		}
		w := term.Width(" " + v.Key + " " + v.Name)
		if x >= left && x < left+w {
			return v
		}
		left += w
	}
	return nil
}
