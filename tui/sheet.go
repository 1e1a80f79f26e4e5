package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// sheet is a text over the whole screen, to read and leave: the keys, why something is stuck.
type sheet struct {
	title string
	lines func(a *App, w int) []line
	copy  func(a *App) string // what copying it copies; nil: nothing
	top   int
}

// read opens a sheet.
func (a *App) read(s *sheet) { a.mode, a.sheet = reading, s }

func (a *App) sheetKey(msg tea.KeyMsg) tea.Cmd {
	k, s := a.keys, a.sheet
	page := max(1, a.size.H/2)
	switch {
	case key.Matches(msg, k.Down):
		s.top++
	case key.Matches(msg, k.PageDown):
		s.top += page
	case key.Matches(msg, k.Up):
		s.top--
	case key.Matches(msg, k.PageUp):
		s.top -= page
	case key.Matches(msg, k.Top):
		s.top = 0
	case key.Matches(msg, k.Bottom):
		s.top = 1 << 20
	case key.Matches(msg, k.Copy) && s.copy != nil:
		return a.copyText("the text", s.copy(a))
	case key.Matches(msg, k.Revoke), key.Matches(msg, k.Break), key.Matches(msg, k.Act):
		a.mode, a.sheet = browsing, nil // what was read about is still selected
		return a.browseKey(msg)
	case key.Matches(msg, k.Quit):
		return a.quit()
	case key.Matches(msg, k.Help), key.Matches(msg, k.Why), msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		a.mode, a.sheet = browsing, nil
	}
	return nil
}

// sheetScreen draws the sheet.
func (a *App) sheetScreen() string {
	t, s := &a.theme, a.sheet
	lines := s.lines(a, a.size.W)
	h := a.size.H - 2
	s.top = max(0, min(s.top, len(lines)-h))
	c := newCanvas(t, a.size.W, a.size.H)
	c.add(line{{" zkscope ", Title}, {" " + s.title, Bold}})
	for i := range h {
		if s.top+i < len(lines) {
			c.add(lines[s.top+i])
		} else {
			c.add(nil)
		}
	}
	foot := " esc closes"
	if s.copy != nil {
		foot += "   " + a.keys.Copy.Help().Key + " copies it"
	}
	if s.top+h < len(lines) {
		foot += "   j for more"
	}
	if a.message.text != "" && a.now.Before(a.message.until) {
		foot = " " + a.message.text
	}
	c.add(line{{foot, Dim}})
	return strings.Join(c.rows, "\n")
}
