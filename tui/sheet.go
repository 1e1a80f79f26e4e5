package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// sheet is a text over the whole screen, to read and leave: the keys, why something is stuck.
type sheet struct {
	title string
	lines func(a *App, w int) []line
	copy  func(a *App) string        // what copying it copies; nil: nothing
	about string                     // the recipe that it is about: what can be done to that is offered; empty: none
	steps func() []*inspect.NextStep // Optional; what it says should be done: a key does that, to the claim that is named
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
	case key.Matches(msg, k.Revoke, k.Break, k.Act, k.Vote):
		return a.sheetAct(msg)
	case key.Matches(msg, k.Quit):
		return a.quit()
	case key.Matches(msg, k.Help), key.Matches(msg, k.Why), msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		a.mode, a.sheet = browsing, nil
	}
	return nil
}

// sheetAct closes the sheet and acts on the claim that it names for what the key does, else on what was read about, if
// that is still what is selected.
func (a *App) sheetAct(msg tea.KeyMsg) tea.Cmd {
	s, about := a.sheet, a.sheet.about
	a.mode, a.sheet = browsing, nil
	verb := actions.VerbBreak
	if key.Matches(msg, a.keys.Revoke) {
		verb = actions.VerbRevoke
	}
	if s.steps != nil && len(a.marks) == 0 && key.Matches(msg, a.keys.Revoke, a.keys.Break) {
		for _, step := range s.steps() {
			if step == nil || step.Verb != string(verb) {
				continue
			}
			if m, c, _ := a.res.RecipeAt(step.Path); c != nil && c.Czxid() == step.Czxid {
				return a.offerFor(verb, m, c)
			}
			a.say("the claim that you read about is gone: nothing was done", Warn)
			return nil
		}
	}
	if m, _ := a.subject(); about != "" && m != nil && m.Path != about {
		a.say("selected is "+term.Safe(m.Path)+", not "+term.Safe(about)+", which you read about", Warn)
		return nil
	}
	return a.browseKey(msg)
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
	foot := a.sheetHints(s.top+h < len(lines))
	if a.message.text != "" && a.now.Before(a.message.until) {
		foot = " " + a.message.text
	}
	c.add(line{{foot, Dim}})
	return strings.Join(c.rows, "\n")
}

// sheetHints names the keys of a sheet, as many as there is room for; more: not all of it is on the screen.
func (a *App) sheetHints(more bool) string {
	s, k := a.sheet, a.keys
	hints := []string{"esc closes"}
	if more {
		hints = append(hints, k.Down.Help().Key+" for more")
	}
	if m, c := a.subject(); s.about != "" && m != nil && m.Path == s.about {
		for _, b := range a.actKeys(m, c) {
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
