package layer

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// FilterLine is the line in which a filter is typed. It filters with every key.
type FilterLine struct {
	Set  func(text string)
	Keep func()                    // after enter, which keeps it
	Kept func() (of, wrong string) // how many it keeps, and what is wrong with it

	host *Host
	text widget.Field
	old  bool // the text is that of before: the first character that is typed takes its place
	done bool
}

// maxFilter is how many characters a filter may have.
const maxFilter = 200

// Open begins with a text.
func (f *FilterLine) Open(h *Host, text string) {
	f.host, f.text = h, widget.NewField(maxFilter)
	f.text.Set(text)
	f.old = text != ""
}

// Done reports whether the filter was kept or given up.
func (f *FilterLine) Done() bool { return f.done }

// Typing reports that keys are text.
func (f *FilterLine) Typing() bool { return true }

// Key takes a key.
func (f *FilterLine) Key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Type == tea.KeyEnter:
		f.done = true
		f.Keep()
	case msg.Type == tea.KeyEsc:
		f.done = true
		f.Set("")
	default:
		was := f.text.Value()
		if f.old && msg.Type == tea.KeyRunes {
			f.text.Set("")
		}
		f.old = false
		f.text.Key(msg)
		if now := f.text.Value(); now != was {
			f.Set(now)
		}
	}
	return nil
}

// Draw draws the line in place of the bottom row.
func (f *FilterLine) Draw(below func() []string, w, _ int) []string {
	rows := below()
	of, wrong := f.Kept()
	parts := []paint.Line{append(paint.Line{paint.Accent.Text(" /")}, f.text.Draw(f.host.Theme, paint.Plain, w-4)...)}
	if wrong != "" {
		parts = append(parts, paint.Line{paint.Warn.Text("   " + wrong)})
	}
	for _, s := range []string{of, "enter keeps, esc clears", "!not ~fuzzy =whole ^path /regex/"} {
		parts = append(parts, paint.Line{paint.Dim.Text("   " + s)})
	}
	return bottom(f.host.Theme, rows, w, parts...)
}
