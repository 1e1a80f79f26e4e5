package widget

import (
	"time"

	"github.com/zkscope/zkscope/tui/paint"
)

// Look says how a list is drawn.
type Look[ID comparable, T any] struct {
	Theme *paint.Theme
	Now   time.Time
	Head  paint.Line // Optional; the titles of the columns
	Focus bool       // the selected line stands out over its whole width
	Signs bool       // what came has its sign in the first cell; else Row draws it
	Bare  bool       // where not all fits nothing is said of it
	Both  bool       // where not all fits it is said how many lines are below and above; else how many more there are

	// Row draws a row, or one that is gone. Its first cell is left to the cursor.
	Row func(r *T, gone *Gone[ID, T], fresh bool) paint.Line
	// Marked reports whether a row is marked.
	Marked func(r *T) bool
}

// Draw draws the lines around the selection in at most h lines of w cells.
func (l *List[ID, T]) Draw(look Look[ID, T], w, h int) []paint.Line {
	out := make([]paint.Line, 0, h)
	if look.Head != nil {
		out = append(out, look.Head)
		h--
	}
	room := h
	if look.Both && l.Len() > h {
		room--
	}
	from, to := l.window(room)
	for i := from; i < to; i++ {
		out = append(out, l.draw(&look, i, w))
	}
	e := look.Theme.Ellipsis
	switch rest := l.Len() - from - room; {
	case look.Both && room < h:
		out = append(out, paint.Line{paint.Dim.Text("  " + e + " " + paint.Number(max(0, rest)) + " more below, " + paint.Number(from) + " above")})
	case !look.Both && !look.Bare && rest > 0 && h > 1:
		out[len(out)-1] = paint.Line{paint.Dim.Text("   " + e + " " + paint.Number(rest+1) + " more")}
	}
	return out
}

// draw draws line i.
func (l *List[ID, T]) draw(look *Look[ID, T], i, w int) paint.Line {
	r, gone := l.Line(i)
	fresh := false
	if gone == nil && len(l.came) > 0 {
		id, can := l.ident(r)
		fresh = can && l.fresh(id, look.Now)
	}
	out := look.Row(r, gone, fresh)
	first := paint.Plain.Text("")
	if fresh {
		out = paint.Brightened(out)
		if look.Signs {
			first = paint.Accent.Text(CameSign)
		}
	}
	if gone == nil && look.Marked != nil && look.Marked(r) {
		first = paint.Accent.Text(look.Theme.Mark)
	}
	if i == l.at && (first.Text != look.Theme.Mark || !look.Focus || !look.Theme.Reverses()) { // a mark is seen on the selected line as well
		first.Text = look.Theme.Cursor
	}
	if first.Text != "" {
		out = append(paint.Line{first}, paint.TrimLead(out)...)
	}
	if i == l.at && look.Focus {
		out = look.Theme.Picked(out, w)
	}
	return out
}
