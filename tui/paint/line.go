package paint

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/internal/term"
)

// Span is a piece of text in one style. Its text must have passed through term.Safe.
type Span struct {
	Text  string
	Style Style
}

// Line is one row of an area, left to right.
type Line []Span

// PlainLine is a text without a style.
func PlainLine(text string) Line { return Line{Plain.Text(text)} }

// draw appends the line to b, cut or padded to exactly w cells.
func (t *Theme) draw(b *strings.Builder, l Line, w int) {
	for _, s := range l {
		if w <= 0 {
			return
		}
		text := term.Cut(t.Spelled(s.Text), w, t.Ellipsis)
		w -= term.Width(text)
		b.WriteString(t.before[s.Style])
		b.WriteString(text)
		b.WriteString(t.after[s.Style])
	}
	if w > 0 {
		b.WriteString(term.Blank(w))
	}
}

// Picked draws the line as the selected row: one style over its whole width.
func (t *Theme) Picked(l Line, w int) Line {
	return Line{Picked.Text(term.Fit(l.Text(), w, t.Ellipsis))}
}

// Text is what a line says.
func (l Line) Text() string {
	var text strings.Builder
	for _, s := range l {
		text.WriteString(s.Text)
	}
	return text.String()
}

// Fields are the texts of a row's columns, with a tab between; empty ones are left out.
func (l Line) Fields() string {
	var out []string
	for _, s := range l {
		if text := strings.TrimSpace(s.Text); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\t")
}

// Width is how many cells a line takes.
func (l Line) Width() (n int) {
	for _, s := range l {
		n += term.Width(s.Text)
	}
	return n
}

// Whole keeps the parts of a bar of w cells that fit as they are, the more important first; the first is cut where even
// that does not fit.
func Whole(w int, parts ...Line) (out Line) {
	for i, p := range parts {
		if i == 0 || out.Width()+p.Width() <= w {
			out = append(out, p...)
		}
	}
	return out
}

// Sides puts one line at the left and one at the right end of w cells. Where both do not fit, the left one
// is cut.
func (t *Theme) Sides(left, right Line, w int) Line {
	rw := right.Width()
	room := w - rw
	if room < w/3 {
		room = w / 3
	}
	var out Line
	used := 0
	for _, s := range left {
		text := term.Cut(s.Text, room-used, t.Ellipsis)
		used += term.Width(text)
		out = append(out, s.Style.Text(text))
	}
	return append(append(out, Plain.Text(term.Blank(w-used-rw))), right...)
}

// Shortened is a line of exactly w cells. Blanks at its end are not missed.
func Shortened(l Line, w int, ellipsis string) (out Line) {
	left, rest := l.Width(), Plain
	for i := len(l) - 1; i >= 0; i-- {
		left -= term.Width(l[i].Text) - term.Width(strings.TrimRight(l[i].Text, " "))
		if strings.TrimSpace(l[i].Text) != "" {
			break
		}
	}
	if left <= w {
		ellipsis = ""
	}
	for _, s := range l {
		text := term.Cut(s.Text, w, ellipsis)
		if w -= term.Width(text); text != "" {
			out = append(out, s.Style.Text(text))
		}
		if s.Style == Picked {
			rest = Picked
		}
	}
	return append(out, rest.Text(term.Blank(w)))
}

// Noted is a line with a note where it is blank: behind the first column that leaves room, else at the end of w cells, over what
// stands there.
func Noted(l Line, w int, note Span, ellipsis string) Line {
	n := term.Width(note.Text)
	for i := 1; i < len(l); i++ {
		text := strings.TrimRight(l[i].Text, " ")
		if free := len(l[i].Text) - len(text); text == "" || free < n+4 {
			continue
		}
		rest := l[i].Style.Text(l[i].Text[len(text)+2+n:])
		return slices.Concat(l[:i], Line{l[i].Style.Text(text + "  "), note, rest}, l[i+1:])
	}
	return append(Shortened(l, w-n-2, ellipsis), Plain.Text("  "), note)
}

// Brightened is a line that stands out; styles that mean something stay.
func Brightened(l Line) Line {
	for i := range l {
		if l[i].Style == Plain || l[i].Style == Dim {
			l[i].Style = Bold
		}
	}
	return l
}

// Dimmed is a line of something that is gone.
func Dimmed(l Line) Line {
	for i := range l {
		l[i].Style = Dim
	}
	return l
}

// TrimLead drops the first cell of a line, which is the cursor's.
func TrimLead(l Line) Line {
	if len(l) == 0 || l[0].Text == "" {
		return l
	}
	out := append(Line(nil), l...)
	if out[0].Text[0] == ' ' {
		out[0].Text = out[0].Text[1:]
	}
	return out
}

// Text is a piece of text in a style. It must have passed through term.Safe.
func (s Style) Text(text string) Span { return Span{text, s} }
