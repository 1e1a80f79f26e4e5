package layer

import (
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Draw draws the dialog over the rows below, in their middle.
func (d *Dialog) Draw(below func() []string, w, _ int) []string {
	rows := below()
	text, foot := d.fit(inner(w), len(rows)-margin)
	body := text[d.top : d.top+d.room : d.top+d.room]
	if d.partly() {
		body = append(body, d.where(d.host.Theme))
	}
	return over(d.host.Theme, d.Prefix+d.Title, append(body, foot...), rows, w)
}

// text is what is to be read, in lines of w cells: what follows, and how it is done.
func (d *Dialog) text(t *paint.Theme, w int) []paint.Line {
	if d.Stale != "" { // what would have followed does not any more
		return bodyLines(t, []paint.Line{nil}, []Body{{t.Alert, d.Stale, paint.Alert}}, w)
	}
	out := bodyLines(t, []paint.Line{nil}, d.Body, w)
	if d.Live != nil {
		if text := d.Live(); text != "" {
			out = append(out, paint.Line{paint.Plain.Text(" " + t.Note + " " + term.Cut(text, w-4, t.Ellipsis))})
		}
	}
	if d.Fold != "" {
		out = append(out, nil, paint.Line{paint.Accent.Text(" " + t.Crumb + " "), paint.Accent.Text("ctrl+g "), paint.Dim.Text(term.Cut(d.Fold, w-11, t.Ellipsis))})
		if d.unfold {
			out = bodyLines(t, out, d.Folded, w)
		}
	}
	return out
}

// foot is what is always in sight: what is wrong, what has to be typed, the buttons.
func (d *Dialog) foot(t *paint.Theme, w int) (out []paint.Line) {
	note := func(b Body) { out = bodyLines(t, append(out, nil), []Body{b}, w) }
	now := d.host.Clock()
	if text := d.anew.at(now); text != "" && d.Stale == "" {
		note(Body{"", text, paint.Accent})
	}
	if text := d.early.at(now); text != "" {
		note(Body{"", text, paint.Warn})
	}
	if d.Checking && d.Stale == "" {
		note(Body{"", "looking whether the rights are there" + t.Ellipsis, paint.Dim})
	}
	if fields := d.fields(t, w); len(fields) > 0 && d.Stale == "" {
		out = append(append(out, nil), fields...)
	}
	if d.wrong != "" {
		out = append(out, paint.Line{paint.Warn.Text(" " + t.Alert + " " + term.Cut(d.wrong, w-4, t.Ellipsis))})
	}
	buttons, below := d.buttons(t, w)
	return append(out, nil, buttons, below)
}

// longest is how many lines a paragraph has at most.
const longest = 40

// bodyLines appends paragraphs, each behind its label or its sign; one without a text is an empty line.
func bodyLines(t *paint.Theme, out []paint.Line, body []Body, w int) []paint.Line {
	for _, b := range body {
		labelW := max(2, term.Width(b.Label)+1)
		if b.Text == "" {
			out = append(out, nil)
		}
		for i, s := range term.Wrap(b.Text, w-labelW-2, longest, t.Ellipsis) {
			out = append(out, paint.Line{b.Style.Text(" " + term.Pad(paint.OnFirst(i, b.Label), labelW)), b.Style.Text(s)})
		}
	}
	return out
}

// fields are what is typed: the name that confirms, and why.
func (d *Dialog) fields(t *paint.Theme, w int) (out []paint.Line) {
	labelW := 10
	if d.want != "" && d.Do != "" {
		label := "type " + d.want
		labelW = max(labelW, min(term.Width(label)+1, w/2))
		out = append(out, fieldLine(t, label, labelW, &d.typed, d.at == onField, "to confirm", w))
	}
	if d.Why.asked {
		empty := "may be empty; for the audit log"
		if d.Why.needed {
			empty = "needed here, for the audit log"
		}
		out = append(out, fieldLine(t, "why", labelW, &d.Why.field, d.at == onWhy, empty, w))
	}
	return out
}

// fieldLine is a field with its label; only the one with the focus has a cursor.
func fieldLine(t *paint.Theme, label string, labelW int, f *widget.Field, on bool, empty string, w int) paint.Line {
	mark, style := " ", paint.Plain
	if on {
		mark, style = t.Cursor, paint.Bold
	}
	out := paint.Line{paint.Accent.Text(mark), style.Text(term.Fit(label, labelW, t.Ellipsis) + " ")}
	switch text := f.Value(); {
	case on:
		return append(out, f.Draw(t, paint.Accent, w-labelW-3)...)
	case text == "":
		return append(out, paint.Dim.Text(term.Cut(empty, w-labelW-3, t.Ellipsis)))
	default:
		return append(out, paint.Plain.Text(term.CutLeft(text, w-labelW-3, t.Ellipsis)))
	}
}

// buttons are the buttons, with what keys come next behind them, or below where there is no room.
func (d *Dialog) buttons(t *paint.Theme, w int) (out, below paint.Line) {
	cancel := "Cancel"
	if d.Do == "" {
		cancel = "Close"
	}
	out = paint.Line{paint.Plain.Text("  "), button(t, cancel, d.at == onCancel, false)}
	if d.Do != "" {
		out = append(out, paint.Plain.Text("  "), button(t, d.Do, d.at == onDo, !d.Ready()))
		if hint := "   " + d.hint(); out.Width()+term.Width(hint) <= w {
			out = append(out, paint.Dim.Text(hint))
		} else {
			below = paint.Line{paint.Dim.Text(hint)}
		}
	}
	return out, below
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
	case d.at == onDo:
		return "enter does it"
	case d.Stale != "":
		return "esc closes"
	case d.at == onWhy && d.Why.lacking():
		return "type why, then enter"
	case d.at == onField && d.typed.Value() == d.want && d.Why.lacking():
		return "enter, then say why"
	case (d.at == onWhy || d.at == onField) && d.Ready():
		return "enter does it"
	case d.at == onField || d.at == onWhy && d.want != "":
		return "type " + d.want + ", then enter; esc closes"
	case d.want == "" && d.Why.lacking():
		return "y, then say why; esc closes"
	case d.want == "" && d.Ready():
		return "y does it, esc closes"
	case d.want != "":
		return "tab, then type " + d.want
	}
	return ""
}
