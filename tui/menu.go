package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
)

// menu is a short list to choose from: with the entry's key, or with the cursor and enter.
type menu struct {
	title   string
	entries []entry
	at      int
}

// entry is one choice. Where off is set it cannot be chosen, and that is the reason.
type entry struct {
	key, label, off string
	run             func(*App) tea.Cmd
}

// choose opens a menu.
func (a *App) choose(m *menu) { a.mode, a.menu = choosing, m }

func (a *App) menuKey(msg tea.KeyMsg) tea.Cmd {
	m := a.menu
	switch msg.String() {
	case "esc", "q":
		a.mode, a.menu = browsing, nil
	case "j", "down", "tab":
		m.at = min(m.at+1, len(m.entries)-1)
	case "k", "up", "shift+tab":
		m.at = max(m.at-1, 0)
	case "enter":
		return a.take(&m.entries[m.at])
	default:
		for i := range m.entries {
			if m.entries[i].key == msg.String() {
				m.at = i
				return a.take(&m.entries[i])
			}
		}
	}
	return nil
}

// take carries out a choice; one that cannot be taken says why and leaves the menu open.
func (a *App) take(e *entry) tea.Cmd {
	if e.off != "" {
		a.say("cannot "+e.label+": "+e.off, Warn)
		return nil
	}
	a.mode, a.menu = browsing, nil
	return e.run(a)
}

// box is a menu as the inside of a box of w cells.
func (m *menu) box(t *Theme, w int) []line {
	out := []line{nil}
	for i := range m.entries {
		e := &m.entries[i]
		style, text := Plain, e.label
		if e.off != "" {
			style, text = Dim, e.label+": "+e.off
		}
		l := line{{"  ", Plain}, {term.Pad(e.key, 3), Accent}, {term.Cut(text, w-6, t.Ellipsis), style}}
		if i == m.at {
			l = t.picked(append(line{{t.Cursor + " ", Plain}}, l[1:]...), w)
		}
		out = append(out, l)
	}
	return append(out, nil, line{{"  enter chooses, esc closes", Dim}}, nil)
}
