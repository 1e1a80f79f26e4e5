package layer

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Dialog is a box that asks. Cancel has the focus when it opens, and for a moment after that it takes no
// key: one that was meant for the list must not confirm.
type Dialog struct {
	Title    string
	Body     []Body
	Do       string // label of the button that acts; empty: there is none
	Stale    string // why Do can no longer be chosen; empty: it can
	Anew     string // that it says something else than when it opened; empty: it does not
	Checking bool   // whether the rights are there is not known yet
	Prefix   string // stands before the title: which of several it is about
	Why      Reason

	Then   func() tea.Cmd
	Cancel func() // Optional; what closing it without an answer means
	Closed func() // Optional; follows when it was closed without an answer

	host  *Host
	want  string       // what has to be typed before Do can be chosen; empty: nothing
	typed widget.Field // what has been typed so far
	onDo  bool         // the focus is on Do
	cut   bool         // not all of it fits on the screen: what is not seen is not confirmed
	ahead int          // how many keys were pressed before it could be read, and not taken
	done  bool

	quietUntil, armLatest time.Time
}

// Body is a paragraph of a box: a label in front of its first line, and text that is wrapped.
type Body struct {
	Label, Text string
	Style       paint.Style
}

// quietCeiling is how long a dialog takes no keys at most, however many are pressed.
const quietCeiling = 1500 * time.Millisecond

// Open starts the dialog, or starts it anew: for a moment it takes no key.
func (d *Dialog) Open(h *Host) {
	now := h.Clock()
	d.host, d.quietUntil, d.armLatest = h, now.Add(quiet), now.Add(quietCeiling)
}

// Add appends a paragraph.
func (d *Dialog) Add(label, text string, style paint.Style) {
	d.Body = append(d.Body, Body{label, text, style})
}

// Demand sets what has to be typed before Do can be chosen; empty: nothing.
func (d *Dialog) Demand(want string) {
	d.want, d.typed = want, widget.NewField(max(64, 2*len(want)))
}

// Demands is what has to be typed, and what was.
func (d *Dialog) Demands() (want, typed string) { return d.want, d.typed.Value() }

// Retreat moves the focus to Cancel.
func (d *Dialog) Retreat() { d.onDo = false }

// OnDo reports whether the focus is on Do.
func (d *Dialog) OnDo() bool { return d.onDo }

// Spoil says why Do can no longer be chosen.
func (d *Dialog) Spoil(why string) { d.Stale, d.onDo = why, false }

// Ahead counts keys that were pressed before the dialog could be read.
func (d *Dialog) Ahead(n int) { d.ahead += n }

// Done reports whether it was answered or closed.
func (d *Dialog) Done() bool { return d.done }

// Typing reports that keys are text.
func (d *Dialog) Typing() bool { return true }

// deaf reports whether a key pressed now is still to be ignored; being pressed prolongs the quiet.
func (d *Dialog) deaf(now time.Time) bool {
	if now.After(d.quietUntil) || now.After(d.armLatest) {
		return false
	}
	d.quietUntil = now.Add(quiet)
	return true
}

// Ready reports whether Do may be chosen.
func (d *Dialog) Ready() bool {
	return d.Do != "" && d.Stale == "" && !d.cut && !d.Checking && (d.want == "" || d.typed.Value() == d.want) && !d.Why.lacking()
}

// Key takes a key.
func (d *Dialog) Key(msg tea.KeyMsg) tea.Cmd {
	switch d.press(msg) {
	case closed:
		if d.done = true; d.Cancel != nil {
			d.Cancel()
		} else if d.Do != "" {
			d.host.Say("closed: nothing was done", paint.Plain)
		}
		if d.Closed != nil {
			d.Closed()
		}
	case confirmed:
		d.done = true
		return d.Then()
	}
	return nil
}

// answer is what a key did to a dialog.
type answer uint8

const (
	stay answer = iota
	closed
	confirmed
)

// press handles a key.
func (d *Dialog) press(msg tea.KeyMsg) answer {
	if msg.Type == tea.KeyEsc {
		return closed
	}
	if d.deaf(d.host.Clock()) {
		d.ahead++
		return stay
	}
	d.ahead = 0
	if d.Why.on && d.Why.field.Key(msg) {
		return stay
	}
	switch msg.Type {
	case tea.KeyEnter:
		return d.enter()
	case tea.KeyTab, tea.KeyShiftTab, tea.KeyRight, tea.KeyLeft:
		d.turn(msg.Type == tea.KeyShiftTab || msg.Type == tea.KeyLeft)
		return stay
	}
	switch {
	case d.want == "" && key.Matches(msg, d.host.Keys.Quit):
		return closed
	case d.want != "" && d.typed.Key(msg):
		d.onDo = false
	}
	return stay
}

// enter does what has the focus.
func (d *Dialog) enter() answer {
	switch {
	case d.Why.on:
		d.Why.on, d.onDo = false, d.Ready()
		return stay
	case d.onDo && d.Ready():
		return confirmed
	case d.want != "" && d.Ready():
		d.onDo = true // the name is right: one more step
		return stay
	case d.want != "" && d.typed.Value() != "":
		return stay
	}
	return closed
}

// turn moves the focus around: Cancel, the button, why; where why is needed and empty it comes before the button.
func (d *Dialog) turn(back bool) {
	type stop struct{ do, why bool }
	stops := []stop{{}}
	if d.Ready() {
		stops = append(stops, stop{do: true})
	}
	if d.Why.asked && d.Stale == "" && !d.cut {
		stops = append(stops, stop{why: true})
	}
	at := 0
	switch {
	case d.Why.on:
		at = len(stops) - 1
	case d.onDo:
		at = 1
	}
	step := 1
	if back {
		step = len(stops) - 1
	}
	to := stops[(at+step)%len(stops)]
	d.onDo, d.Why.on = to.do, to.why
}

