package layer

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Form asks for a few values in a box.
type Form struct {
	Title  string
	Fields []Field
	Do     string                        // label of the button
	Then   func(values []string) tea.Cmd // what the button does
	Change func(f *Form)                 // Optional; adapts the other fields after one changed
	Check  func(values []string) string  // Optional; says what is wrong
	Says   func(values []string) []Body  // Optional; what would follow
	Closed func()                        // Optional; follows when it was left without an answer
	Ready  bool                          // where nothing is wrong when it opens, a button has the focus
	Acts   bool                          // the button changes something at once: Cancel stands before it, and is that button

	host  *Host
	at    int    // the field with the focus; behind the last are the buttons
	wrong string // why it cannot be done as it stands
	done  bool

	quietUntil time.Time // before that enter does nothing: it was meant for what the form covers
}

// Field is one value of a form: typed, or one of several options.
type Field struct {
	Label, Value, Note string // Value is what it begins with, and what is chosen of options
	Options            []string
	Hidden             bool // what was chosen needs it not
	Spare              bool // enter in the field before is the button: it is filled in only by who goes there

	typed widget.Field
}

// maxValue is how many characters can be typed into a field.
const maxValue = 4096

// Open starts the form.
func (f *Form) Open(h *Host) {
	f.host = h
	for i := range f.Fields {
		f.Fields[i].typed = widget.NewRawField(maxValue)
		f.Fields[i].typed.Set(f.Fields[i].Value)
	}
	if f.Change != nil {
		f.Change(f)
	}
	if f.Ready && (f.Check == nil || f.Check(f.values()) == "") {
		f.at = len(f.Fields)
	}
	f.quietUntil = h.Clock().Add(quiet)
}

// values are those of the fields, in their order.
func (f *Form) values() []string {
	out := make([]string, len(f.Fields))
	for i := range f.Fields {
		out[i] = f.Fields[i].value()
	}
	return out
}

func (d *Field) value() string {
	if len(d.Options) > 0 {
		return d.Value
	}
	return d.typed.Value()
}

// At is the field with the focus; a button's where it is as many as there are fields, or more.
func (f *Form) At() int { return f.at }

// Done reports whether the form was sent or closed.
func (f *Form) Done() bool { return f.done }

// Typing reports that keys are text.
func (f *Form) Typing() bool { return true }

// Key takes a key.
func (f *Form) Key(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		f.leave()
	case tea.KeyTab, tea.KeyDown:
		f.step(1)
	case tea.KeyShiftTab, tea.KeyUp:
		f.step(-1)
	case tea.KeyEnter:
		return f.enter()
	case tea.KeyCtrlS:
		return f.submit()
	default:
		switch {
		case f.at < len(f.Fields):
			f.edit(msg)
		case typed(msg, 'y') && f.Acts:
			return f.yes()
		case typed(msg, 'n') && f.Acts:
			f.host.Say("closed: nothing was done", paint.Plain)
			f.leave()
		}
	}
	return nil
}

// yes does what the form is for, once there was time to read it.
func (f *Form) yes() tea.Cmd {
	if f.host.Clock().Before(f.quietUntil) {
		f.wrong = tooSoon(1)
		return nil
	}
	return f.submit()
}

// enter goes on to the next field, or does what the button with the focus does.
func (f *Form) enter() tea.Cmd {
	if f.host.Clock().Before(f.quietUntil) {
		f.wrong = tooSoon(1)
		return nil
	}
	switch {
	case f.at == f.button(), !f.Acts && f.last():
		return f.submit()
	case f.at == len(f.Fields): // Cancel
		f.host.Say("closed: nothing was done", paint.Plain)
		f.leave()
	case f.last():
		f.at = f.button()
	default:
		f.step(1)
	}
	return nil
}

// leave closes the form without an answer.
func (f *Form) leave() {
	if f.done = true; f.Closed != nil {
		f.Closed()
	}
}

// button is where the focus stands on the button that does it: behind the fields, and Cancel where there is one.
func (f *Form) button() int { return len(f.Fields) + paint.BoolInt(f.Acts) }

// step moves the focus to the next field that is shown, or to a button.
func (f *Form) step(by int) {
	n := f.button() + 1
	for f.at = (f.at + by + n) % n; f.at < len(f.Fields) && f.Fields[f.at].Hidden; {
		f.at = (f.at + by + n) % n
	}
}

