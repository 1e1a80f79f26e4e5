package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// reason is the field of a plan's dialog for why it is done, which goes to the audit log.
type reason struct {
	text   string
	asked  bool // there is such a field
	needed bool // it must not be empty
	on     bool // it has the focus
}

// maxReason is how many characters a reason may have; what is more is cut off.
const maxReason = 200

func (r *reason) lacking() bool { return r.needed && strings.TrimSpace(r.text) == "" }

// edit takes a key that is text; false: it is none.
func (r *reason) edit(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyBackspace:
		if s := []rune(r.text); len(s) > 0 {
			r.text = string(s[:len(s)-1])
		}
	case tea.KeyCtrlU:
		r.text = ""
	case tea.KeyRunes, tea.KeySpace:
		all := []rune(r.text + term.Safe(string(msg.Runes)))
		r.text = string(all[:min(len(all), maxReason)])
	default:
		return false
	}
	return true
}

// line draws the field in w cells.
func (r *reason) line(t *paint.Theme, w int) paint.Line {
	text, style := r.text, paint.Plain
	switch {
	case r.on:
		text, style = text+"_", paint.Accent
	case text == "" && r.needed:
		text, style = "needed here, for the audit log", paint.Warn
	case text == "":
		text, style = "may be empty; for the audit log", paint.Dim
	}
	cursor := " "
	if r.on {
		cursor = t.Cursor
	}
	return paint.Line{paint.Dim.Text(cursor + term.Pad("why", 8)), style.Text(term.CutLeft(text, w-10, t.Ellipsis))}
}

// turn moves the focus around: Cancel, the button, why; where why is needed and empty it comes before the button.
func (d *dialog) turn(back bool) {
	var stops []func()
	set := func(do, why bool) func() { return func() { d.onDo, d.why.on = do, why } }
	stops = append(stops, set(false, false))
	if d.ready() {
		stops = append(stops, set(true, false))
	}
	if d.why.asked && d.stale == "" && !d.cut {
		stops = append(stops, set(false, true))
	}
	at := 0
	switch {
	case d.why.on:
		at = len(stops) - 1
	case d.onDo:
		at = 1
	}
	step := 1
	if back {
		step = len(stops) - 1
	}
	stops[(at+step)%len(stops)]()
}

// whyField is the reason as a field of a form.
func (a *App) whyField() field {
	if a.opts.NeedReason {
		return field{label: "why", note: "needed here, for the audit log"}
	}
	return field{label: "why", note: "may be empty; for the audit log", spare: true}
}

// lacksWhy says that a reason is needed and was not given; empty when nothing is wrong.
func (a *App) lacksWhy(text string) string {
	if a.opts.NeedReason && strings.TrimSpace(text) == "" {
		return "say why: this profile wants a reason with everything that is done"
	}
	return ""
}