// Draw draws the dialog over the rows below, in their middle.
func (d *Dialog) Draw(below func() []string, w, _ int) []string {
	rows, t := below(), d.host.Theme
	body, most := d.lines(t, inner(w)), len(rows)-4
	if d.cut = len(body) > most; d.cut {
		d.onDo = false
		body = append(body[:most-4:most-4], paint.Line{paint.Warn.Text(" " + t.Ellipsis + " more: make the window taller to read and confirm")}, nil, d.buttons(t, inner(w)), nil)
	}
	return over(t, d.Prefix+d.Title, body, rows, w)
}

// lines are the dialog's inside, w cells wide.
func (d *Dialog) lines(t *paint.Theme, w int) []paint.Line {
	const labelW = 8
	out := []paint.Line{nil}
	for _, b := range d.Body {
		for i, s := range term.Wrap(b.Text, w-labelW-2, 4, t.Ellipsis) {
			out = append(out, paint.Line{paint.Dim.Text(" " + term.Pad(paint.OnFirst(i, b.Label), labelW)), b.Style.Text(s)})
		}
	}
	note := func(l ...paint.Span) { out = append(out, nil, l) }
	if d.Anew != "" && d.Stale == "" {
		note(paint.Accent.Text(" " + d.Anew))
	}
	if d.Stale != "" {
		note(paint.Alert.Text(" " + t.Alert + " " + d.Stale))
	}
	if d.ahead > 0 {
		note(paint.Warn.Text(" " + tooSoon(d.ahead)))
	}
	if d.Checking && d.Stale == "" {
		note(paint.Dim.Text(" looking whether the rights are there" + t.Ellipsis))
	}
	if d.want != "" && d.Stale == "" {
		head := paint.Line{paint.Plain.Text(" type "), paint.Bold.Text(term.Cut(d.want, w-20, t.Ellipsis)), paint.Plain.Text(" to confirm: ")}
		note(append(head, d.typed.Draw(t, paint.Accent, max(8, w-head.Width()-1))...)...)
	}
	if d.Why.asked && d.Stale == "" {
		note(d.Why.line(t, w)...)
	}
	return append(out, nil, d.buttons(t, w), nil)
}

func (d *Dialog) buttons(t *paint.Theme, w int) paint.Line {
	cancel := "Cancel"
	if d.Do == "" {
		cancel = "Close"
	}
	out := paint.Line{paint.Plain.Text("  "), button(t, cancel, !d.onDo && !d.Why.on, false)}
	if d.Do != "" {
		out = append(out, paint.Plain.Text("  "), button(t, d.Do, d.onDo, !d.Ready()))
		if hint := "   " + d.hint(); out.Width()+term.Width(hint) <= w {
			out = append(out, paint.Dim.Text(hint))
		}
	}
	return out
}

// button draws a button; on: it has the focus, off: it cannot be chosen.
func button(t *paint.Theme, text string, on, off bool) paint.Span {
	switch {
	case on:
		return paint.Picked.Text(t.Cursor + "[ " + text + " ]")
	case off:
		return paint.Dim.Text(" [ " + text + " ]")
	}
	return paint.Plain.Text(" [ " + text + " ]")
}

// tooSoon says that keys came before what they would have confirmed could be read.
func tooSoon(n int) string {
	return paint.Counted(n, "key was", "keys were") + " pressed before this could be read, and not taken: press again"
}

// hint says which keys come next.
func (d *Dialog) hint() string {
	switch {
	case d.onDo:
		return "enter does it"
	case d.Stale != "":
		return ""
	case d.Why.on:
		return "type why, then enter"
	case d.Why.lacking():
		return "tab, then say why"
	case d.Ready():
		return "tab, then enter"
	case d.want != "":
		return "type, then enter twice"
	}
	return ""
}

// Reason is the field of a dialog for why something is done.
type Reason struct {
	asked  bool // there is such a field
	needed bool // it must not be empty

	field widget.Field
	on    bool // it has the focus
}

// maxReason is how many characters a reason may have; what is more is cut off.
const maxReason = 200

// Ask puts the field into the dialog, with a text to begin with.
func (r *Reason) Ask(needed bool, text string) {
	r.asked, r.needed, r.field = true, needed, widget.NewField(maxReason)
	r.field.Set(text)
}

// Text is what was typed.
func (r *Reason) Text() string { return strings.TrimSpace(r.field.Value()) }

func (r *Reason) lacking() bool { return r.needed && r.Text() == "" }

// line draws the field in w cells.
func (r *Reason) line(t *paint.Theme, w int) paint.Line {
	const label = 8
	cut := func(s paint.Style, text string) paint.Line {
		return paint.Line{paint.Dim.Text(" " + term.Pad("why", label)), s.Text(term.CutLeft(text, w-10, t.Ellipsis))}
	}
	switch text := r.field.Value(); {
	case r.on:
		return append(paint.Line{paint.Dim.Text(t.Cursor + term.Pad("why", label))}, r.field.Draw(t, paint.Accent, w-11)...)
	case text == "" && r.needed:
		return cut(paint.Warn, "needed here, for the audit log")
	case text == "":
		return cut(paint.Dim, "may be empty; for the audit log")
	default:
		return cut(paint.Plain, text)
	}
}
