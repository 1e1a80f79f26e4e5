package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/desk"
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
	text, scrolls := a.stack.Top().(interface{ Scroll(by int) })
	switch {
	case scrolls && m.Button == tea.MouseButtonWheelUp:
		text.Scroll(-wheelStep)
	case scrolls && m.Button == tea.MouseButtonWheelDown:
		text.Scroll(wheelStep)
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
	case s.Single && a.desk.Focus == desk.OnClaims:
		return desk.OnClaims, panel.Holds(x, y)
	case s.Attention.Holds(x, y), list.Holds(x, y):
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
	if v := a.tabAt(x, y); v != nil {
		return a.open(v.Name, "")
	}
	if p := a.page(); p != nil {
		if r := a.shown.PageRect(); r.Holds(x, y) {
			p.Choose(y - r.Y)
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
		if a.desk.List.Choose(a.desk.LineAt(y)) {
			a.desk.ShowClaims()
		}
		return nil
	}
	a.desk.Claims.Choose(y - s.Panel.Y)
	return nil
}

// tabAt is the view whose name is at a cell of the bar of views, or nil.
func (a *App) tabAt(x, y int) *view.View {
	if y != 1 {
		return nil
	}
	left := 0
	for _, t := range a.tabs() {
		w := t.line.Width()
		if x >= left && x < left+w {
			return t.view
		}
		left += w
	}
	return nil
}
