package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// sheet is a text over the whole screen, to read and leave: the keys, why something is stuck.
type sheet struct {
	title string
	lines func(a *App, w int) []paint.Line
	copy  func(a *App) string // what copying it copies; nil: nothing
	top   int

	stakes func(a *App, v actions.Verb) []stake // what it names for a verb, or for any where that is empty; nil: keys act on nothing
	gone   string                               // what is said where that is gone
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
	case key.Matches(msg, k.Revoke, k.Break, k.Act, k.Vote) && s.stakes != nil:
		return a.sheetAct(msg)
	case key.Matches(msg, k.Quit):
		return a.quit()
	case key.Matches(msg, k.Help), key.Matches(msg, k.Why), msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		a.mode, a.sheet = browsing, nil
	}
	return nil
}

// sheetAct closes the sheet and acts on what it names for what the key does, whatever is selected or marked below it; where
// it names several, it asks which.
func (a *App) sheetAct(msg tea.KeyMsg) tea.Cmd {
	s, k := a.sheet, a.keys
	a.mode, a.sheet, a.message = browsing, nil, message{}
	verb := actions.Verb("")
	switch {
	case key.Matches(msg, k.Revoke):
		verb = actions.VerbRevoke
	case key.Matches(msg, k.Break):
		verb = actions.VerbBreak
	}
	all := s.stakes(a, verb)
	switch {
	case len(all) == 0:
		a.say(s.gone, paint.Warn)
		return nil
	case key.Matches(msg, k.Vote):
		return a.voteKey(all)
	case verb == "":
		return a.which("act", all, func(a *App, m *model.Model, c *model.Claim) tea.Cmd { return a.menuOn(m, c, true) })
	}
	return a.actOn(verb, all)
}

// sheetScreen draws the sheet.
func (a *App) sheetScreen() string {
	t, s := &a.theme, a.sheet
	lines := s.lines(a, a.size.W)
	h := a.size.H - 2
	s.top = max(0, min(s.top, len(lines)-h))
	c := paint.NewCanvas(t, a.size.W, a.size.H)
	c.Add(paint.Line{paint.Title.Text(" zkscope "), paint.Bold.Text(" " + s.title)})
	for i := range h {
		if s.top+i < len(lines) {
			c.Add(lines[s.top+i])
		} else {
			c.Add(nil)
		}
	}
	foot := a.sheetHints(s.top+h < len(lines))
	if a.message.text != "" && a.now.Before(a.message.until) {
		foot = " " + a.message.text
	}
	c.Add(paint.Line{paint.Dim.Text(foot)})
	return strings.Join(c.Rows, "\n")
}

// sheetHints names the keys of a sheet, as many as there is room for; more: not all of it is on the screen.
func (a *App) sheetHints(more bool) string {
	s, k := a.sheet, a.keys
	hints := []string{"esc closes"}
	if more {
		hints = append(hints, k.Down.Help().Key+" for more")
	}
	if s.stakes != nil {
		for _, b := range a.keysFor(s.stakes(a, "")) {
			hints = append(hints, b.Help().Key+" "+shortHelp(b))
		}
	}
	if s.copy != nil {
		hints = append(hints, k.Copy.Help().Key+" copies it")
	}
	out := ""
	for _, h := range hints {
		if term.Width(out)+term.Width(h)+3 <= a.size.W {
			out += "   " + h
		}
	}
	return strings.TrimPrefix(out, "  ")
}
