package tui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// form asks for a few values in a box.
type form struct {
	title  string
	fields []field
	at     int // the field with the focus; one past the last is the button
	do     string
	wrong  string                                   // why it cannot be done as it stands
	then   func(a *App, values []string) tea.Cmd    // what the button does; it may set wrong and ask again
	change func(f *form)                            // Optional; adapts the other fields after one changed
	check  func(a *App, values []string) string     // Optional; says what is wrong
	says   func(a *App, values []string) []bodyLine // Optional; what would follow
	ready  bool                                     // where nothing is wrong when it opens, a button has the focus
	acts   bool                                     // the button changes something at once: Cancel stands before it, and is that button

	told []bodyLine // what it says now

	quietUntil time.Time // before that enter does nothing: it was meant for what the form covers
}

// field is one value: typed, or one of several options.
type field struct {
	label, value, note string
	options            []string
	hidden             bool // what was chosen needs it not
	spare              bool // enter in the field before is the button: it is filled in only by who goes there
}

// fill opens a form.
func (a *App) fill(f *form) {
	if f.change != nil {
		f.change(f)
	}
	if f.ready && (f.check == nil || f.check(a, f.values()) == "") {
		f.at = len(f.fields)
	}
	f.quietUntil = a.opts.Clock().Add(quiet)
	a.mode, a.form = filling, f
}

func (f *form) values() []string {
	out := make([]string, len(f.fields))
	for i := range f.fields {
		out[i] = f.fields[i].value
	}
	return out
}

func (a *App) formKey(msg tea.KeyMsg) tea.Cmd {
	f := a.form
	switch msg.Type {
	case tea.KeyEsc:
		a.mode, a.form = browsing, nil
	case tea.KeyTab, tea.KeyDown:
		f.step(1)
	case tea.KeyShiftTab, tea.KeyUp:
		f.step(-1)
	case tea.KeyEnter:
		if a.opts.Clock().Before(f.quietUntil) {
			f.wrong = tooSoon(1)
			return nil
		}
		switch {
		case f.at == f.button(), !f.acts && f.last():
			return a.submit()
		case f.at == len(f.fields): // Cancel
			a.mode, a.form = browsing, nil
			a.say("closed: nothing was done", paint.Plain)
		case f.last():
			f.at = f.button()
		default:
			f.step(1)
		}
		return nil
	case tea.KeyCtrlS:
		return a.submit()
	default:
		if f.at < len(f.fields) {
			f.edit(msg)
		}
	}
	return nil
}

// button is where the focus stands on the button that does it: behind the fields, and Cancel where there is one.
func (f *form) button() int { return len(f.fields) + paint.BoolInt(f.acts) }

// step moves the focus to the next field that is shown, or to a button.
func (f *form) step(by int) {
	n := f.button() + 1
	for f.at = (f.at + by + n) % n; f.at < len(f.fields) && f.fields[f.at].hidden; {
		f.at = (f.at + by + n) % n
	}
}

// last reports whether the field with the focus is the last that is shown: enter in it is the button.
func (f *form) last() bool {
	for i := f.at + 1; i < len(f.fields); i++ {
		if !f.fields[i].hidden && !f.fields[i].spare {
			return false
		}
	}
	return true
}

// submit does what the form is for, unless something is wrong.
func (a *App) submit() tea.Cmd {
	f := a.form
	if f.check != nil {
		if f.wrong = f.check(a, f.values()); f.wrong != "" {
			return nil
		}
	}
	a.mode, a.form = browsing, nil
	return f.then(a, f.values())
}

// edit changes the field that has the focus.
func (f *form) edit(msg tea.KeyMsg) {
	d := &f.fields[f.at]
	f.wrong = ""
	switch {
	case len(d.options) > 0:
		d.choose(msg)
	case msg.Type == tea.KeyBackspace:
		if r := []rune(d.value); len(r) > 0 {
			d.value = string(r[:len(r)-1])
		}
	case msg.Type == tea.KeyCtrlU:
		d.value = ""
	case msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace:
		if len(d.value) < 4096 {
			d.value += string(msg.Runes)
		}
	}
	if f.change != nil {
		f.change(f)
	}
}

