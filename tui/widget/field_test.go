package widget_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

func typed(f *widget.Field, text string) {
	f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
}

func press(f *widget.Field, keys ...tea.KeyMsg) {
	for _, k := range keys {
		f.Key(k)
	}
}

func drawn(f *widget.Field, p termenv.Profile, w int) string {
	t := paint.New(term.Unicode(), p)
	text := ""
	for _, s := range f.Draw(&t, paint.Plain, w) {
		if s.Style == paint.Picked {
			s.Text = "[" + s.Text + "]"
		}
		text += s.Text
	}
	return text
}

func TestAFieldIsEditedAtItsCursor(t *testing.T) {
	f := widget.NewField(100)
	typed(&f, "locks orders")
	if got := drawn(&f, termenv.ANSI, 40); got != "locks orders_" {
		t.Errorf("at the end: %q", got)
	}
	press(&f, tea.KeyMsg{Type: tea.KeyLeft, Alt: true})
	if got := drawn(&f, termenv.ANSI, 40); got != "locks [o]rders" {
		t.Errorf("a word back: %q", got)
	}
	if got := drawn(&f, termenv.Ascii, 40); got != "locks _orders" {
		t.Errorf("without styles: %q", got)
	}
	typed(&f, "/")
	press(&f, tea.KeyMsg{Type: tea.KeyHome}, tea.KeyMsg{Type: tea.KeyDelete})
	if got := f.Value(); got != "ocks /orders" {
		t.Errorf("edited: %q", got)
	}
	press(&f, tea.KeyMsg{Type: tea.KeyEnd}, tea.KeyMsg{Type: tea.KeyCtrlW})
	if got := f.Value(); got != "ocks " {
		t.Errorf("a word taken away: %q", got)
	}
	press(&f, tea.KeyMsg{Type: tea.KeyCtrlU})
	if got := f.Value(); got != "" {
		t.Errorf("all taken away: %q", got)
	}
	if f.Key(tea.KeyMsg{Type: tea.KeyEnter}) || f.Key(tea.KeyMsg{Type: tea.KeyCtrlV}) {
		t.Error("takes keys that are not its own")
	}
}

func TestAFieldHasAnEnd(t *testing.T) {
	f := widget.NewField(200)
	typed(&f, strings.Repeat("x", 250))
	if got := f.Value(); len(got) != 200 {
		t.Errorf("%d characters are kept", len(got))
	}
	f.Set(strings.Repeat("y", 300))
	typed(&f, "z")
	if got := f.Value(); got != strings.Repeat("y", 300) {
		t.Errorf("what was there is changed: %d characters", len(got))
	}
}

func TestWhatIsTypedIsSafe(t *testing.T) {
	f := widget.NewField(100)
	typed(&f, "a\x1b[2Jb\u202e")
	if got := f.Value(); strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("%q", got)
	}
	raw := widget.NewRawField(100)
	typed(&raw, "a\x1b[2J\n\tb")
	if got := raw.Value(); got != "a\x1b[2J\n\tb" {
		t.Errorf("changed to %q", got)
	}
	if got := drawn(&raw, termenv.ANSI, 80); strings.ContainsAny(got, "\x1b\n\t") {
		t.Errorf("drawn as %q", got)
	}
}

// A value that is edited keeps every byte that was not.
func TestARawFieldKeepsWhatItIsNotToldToChange(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		runes := rapid.SliceOfN(rapid.OneOf(rapid.RuneFrom([]rune("\x00\t\n\r\x1b\x7f\u0080\u009f ab\u0301\u202e")), rapid.Rune()), 0, 20).Draw(rt, "text")
		text := string(runes)
		f := widget.NewRawField(4096)
		f.Set(text)
		if got := f.Value(); got != text {
			rt.Fatalf("set %q, holds %q", text, got)
		}
		if !widget.Holds(text) {
			return
		}
		typed(&f, "x")
		if got := f.Value(); got != text+"x" {
			rt.Fatalf("set %q and typed x: %q", text, got)
		}
		for range rapid.IntRange(0, 25).Draw(rt, "left") {
			press(&f, tea.KeyMsg{Type: tea.KeyLeft})
		}
		w := rapid.IntRange(16, 40).Draw(rt, "w")
		if got := drawn(&f, termenv.ANSI, w); term.Width(got) > w+3 {
			rt.Fatalf("%d cells in %d: %q", term.Width(got), w, got)
		}
	})
}

// A line that was copied whole ends with its end, which is not part of a path or a name.
func TestAPastedLineLosesItsEnd(t *testing.T) {
	for raw, want := range map[bool]string{false: "/locks/a", true: "/locks/a\r\n"} {
		f := widget.NewField(100)
		if raw {
			f = widget.NewRawField(100)
		}
		f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/locks/a\r\n"), Paste: true})
		if got := f.Value(); got != want {
			t.Errorf("raw %v: %q, want %q", raw, got, want)
		}
	}
}
