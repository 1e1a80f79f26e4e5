package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// Field is one line of text that is typed: with a cursor that goes by characters and words, and pastes.
type Field struct {
	in   textinput.Model
	most int
	raw  bool

	set, held string // what was set, and what the input made of it
}

// NewField makes a field of at most so many characters. What is typed into it is made safe to be drawn.
func NewField(most int) Field {
	in := textinput.New()
	in.Cursor.SetMode(cursor.CursorHide) // it is drawn by us
	in.KeyMap.Paste = key.NewBinding()   // what is pasted comes from the terminal; no program is asked
	in.KeyMap.NextSuggestion, in.KeyMap.PrevSuggestion, in.KeyMap.AcceptSuggestion = key.NewBinding(), key.NewBinding(), key.NewBinding()
	in.Focus()
	return Field{in: in, most: most}
}

// NewRawField makes a field that keeps what is typed or pasted into it as it is, to the byte.
func NewRawField(most int) Field {
	f := NewField(most)
	f.raw = true
	return f
}

// EditKeys are the keys that edit a field, with what they do.
func EditKeys() []key.Binding {
	k := textinput.DefaultKeyMap
	named := func(b key.Binding, what string) key.Binding {
		return key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(b.Keys()[0], what))
	}
	return []key.Binding{
		named(k.CharacterBackward, "back by a character"), named(k.CharacterForward, "on by a character"),
		named(k.WordBackward, "back by a word"), named(k.WordForward, "on by a word"),
		named(k.LineStart, "to the beginning"), named(k.LineEnd, "to the end"),
		named(k.DeleteCharacterBackward, "delete the character before"), named(k.DeleteCharacterForward, "delete the character under the cursor"),
		named(k.DeleteWordBackward, "delete the word before"), named(k.DeleteWordForward, "delete the word behind"),
		named(k.DeleteBeforeCursor, "delete all before"), named(k.DeleteAfterCursor, "delete all behind"),
	}
}

// Value is what was typed; of what was set and not edited, every byte.
func (f *Field) Value() string {
	v := f.in.Value()
	if v == f.held {
		return f.set
	}
	return shown.Replace(v)
}

// Set replaces the text; the cursor stands behind it. A text that is longer than what may be typed stays whole.
func (f *Field) Set(text string) {
	f.in.SetValue(kept.Replace(text))
	f.in.CursorEnd()
	f.set, f.held = text, f.in.Value()
}

// Holds reports whether a text can be edited in a field without changing what is left alone.
func Holds(text string) bool {
	return shown.Replace(kept.Replace(text)) == text && utf8.ValidString(text)
}

// Key takes a key that is text, moves the cursor or edits; it reports whether it was one.
func (f *Field) Key(msg tea.KeyMsg) bool {
	if msg.Type == tea.KeyRunes && !msg.Alt || msg.Type == tea.KeySpace {
		text := string(msg.Runes)
		if msg.Paste && !f.raw { // a line that was copied whole ends with its end
			text = strings.TrimRight(text, "\r\n")
		}
		f.insert(text)
		return true
	}
	if !key.Matches(msg, EditKeys()...) {
		return false
	}
	f.in, _ = f.in.Update(msg)
	return true
}

// insert puts text at the cursor, as much as there is room for.
func (f *Field) insert(text string) {
	if !f.raw {
		text = term.Safe(text)
	}
	add := []rune(kept.Replace(text))
	add = add[:max(0, min(len(add), f.most-len([]rune(f.in.Value()))))]
	f.in, _ = f.in.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: add})
}

// Draw is the text in at most w cells, with the cursor; the end is what is seen of a text that is too long, unless the
// cursor is elsewhere in it.
func (f *Field) Draw(t *paint.Theme, s paint.Style, w int) paint.Line {
	all := []rune(f.in.Value())
	at := min(f.in.Position(), len(all))
	before := term.CutLeft(f.clean(all[:at]), w, t.Ellipsis)
	if at == len(all) {
		return paint.Line{s.Text(before + "_")}
	}
	under, after := f.clean(all[at:at+1]), f.clean(all[at+1:])
	room := w - term.Width(under)
	before = term.CutLeft(before, max(1, room-min(term.Width(after), room/2)), t.Ellipsis)
	cursor := paint.Picked.Text(under)
	if !t.Reverses() {
		cursor = s.Text("_" + under)
	}
	return paint.Line{s.Text(before), cursor, s.Text(term.Cut(after, max(0, room-term.Width(before)), t.Ellipsis))}
}

// clean is a part of the text as it is drawn.
func (f *Field) clean(part []rune) string {
	text := shown.Replace(string(part))
	if f.raw {
		text = term.Safe(text)
	}
	return text
}

// kept and shown translate between a text and what the input keeps of it: that one would change line ends and tabs, and
// drop what controls or replaces. Characters that never stand in a text stand for these.
var kept, shown = standIns()

func standIns() (kept, shown *strings.Replacer) {
	var to, back []string
	in := rune(0xfdd0) // 32 of those follow each other, the others end the planes
	add := func(c, r rune) {
		to, back = append(to, string(c), string(r)), append(back, string(r), string(c))
	}
	for c := rune(0); c < 0x20; c++ {
		add(c, in+c)
	}
	for i, c := 1, rune(0x7f); c < 0xa0; i, c = i+1, c+1 {
		if plane := rune(i / 2); plane <= 0x10 {
			add(c, plane<<16|0xfffe|rune(i%2))
		}
	}
	add(utf8.RuneError, 0xfffe)
	return strings.NewReplacer(to...), strings.NewReplacer(back...)
}
