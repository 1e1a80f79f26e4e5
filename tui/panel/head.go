package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// ClaimFacts pins a claim in one line; in a line it says what its owner listens for.
func ClaimFacts(k layout.Kind, c *model.Claim) string {
	if c.Unread() {
		return "nothing but its name was read"
	}
	facts := fmt.Sprintf("czxid %d, version %d", int64(c.Czxid()), c.Version())
	if c.Session != 0 {
		facts = "session " + c.Session.String() + ", " + facts
	}
	if !k.Waits() {
		return facts
	}
	switch c.Hears() {
	case model.HearsProven, model.HearsLikely, model.HearsUnlikely:
		facts += fmt.Sprintf("; listens for %s: %s", c.Revocable(), c.Hears())
	case model.HearsUnknown:
		facts += "; cannot be asked to let go"
	}
	return facts
}

// Head is the summary, the findings and the evidence, in at most half of the area.
func Head(t *paint.Theme, pic Pen) []paint.Line {
	m, now, w, h := pic.Model, pic.Now, pic.W, pic.H
	var out []paint.Line
	for _, s := range term.Wrap(term.Safe(m.Summary(now)), w-1, 2, t.Ellipsis) {
		out = append(out, paint.Line{paint.Bold.Text(" " + s)})
	}
	most := max(2, h/2)
	for _, s := range term.Wrap(term.Safe(pic.Ended), w-3, 2, t.Ellipsis) {
		out = append(out, paint.Line{paint.Warn.Text("   " + s)})
	}
	findings := pic.Spanning
	for i := range m.Findings {
		findings = append(findings, &m.Findings[i])
	}
	for _, f := range findings {
		text := findingLines(t, f, w)
		if r := pic.Remedies[f]; r != "" && (len(text) > most-len(out) || len(text) == maxFinding) {
			first := *f
			first.Text = r + "; " + f.Text // where not all of it fits, what to do about it must
			text = findingLines(t, &first, w)
		}
		switch {
		case len(out)+len(text) <= most:
			out = append(out, text...)
		case f.Severity > model.Low: // a note may be left out without a word, a warning may not
			out = append(append(out, text...)[:most-1], paint.Line{paint.Dim.Text(" " + t.Ellipsis + " more: make the window taller")})
			return append(out, nil)
		}
	}
	return append(out, nil)
}

// findingLines is a finding's text, wrapped, behind its mark.
func findingLines(t *paint.Theme, f *model.Finding, w int) (out []paint.Line) {
	mark, style := SeverityMark(t, f.Severity)
	for i, s := range term.Wrap(term.Safe(f.Text), w-3, maxFinding, t.Ellipsis) {
		if i > 0 {
			mark = " "
		}
		out = append(out, paint.Line{style.Text(" " + term.Pad(mark, 1) + " "), style.Text(s)})
	}
	return out
}

// maxFinding is how many lines a finding takes at most.
const maxFinding = 6

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
