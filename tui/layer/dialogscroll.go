package layer

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
)

// reading is how much of a dialog's text has been in sight. What has not been seen cannot be confirmed.
type reading struct {
	top  int  // the first line in sight
	room int  // lines in sight at a time
	n, w int  // lines in all, on a box so wide
	read bool // the last line was in sight
}

// fit divides the inside of a box of w cells and so many lines between the text, which scrolls, and what always is in sight:
// where in the text that is, what is wrong, what has to be typed, the buttons.
func (d *Dialog) fit(w, most int) (text, foot []paint.Line) {
	at, was := d.at, d.read
	text, foot = packed(d.text(d.host.Theme, w), d.foot(d.host.Theme, w), most)
	r := &d.reading
	if r.n != len(text) || r.w != w {
		r.n, r.w, r.read = len(text), w, false
	}
	if r.room = most - len(foot); r.room < r.n {
		foot = foot[max(0, len(foot)-most+3):] // the buttons are last
		r.room = most - len(foot) - 1
	}
	r.room = max(1, min(r.room, r.n))
	if r.top = max(0, min(r.top, r.n-r.room)); r.top+r.room >= r.n && !r.read {
		if r.read = true; d.at == onCancel {
			d.Retreat()
		}
	}
	if !r.read {
		d.at = onCancel
	}
	if d.at != at || d.read && !was { // which keys come next is another line
		return d.fit(w, most)
	}
	return text, foot
}

// packed gives up blank lines where not all fits into so many: those of the foot first, those of the text where nothing has
// to scroll then.
func packed(text, foot []paint.Line, most int) ([]paint.Line, []paint.Line) {
	blank := func(l paint.Line) bool { return l == nil }
	if len(text)+len(foot) > most {
		foot = slices.DeleteFunc(foot, blank)
	}
	if dense := slices.DeleteFunc(slices.Clone(text), blank); len(text)+len(foot) > most && len(dense)+len(foot) <= most {
		text = dense
	}
	return text, foot
}

// partly reports that not all of the text is in sight.
func (r *reading) partly() bool { return r.room < r.n }

// where says which lines are in sight, and how the others come.
func (r *reading) where(t *paint.Theme) paint.Line {
	told := fmt.Sprintf(" lines %d%s%d of %d", r.top+1, t.Spelled("–"), r.top+r.room, r.n)
	if !r.read {
		return paint.Line{paint.Warn.Text(told + "; pgdn reads on: to the end, to confirm")}
	}
	return paint.Line{paint.Dim.Text(told + ", pgup pgdn")}
}

// Scroll moves the text by so many lines.
func (d *Dialog) Scroll(by int) { d.top = max(0, d.top+by) }

// scrolls moves a text that is not all in sight, where a key says so.
func (d *Dialog) scrolls(msg tea.KeyMsg) bool {
	if !d.partly() {
		return false
	}
	by, free := 0, d.at == onCancel || d.at == onDo
	switch {
	case msg.Type == tea.KeyPgDown || free && msg.Type == tea.KeySpace && d.want == "":
		by = max(1, d.room-1)
	case msg.Type == tea.KeyPgUp:
		by = -max(1, d.room-1)
	case msg.Type == tea.KeyDown:
		by = 1
	case msg.Type == tea.KeyUp:
		by = -1
	case free && msg.Type == tea.KeyEnd:
		by = d.n
	case free && msg.Type == tea.KeyHome:
		by = -d.n
	default:
		return false
	}
	d.Scroll(by)
	return true
}
