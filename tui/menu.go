package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// menu is a short list to choose from: with the entry's key, or with the cursor and enter.
type menu struct {
	title   string
	entries []entry
	at      int                // -1: none, because none can be taken
	renew   func(*App) []entry // Optional; the entries as they are now, for what their keys have in common
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
		if m.at >= 0 {
			return a.take(&m.entries[m.at])
		}
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
		a.say("cannot "+e.label+": "+e.off, paint.Warn)
		return nil
	}
	a.mode, a.menu = browsing, nil
	return e.run(a)
}

// box is a menu as the inside of a box of w cells and at most h lines: the entries around the cursor, and below them,
// whole, why the one under the cursor cannot be taken.
func (m *menu) box(t *paint.Theme, w, h int) []paint.Line {
	tail := append(m.reason(w), paint.Line{paint.Dim.Text("  enter chooses, esc closes")}, nil)
	room := max(1, h-len(tail)-2)
	from := max(0, min(m.at+1-room/2, len(m.entries)-room))
	out := []paint.Line{nil}
	for i := from; i < min(len(m.entries), from+room); i++ {
		e := &m.entries[i]
		style, text := paint.Plain, e.label
		if e.off != "" {
			style, text = paint.Dim, e.label+": "+e.off
		}
		l := paint.Line{paint.Plain.Text("  "), paint.Accent.Text(term.Pad(e.key, 3)), style.Text(term.Cut(text, w-6, t.Ellipsis))}
		if i == m.at {
			l = t.Picked(append(paint.Line{paint.Plain.Text(t.Cursor + " ")}, l[1:]...), w)
		}
		out = append(out, l)
	}
	return append(append(out, nil), tail...)
}

// reason is why the entry under the cursor cannot be taken, where its own line has no room for it. The lines that the
// longest of the reasons takes are always there, so that the box holds still.
func (m *menu) reason(w int) (out []paint.Line) {
	most := 0
	for i := range m.entries {
		e := &m.entries[i]
		if e.off == "" || term.Width(e.label+": "+e.off) <= w-6 {
			continue
		}
		text := term.Wrap(e.off, w-4, 0, "")
		if most = max(most, len(text)+1); i != m.at {
			continue
		}
		for _, s := range text {
			out = append(out, paint.Line{paint.Warn.Text("  " + s)})
		}
	}
	for len(out) < most {
		out = append(out, nil)
	}
	return out
}
