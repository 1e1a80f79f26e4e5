package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// dialog is a box that asks. Cancel has the focus when it opens, and for a moment after that it takes no
// key: one that was meant for the list must not confirm.
type dialog struct {
	title string
	body  []bodyLine
	do    string // label of the button that acts; empty: there is none
	typed string // what has been typed so far
	want  string // what has to be typed before do can be chosen; empty: nothing
	onDo  bool   // the focus is on do
	why   reason // of a plan dialog
	cut   bool   // not all of it fits on the screen: what is not seen is not confirmed
	stale string // why do can no longer be chosen
	anew  string // that it says something else than when it opened; empty: it does not

	checking bool // whether the rights are there is not known yet

	plan   actions.Plan // of a plan dialog; its Verb is empty for any other
	then   func(*App) tea.Cmd
	cancel func(*App)         // Optional; what closing it without an answer means
	renew  func(*App) tea.Cmd // Optional; brings it up to what is known now

	place   string         // of a plan among those of what is marked
	working bool           // a plan is being worked out for it
	next    *actions.Offer // to be worked out after that
	ahead   int            // how many keys were pressed before it could be read, and not taken

	quietUntil, armLatest time.Time
}

// bodyLine is a paragraph of a dialog: a label in front of its first line, and text that is wrapped.
type bodyLine struct {
	label, text string
	style       paint.Style
}

// A dialog takes keys after this long without one, and in any case after the ceiling.
const (
	quiet        = 400 * time.Millisecond
	quietCeiling = 1500 * time.Millisecond
)

// open starts the grace period.
func (d *dialog) open(now time.Time) {
	d.quietUntil, d.armLatest = now.Add(quiet), now.Add(quietCeiling)
}

// deaf reports whether a key pressed now is still to be ignored; being pressed prolongs the quiet.
func (d *dialog) deaf(now time.Time) bool {
	if now.After(d.quietUntil) || now.After(d.armLatest) {
		return false
	}
	d.quietUntil = now.Add(quiet)
	return true
}

// ready reports whether do may be chosen.
func (d *dialog) ready() bool {
	return d.do != "" && d.stale == "" && !d.cut && !d.checking && d.typed == d.want && !d.why.lacking()
}

// answer is what a key did to a dialog.
type answer uint8

const (
	stay answer = iota
	closed
	confirmed
)

// press handles a key.
func (d *dialog) press(msg tea.KeyMsg, k KeyMap, now time.Time) answer {
	if msg.Type == tea.KeyEsc {
		return closed
	}
	if d.deaf(now) {
		d.ahead++
		return stay
	}
	d.ahead = 0
	if d.why.on && d.why.edit(msg) {
		return stay
	}
	switch msg.Type {
	case tea.KeyEnter:
		switch {
		case d.why.on:
			d.why.on, d.onDo = false, d.ready()
			return stay
		case d.onDo && d.ready():
			return confirmed
		case d.want != "" && d.ready():
			d.onDo = true // the name is right: one more step
			return stay
		case d.want != "" && d.typed != "":
			return stay
		}
		return closed
	case tea.KeyTab, tea.KeyShiftTab, tea.KeyRight, tea.KeyLeft:
		d.turn(msg.Type == tea.KeyShiftTab || msg.Type == tea.KeyLeft)
	case tea.KeyBackspace:
		if typed := []rune(d.typed); len(typed) > 0 {
			d.typed, d.onDo = string(typed[:len(typed)-1]), false
		}
	case tea.KeyRunes, tea.KeySpace:
		if d.want != "" && len(d.typed)+len(string(msg.Runes)) <= max(64, 2*len(d.want)) {
			d.typed, d.onDo = d.typed+term.Safe(string(msg.Runes)), false
		} else if d.want == "" && key.Matches(msg, k.Quit) {
			return closed
		}
	}
	return stay
}

// planned makes a dialog ask to confirm a plan. When armed is false it only shows it.
func (d *dialog) planned(p actions.Plan, armed bool, why string) {
	d.title, d.plan, d.do, d.want, d.body = p.Title, p, string(p.Verb), p.Confirm, nil
	if !armed {
		d.do, d.want = "", ""
		d.add("", why, paint.Alert)
	}
	for i, s := range p.Outcome {
		d.add(paint.OnFirst(i, "then"), s, paint.Bold)
	}
	for i, s := range p.Warnings {
		d.add(paint.OnFirst(i, "mind"), s, paint.Warn)
	}
	d.add("does", p.Step(), paint.Plain)
	for i, s := range p.Guards {
		d.add(paint.OnFirst(i, "only if"), s, paint.Dim)
	}
}

