package chart

import (
	"slices"
	"strconv"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// maxFinding is how many lines the gravest finding takes at most; the others take one each.
const maxFinding = 3

// Findings tells what was found about a recipe, the gravest first, in at most so many lines. Only signs are coloured. All
// else is a key away, which is said.
func (p Pen) Findings(most int) (out []paint.Line) {
	all := slices.Clone(p.Spanning)
	for i := range p.Model.Findings {
		all = append(all, &p.Model.Findings[i])
	}
	slices.SortStableFunc(all, func(x, y *model.Finding) int { return int(y.Severity) - int(x.Severity) })
	all, alike := apart(all)
	for _, s := range term.Wrap(term.Safe(p.Ended), p.W-3, min(2, most), p.Ellipsis) {
		out = append(out, paint.Line{paint.Plain.Text("   " + s)})
	}
	first := len(out) == 0
	for i, f := range all {
		rest := most - len(out)
		if rest <= 0 {
			return p.unsaid(out, alike+len(all)-i, i == 1)
		}
		lines := 1
		if first {
			lines = min(maxFinding, rest-min(len(all)-i-1, max(0, rest-1)/2))
		}
		out = append(out, p.finding(f, lines, first)...)
		first = false
	}
	if alike > 0 {
		return p.unsaid(out, alike, len(all) == 1)
	}
	return out
}

// apart are the first findings of each sort, and how many more there are of those.
func apart(all []*model.Finding) (first []*model.Finding, more int) {
	for _, f := range all {
		if slices.ContainsFunc(first, func(o *model.Finding) bool { return o.Code == f.Code }) {
			more++
		} else {
			first = append(first, f)
		}
	}
	return first, more
}

// unsaid adds how many findings are not told to the last line that is.
func (p Pen) unsaid(out []paint.Line, n int, alone bool) []paint.Line {
	if len(out) == 0 {
		return nil
	}
	last := &out[len(out)-1]
	if n := len(*last); alone && (*last)[n-1].Style == paint.Dim { // it is said behind the number
		*last = (*last)[:n-1]
	}
	more, key := "  +"+strconv.Itoa(n)+" more", ""
	if alone {
		key = p.whyKey()
	}
	*last = append(paint.Shortened(*last, p.W-1-term.Width(more+key), p.Ellipsis), paint.Bold.Text(more), paint.Dim.Text(key))
	return out
}

// finding is a finding in at most so many lines; what ends it comes first where not all of it fits.
func (p Pen) finding(f *model.Finding, most int, why bool) (out []paint.Line) {
	key := ""
	if why {
		key = p.whyKey()
	}
	text := term.Safe(f.Text)
	lines := p.wrapped(text, most, term.Width(key))
	if r := p.Remedies[f]; r != "" && len(lines) > most {
		lines = p.wrapped(r+"; "+text, most, term.Width(key))
	}
	if len(lines) > most {
		lines = lines[:most]
		if last := &lines[most-1]; term.Width(*last)+term.Width(p.Ellipsis) > p.W-4-term.Width(key) {
			*last = term.Cut(*last+p.Ellipsis, p.W-4-term.Width(key), p.Ellipsis)
		} else {
			*last += p.Ellipsis
		}
	}
	mark, style := SeverityMark(p.Theme, f.Severity)
	for i, s := range lines {
		l := paint.Line{style.Text(" " + term.Pad(mark, 1) + " "), paint.Plain.Text(s)}
		if i == len(lines)-1 && key != "" {
			l = append(l, paint.Dim.Text(term.PadLeft(key, max(0, p.W-4-term.Width(s)))))
		}
		out, mark = append(out, l), " "
	}
	return out
}

// wrapped breaks a text into lines, one more than fit where there are more; the last leaves some cells free.
func (p Pen) wrapped(text string, most, free int) []string {
	lines := term.Wrap(text, p.W-4, most+1, "")
	if n := len(lines); n > 0 && n <= most && term.Width(lines[n-1])+free > p.W-4 {
		return term.Wrap(text, p.W-4-free, most+1, "")
	}
	return lines
}

// whyKey says which key tells all there is to know.
func (p Pen) whyKey() string {
	if p.WhyKey == "" {
		return ""
	}
	return "  " + p.WhyKey + " why"
}

// ForeignLine names what does not belong to a recipe, as much as fits in w cells.
func ForeignLine(t *paint.Theme, names []string, w int) paint.Line {
	text := " foreign:"
	for _, n := range names {
		text += " " + term.Safe(n)
		if term.Width(text) > w {
			break
		}
	}
	return paint.Line{paint.Dim.Text(term.Cut(text, w, t.Ellipsis))}
}