// choose goes to the option before or after, or to the next that begins with what was typed.
func (d *field) choose(msg tea.KeyMsg) {
	at := 0
	for i, o := range d.options {
		if o == d.value {
			at = i
		}
	}
	n := len(d.options)
	switch {
	case msg.Type == tea.KeyLeft:
		d.value = d.options[(at+n-1)%n]
	case msg.Type == tea.KeyRight || msg.Type == tea.KeySpace:
		d.value = d.options[(at+1)%n]
	case msg.Type == tea.KeyRunes:
		for i := 1; i <= n; i++ {
			if o := d.options[(at+i)%n]; strings.HasPrefix(o, string(msg.Runes)) {
				d.value = o
				return
			}
		}
	}
}

// overlay draws the form over finished screen rows, in their middle.
func (f *form) overlay(t *paint.Theme, rows []string, w int) []string {
	inner := min(w-4, 92)
	body := []paint.Line{nil}
	for i := range f.fields {
		if !f.fields[i].hidden {
			body = append(body, f.fields[i].line(t, i == f.at, inner))
		}
	}
	for i, s := range f.told {
		if i == 0 {
			body = append(body, nil)
		}
		for j, text := range term.Wrap(s.text, inner-12, 3, t.Ellipsis) {
			body = append(body, paint.Line{paint.Dim.Text("  " + term.Pad(paint.OnFirst(j, s.label), 10)), s.style.Text(text)})
		}
	}
	if f.wrong != "" {
		body = append(body, nil, paint.Line{paint.Alert.Text(" " + t.Alert + " " + f.wrong)})
	}
	buttons := paint.Line{paint.Plain.Text("  ")}
	if f.acts {
		buttons = append(buttons, f.push(t, "Cancel", len(f.fields)), paint.Plain.Text("  "))
	}
	buttons = append(buttons, f.push(t, f.do, f.button()))
	body = append(body, nil, append(buttons, paint.Dim.Text(f.hint(inner-buttons.Width()))), nil)
	return t.Box(f.title, body, inner, rows, w)
}

// push draws the button at a place of the focus.
func (f *form) push(t *paint.Theme, text string, at int) paint.Span {
	if f.at == at {
		return paint.Picked.Text(t.Cursor + "[ " + text + " ]")
	}
	return paint.Plain.Text(" [ " + text + " ]")
}

// hint says which keys do what, as far as there is room.
func (f *form) hint(room int) string {
	does, enter := "does it", "goes on"
	if f.do == "go on" {
		does = "goes on"
	}
	if f.at == f.button() || !f.acts && f.last() {
		enter = does
	}
	enter = "enter " + enter
	if f.acts && f.at == len(f.fields) {
		enter = "tab, then enter"
	}
	text := "   "
	for _, s := range []string{enter, "esc leaves", "tab moves", "ctrl+s " + does + " at once"} {
		if term.Width(text)+term.Width(s) <= room {
			text += s + "  "
		}
	}
	return text
}

func (d *field) line(t *paint.Theme, on bool, w int) paint.Line {
	mark, style := " ", paint.Plain
	if on {
		mark, style = t.Cursor, paint.Accent
	}
	out := paint.Line{style.Text(mark + " " + term.Pad(d.label, 10))}
	text := term.Safe(d.value)
	switch {
	case len(d.options) > 0:
		out = append(out, paint.Bold.Text("< "+text+" >"))
	case on:
		out = append(out, paint.Bold.Text(term.CutLeft(text, w-14, t.Ellipsis)+"_"))
	default:
		out = append(out, paint.Bold.Text(term.Cut(text, w-14, t.Ellipsis)))
	}
	if d.note != "" {
		out = append(out, paint.Dim.Text("  "+d.note))
	}
	return out
}