// last reports whether the field with the focus is the last that is shown: enter in it is the button.
func (f *Form) last() bool {
	for i := f.at + 1; i < len(f.Fields); i++ {
		if !f.Fields[i].Hidden && !f.Fields[i].Spare {
			return false
		}
	}
	return true
}

// submit does what the form is for, unless something is wrong.
func (f *Form) submit() tea.Cmd {
	if f.Check != nil {
		if f.wrong = f.Check(f.values()); f.wrong != "" {
			return nil
		}
	}
	f.done = true
	return f.Then(f.values())
}

// edit changes the field that has the focus.
func (f *Form) edit(msg tea.KeyMsg) {
	d := &f.Fields[f.at]
	f.wrong = ""
	if len(d.Options) > 0 {
		d.choose(msg)
	} else {
		d.typed.Key(msg)
	}
	if f.Change != nil {
		f.Change(f)
	}
}

// choose goes to the option before or after, or to the next that begins with what was typed.
func (d *Field) choose(msg tea.KeyMsg) {
	at := 0
	for i, o := range d.Options {
		if o == d.Value {
			at = i
		}
	}
	n := len(d.Options)
	switch {
	case msg.Type == tea.KeyLeft:
		d.Value = d.Options[(at+n-1)%n]
	case msg.Type == tea.KeyRight || msg.Type == tea.KeySpace:
		d.Value = d.Options[(at+1)%n]
	case msg.Type == tea.KeyRunes:
		for i := 1; i <= n; i++ {
			if o := d.Options[(at+i)%n]; strings.HasPrefix(o, string(msg.Runes)) {
				d.Value = o
				return
			}
		}
	}
}

// Draw draws the form over the rows below, in their middle.
func (f *Form) Draw(below func() []string, w, _ int) []string {
	rows, t, inner := below(), f.host.Theme, inner(w)
	body := []paint.Line{nil}
	for i := range f.Fields {
		if !f.Fields[i].Hidden {
			body = append(body, f.Fields[i].line(t, i == f.at, inner))
		}
	}
	body = append(body, f.told(t, inner)...)
	if f.wrong != "" {
		body = append(body, nil, paint.Line{paint.Alert.Text(" " + t.Alert + " " + f.wrong)})
	}
	buttons := paint.Line{paint.Plain.Text("  ")}
	if f.Acts {
		buttons = append(buttons, button(t, "Cancel", f.at == len(f.Fields), false), paint.Plain.Text("  "))
	}
	buttons = append(buttons, button(t, f.Do, f.at == f.button(), false))
	body = append(body, nil, append(buttons, paint.Dim.Text(f.hint(inner-buttons.Width()))), nil)
	return over(t, f.Title, body, rows, w)
}

// told says what would follow.
func (f *Form) told(t *paint.Theme, w int) (out []paint.Line) {
	if f.Says == nil {
		return nil
	}
	for i, s := range f.Says(f.values()) {
		if i == 0 {
			out = append(out, nil)
		}
		for j, text := range term.Wrap(s.Text, w-13, 3, t.Ellipsis) {
			out = append(out, paint.Line{paint.Dim.Text("  " + term.Pad(paint.OnFirst(j, s.Label), 10)), s.Style.Text(text)})
		}
	}
	return out
}

// hint says which keys do what, as far as there is room.
func (f *Form) hint(room int) string {
	does, enter := "does it", "goes on"
	if f.Do == "go on" {
		does = "goes on"
	}
	if f.at == f.button() || !f.Acts && f.last() {
		enter = does
	}
	enter = "enter " + enter
	if f.Acts && f.at == len(f.Fields) {
		enter = "y " + does
	}
	text := "   "
	for _, s := range []string{enter, "esc leaves", "tab moves", "ctrl+s " + does + " at once"} {
		if term.Width(text)+term.Width(s) <= room {
			text += s + "  "
		}
	}
	return text
}

func (d *Field) line(t *paint.Theme, on bool, w int) paint.Line {
	mark, style := " ", paint.Plain
	if on {
		mark, style = t.Cursor, paint.Accent
	}
	out := paint.Line{style.Text(mark + " " + term.Pad(d.Label, 10))}
	text := term.Safe(d.value())
	switch {
	case len(d.Options) > 0:
		out = append(out, paint.Bold.Text("< "+text+" >"))
	case on:
		out = append(out, d.typed.Draw(t, paint.Bold, w-14)...)
	default:
		out = append(out, paint.Bold.Text(term.Cut(text, w-14, t.Ellipsis)))
	}
	if d.Note != "" {
		out = append(out, paint.Dim.Text("  "+d.Note))
	}
	return out
}
