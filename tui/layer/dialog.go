package layer

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Dialog is a box that asks. What has to be typed has the focus when it opens, else Cancel, and for a moment after that it
// takes no key: one that was meant for the list must not confirm.
type Dialog struct {
	Title    string
	Body     []Body
	Live     func() string // Optional; one line that goes on with the time: that it says something else is no other question
	Folded   []Body        // what is shown when it is asked for
	Fold     string        // what that is, in a line
	Do       string        // label of the button that acts; empty: there is none
	Stale    string        // why Do can no longer be chosen, which is all that is said then; empty: it can
	Checking bool          // whether the rights are there is not known yet
	Prefix   string        // stands before the title: which of several it is about
	Why      Reason

	Then   func() tea.Cmd
	Cancel func() // Optional; what closing it without an answer means
	Closed func() // Optional; follows when it was closed without an answer

	host   *Host
	want   string       // what has to be typed before Do can be chosen; empty: nothing
	typed  widget.Field // what has been typed so far
	at     stop         // what has the focus
	wrong  string       // what is wrong with what was typed, since enter was pressed
	unfold bool
	done   bool

	anew  note // that it says something else than when it opened
	early note // that keys were pressed before it could be read, and not taken
	ahead int  // how many

	reading
	quietUntil, armLatest time.Time
}

// stop is something in a dialog that can have the focus.
type stop uint8

const (
	onCancel stop = iota
	onDo
	onField
	onWhy
)

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
	d.host, d.quietUntil, d.armLatest, d.reading = h, now.Add(quiet), now.Add(quietCeiling), reading{}
}

// Renewed starts anew a dialog that says something else than before, and says so for a while.
func (d *Dialog) Renewed(h *Host, why string) {
	d.Open(h)
	d.anew = note{why, h.Clock().Add(Told)}
}

// note is a line that is shown for a while.
type note struct {
	text  string
	until time.Time
}

// Told is for how long a message is shown.
const Told = 8 * time.Second

// at is what a note says at a moment.
func (n note) at(now time.Time) string {
	if now.Before(n.until) {
		return n.text
	}
	return ""
}

// Add appends a paragraph.
func (d *Dialog) Add(label, text string, style paint.Style) {
	d.Body = append(d.Body, Body{label, text, style})
}

// Demand sets what has to be typed before Do can be chosen; empty: nothing.
func (d *Dialog) Demand(want string) {
	d.want, d.typed = want, widget.NewField(max(64, 2*len(want)))
	d.Retreat()
}

// Demands is what has to be typed, and what was.
func (d *Dialog) Demands() (want, typed string) { return d.want, d.typed.Value() }

// Retreat moves the focus to where it is when the dialog opens.
func (d *Dialog) Retreat() {
	if d.at, d.wrong = onCancel, ""; d.want != "" && d.Do != "" && d.Stale == "" {
		d.at = onField
	}
}

// OnDo reports whether the focus is on Do.
func (d *Dialog) OnDo() bool { return d.at == onDo }

// Spoil says why Do can no longer be chosen.
func (d *Dialog) Spoil(why string) { d.Stale, d.at = why, onCancel }

// Ahead counts keys that were pressed before the dialog could be read.
func (d *Dialog) Ahead(n int) {
	now := d.host.Clock()
	if d.early.at(now) == "" {
		d.ahead = 0
	}
	d.ahead += n
	d.early = note{tooSoon(d.ahead), now.Add(Told)}
}

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
	return d.Do != "" && d.Stale == "" && d.read && !d.Checking && (d.want == "" || d.typed.Value() == d.want) && !d.Why.lacking()
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
		d.Ahead(1)
		return stay
	}
	d.ahead, d.early = 0, note{}
	w, h := d.host.Size()
	d.fit(inner(w), h-margin)
	if d.scrolls(msg) {
		return stay
	}
	switch msg.Type {
	case tea.KeyEnter:
		return d.enter()
	case tea.KeyTab, tea.KeyDown:
		d.turn(1)
		return stay
	case tea.KeyShiftTab, tea.KeyUp:
		d.turn(-1)
		return stay
	case tea.KeyCtrlG:
		d.unfold = !d.unfold
		return stay
	}
	return d.letter(msg)
}

// letter takes a key that is no key of the dialog: it is typed into the field with the focus; where a button has that, into the
// one in which something has to be typed.
func (d *Dialog) letter(msg tea.KeyMsg) answer {
	switch {
	case d.at == onWhy:
		d.Why.field.Key(msg)
	case d.at == onField:
		if d.typed.Key(msg) {
			d.wrong = ""
		}
	case msg.Type == tea.KeyRight || msg.Type == tea.KeyLeft:
		d.turn(1 - 2*paint.BoolInt(msg.Type == tea.KeyLeft))
	case d.want == "" && (key.Matches(msg, d.host.Keys.Quit) || typed(msg, 'n')):
		return closed
	case d.want == "" && typed(msg, 'y'):
		return d.yes()
	case d.want != "" && d.typed.Key(msg):
		d.at, d.wrong = onField, ""
	}
	return stay
}

// typed reports whether a key is one character, pressed and not pasted.
func typed(msg tea.KeyMsg, r rune) bool {
	return msg.Type == tea.KeyRunes && !msg.Paste && !msg.Alt && len(msg.Runes) == 1 && msg.Runes[0] == r
}

// yes confirms with one key where no name has to be typed; a reason that is needed is asked for first.
func (d *Dialog) yes() answer {
	switch {
	case d.Ready():
		return confirmed
	case d.Do != "" && d.Stale == "" && d.read && d.Why.lacking():
		d.at = onWhy
	}
	return stay
}

// enter does what has the focus. In a field it confirms, once that says all that is asked for.
func (d *Dialog) enter() answer {
	switch {
	case (d.at == onDo || d.at == onField || d.at == onWhy) && d.Ready():
		return confirmed
	case d.at == onCancel || d.at == onDo:
		return closed
	case d.want != "" && d.typed.Value() != d.want:
		d.at = onField
		d.wrong = "type " + d.want + " to go on; esc closes this"
		if d.typed.Value() != "" {
			d.wrong = "that is not " + d.want
		}
	case d.Why.lacking():
		d.at = onWhy
	}
	return stay
}

// stops are what can have the focus, from top to bottom.
func (d *Dialog) stops() (out []stop) {
	if d.Stale == "" && d.read && d.Do != "" {
		if d.want != "" {
			out = append(out, onField)
		}
		if d.Why.asked {
			out = append(out, onWhy)
		}
	}
	if out = append(out, onCancel); d.Ready() {
		out = append(out, onDo)
	}
	return out
}

// turn moves the focus around.
func (d *Dialog) turn(by int) {
	all := d.stops()
	at := max(0, slices.Index(all, d.at))
	d.at = all[(at+by+len(all))%len(all)]
}

// Reason is the field of a dialog for why something is done.
type Reason struct {
	asked  bool // there is such a field
	needed bool // it must not be empty

	field widget.Field
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
