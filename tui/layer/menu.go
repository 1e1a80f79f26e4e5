package layer

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// Menu is a short list to choose from: with the entry's key, or with the cursor and enter.
type Menu struct {
	Title   string
	Entries []Entry
	At      int            // -1: none, because none can be taken
	Renew   func() []Entry // Optional; the entries as they are now, for what their keys have in common

	host *Host
	done bool
}

// Entry is one choice. Where Off is set it cannot be chosen, and that is the reason.
type Entry struct {
	Key, Label, Off string
	Run             func() tea.Cmd
}

// Open starts the menu.
func (m *Menu) Open(h *Host) { m.host = h }

// Done reports whether something was chosen, or the menu was closed.
func (m *Menu) Done() bool { return m.done }

// Refresh brings the entries up to what is known now; they stay where they are under the cursor.
func (m *Menu) Refresh() {
	if m.Renew == nil {
		return
	}
	for _, now := range m.Renew() {
		for i := range m.Entries {
			if m.Entries[i].Key == now.Key {
				m.Entries[i] = now
				break
			}
		}
	}
}

// Key takes a key.
func (m *Menu) Key(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "q":
		m.done = true
	case "j", "down", "tab":
		m.At = min(m.At+1, len(m.Entries)-1)
	case "k", "up", "shift+tab":
		m.At = max(m.At-1, 0)
	case "enter":
		if m.At >= 0 {
			return m.take(&m.Entries[m.At])
		}
	default:
		for i := range m.Entries {
			if m.Entries[i].Key == msg.String() {
				m.At = i
				return m.take(&m.Entries[i])
			}
		}
	}
	return nil
}

// take carries out a choice; one that cannot be taken says why and leaves the menu open.
func (m *Menu) take(e *Entry) tea.Cmd {
	if e.Off != "" {
		m.host.Say("cannot "+e.Label+": "+e.Off, paint.Warn)
		return nil
	}
	m.done = true
	return e.Run()
}

// Draw draws the menu over the rows below, in their middle.
func (m *Menu) Draw(below func() []string, w, _ int) []string {
	rows := below()
	return over(m.host.Theme, m.Title, m.lines(m.host.Theme, inner(w), len(rows)-margin), rows, w)
}

// lines are the inside of a box of w cells and at most h lines: the entries around the cursor, and below them,
// whole, why the one under the cursor cannot be taken.
func (m *Menu) lines(t *paint.Theme, w, h int) []paint.Line {
	tail := append(m.reason(w), paint.Line{paint.Dim.Text("  enter chooses, esc closes")}, nil)
	room := max(1, h-len(tail)-2)
	from := max(0, min(m.At+1-room/2, len(m.Entries)-room))
	out := []paint.Line{nil}
	for i := from; i < min(len(m.Entries), from+room); i++ {
		e := &m.Entries[i]
		style, text := paint.Plain, e.Label
		if e.Off != "" {
			style, text = paint.Dim, e.Label+": "+e.Off
		}
		l := paint.Line{paint.Plain.Text("  "), paint.Accent.Text(term.Pad(e.Key, 3)), style.Text(term.Cut(text, w-6, t.Ellipsis))}
		if i == m.At {
			l = t.Picked(append(paint.Line{paint.Plain.Text(t.Cursor + " ")}, l[1:]...), w)
		}
		out = append(out, l)
	}
	return append(append(out, nil), tail...)
}

// reason is why the entry under the cursor cannot be taken, where its own line has no room for it. The lines that the
// longest of the reasons takes are always there, so that the box holds still.
func (m *Menu) reason(w int) (out []paint.Line) {
	most := 0
	for i := range m.Entries {
		e := &m.Entries[i]
		if e.Off == "" || term.Width(e.Label+": "+e.Off) <= w-6 {
			continue
		}
		text := term.Wrap(e.Off, w-4, 0, "")
		if most = max(most, len(text)+1); i != m.At {
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