func (d *dialog) add(label, text string, style paint.Style) {
	d.body = append(d.body, bodyLine{label, text, style})
}

// check disables a plan whose target is no longer what it was when the dialog opened.
func (d *dialog) check(s *znode.Snapshot) {
	if d.plan.Verb == "" || d.stale != "" {
		return
	}
	if d.stale = d.plan.Stale(s); d.stale != "" {
		d.onDo = false
	}
}

// lines draws the dialog's inside, w cells wide.
func (d *dialog) lines(t *paint.Theme, w int) []paint.Line {
	const labelW = 8
	out := []paint.Line{nil}
	for _, b := range d.body {
		for i, s := range term.Wrap(b.text, w-labelW-2, 4, t.Ellipsis) {
			out = append(out, paint.Line{paint.Dim.Text(" " + term.Pad(paint.OnFirst(i, b.label), labelW)), b.style.Text(s)})
		}
	}
	if d.anew != "" && d.stale == "" {
		out = append(out, nil, paint.Line{paint.Accent.Text(" " + d.anew)})
	}
	if d.stale != "" {
		out = append(out, nil, paint.Line{paint.Alert.Text(" " + t.Alert + " " + d.stale)})
	}
	if d.ahead > 0 {
		out = append(out, nil, paint.Line{paint.Warn.Text(" " + tooSoon(d.ahead))})
	}
	if d.checking && d.stale == "" {
		out = append(out, nil, paint.Line{paint.Dim.Text(" looking whether the rights are there" + t.Ellipsis)})
	}
	if d.want != "" && d.stale == "" {
		out = append(out, nil, paint.Line{paint.Plain.Text(" type "), paint.Bold.Text(term.Cut(d.want, w-20, t.Ellipsis)), paint.Plain.Text(" to confirm: "), paint.Accent.Text(d.typed + "_")})
	}
	if d.why.asked && d.stale == "" {
		out = append(out, nil, d.why.line(t, w))
	}
	return append(out, nil, d.buttons(t, w), nil)
}

func (d *dialog) buttons(t *paint.Theme, w int) paint.Line {
	cancel := "Cancel"
	if d.do == "" {
		cancel = "Close"
	}
	button := func(text string, on bool, off bool) paint.Span {
		switch {
		case on:
			return paint.Picked.Text(t.Cursor + "[ " + text + " ]")
		case off:
			return paint.Dim.Text(" [ " + text + " ]")
		}
		return paint.Plain.Text(" [ " + text + " ]")
	}
	out := paint.Line{paint.Plain.Text("  "), button(cancel, !d.onDo && !d.why.on, false)}
	if d.do != "" {
		out = append(out, paint.Plain.Text("  "), button(d.do, d.onDo, !d.ready()))
		if hint := "   " + d.hint(); out.Width()+term.Width(hint) <= w {
			out = append(out, paint.Dim.Text(hint))
		}
	}
	return out
}

// tooSoon says that keys came before what they would have confirmed could be read.
func tooSoon(n int) string {
	return paint.Counted(n, "key was", "keys were") + " pressed before this could be read, and not taken: press again"
}

// hint says which keys come next.
func (d *dialog) hint() string {
	switch {
	case d.onDo:
		return "enter does it"
	case d.stale != "":
		return ""
	case d.why.on:
		return "type why, then enter"
	case d.why.lacking():
		return "tab, then say why"
	case d.ready():
		return "tab, then enter"
	case d.want != "":
		return "type, then enter twice"
	}
	return ""
}

// overlay draws the dialog over finished screen rows, in their middle.
func (d *dialog) overlay(t *paint.Theme, rows []string, w int) []string {
	inner := min(w-4, 92)
	body := d.lines(t, inner)
	most := len(rows) - 4
	if d.cut = len(body) > most; d.cut {
		d.onDo = false
		body = append(body[:most-4:most-4], paint.Line{paint.Warn.Text(" " + t.Ellipsis + " more: make the window taller to read and confirm")}, nil, d.buttons(t, inner), nil)
	}
	return t.Box(d.place+d.title, body, inner, rows, w)
}

// overlay draws the menu over finished screen rows, in their middle.
func (m *menu) overlay(t *paint.Theme, rows []string, w int) []string {
	inner := min(w-4, 92)
	return t.Box(m.title, m.box(t, inner, len(rows)-4), inner, rows, w)
}
