package view

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// codeW is how wide the column of findings' codes is: as the longest of them.
const codeW = 21

// Since is when something was first seen.
type Since struct {
	At    time.Time
	Least bool // it was there when we came: it is older
	Most  bool // it may have begun later
}

// Age is how long ago that was.
func (s Since) Age(t *paint.Theme, now time.Time) string {
	switch age := now.Sub(s.At); {
	case s.Most:
		return fitted(t.AtMost, age, true)
	case !s.Least:
		return fitted("", age, false)
	case age >= time.Second:
		return fitted(t.Spelled("≥"), age, false)
	}
	return ""
}

// ageW is how wide the column of ages is.
const ageW = 6

// fitted is an age that fits its column, with a sign before it: without its smaller unit where both have no room. An
// upper bound goes up by that, any other down.
func fitted(sign string, age time.Duration, up bool) string {
	text := sign + say.Age(age)
	if term.Width(text) <= ageW {
		return text
	}
	unit := time.Minute
	if age >= time.Hour {
		unit = time.Hour
	}
	if age >= 24*time.Hour {
		unit *= 24
	}
	if whole := age.Truncate(unit); up && whole < age {
		age = whole + unit
	} else {
		age = whole
	}
	return sign + say.Age(age)
}

// Attention draws a row of what needs attention: what it is, since when, where, and in a clause how that shows. Only its sign
// and its age are coloured.
func (c *Table) Attention(r *Row, since Since, clause string, gone *GoneRow, fresh bool) paint.Line {
	mark, style := chart.SeverityMark(c.t, r.Finding.Severity)
	count, news := "", " "
	if r.alike > 1 {
		count = " " + c.t.Times + say.Itoa(int64(r.alike))
	}
	age := since.Age(c.t, c.now)
	switch {
	case gone != nil:
		age, news = say.Age(c.now.Sub(gone.At)), widget.GoneSign
	case fresh:
		news = widget.CameSign
	}
	if r.Finding.Severity == model.Low && gone == nil {
		clause = "only low now: " + clause
	}
	codeW := codeW + 4
	if c.w < 100 { // a code with its count fits
		codeW -= 3
	}
	rest := c.w - leadW - codeW - (ageW + 2) - 1
	pathW := max(16, min(48, rest/2))
	if c.w < 100 {
		pathW = max(16, rest*2/5)
	}
	clauseW := rest - pathW - 1
	out := paint.Line{paint.Plain.Text(" "), style.Text(mark), paint.Dim.Text(news), paint.Plain.Text(term.Cut(r.Finding.Code, codeW-term.Width(count), c.t.Ellipsis)),
		paint.Dim.Text(term.Pad(count, codeW-term.Width(r.Finding.Code))), paint.Plain.Text(term.Blank(ageW - term.Width(age))), style.Text(age), paint.Plain.Text("  ")}
	out = append(out, paint.Plain.Text(term.Pad(term.CutMiddle(c.about(r), pathW, c.t.Ellipsis), pathW)+" "))
	if clauseW > 8 {
		out = append(out, paint.Plain.Text(clauseOf(clause, clauseW, c.t.Ellipsis)))
	}
	if gone != nil {
		return paint.Dimmed(out)
	}
	return out
}

// about is the first recipe that a finding is about, and how many more there are.
func (c *Table) about(r *Row) string {
	if r.Model == nil {
		return r.about
	}
	text := c.short(r.Model.Path)
	if n := strings.Count(r.about, " "); n > 0 {
		text += " +" + say.Itoa(int64(n))
	}
	return text
}

// clauseOf is as much of a sentence as fits, cut between its clauses where that leaves enough of it.
func clauseOf(text string, w int, ellipsis string) string {
	if s := paint.Clauses(text, w); term.Width(s) > w/2 {
		return s
	}
	return term.Cut(text, w, ellipsis)
}

// Clause is how a finding shows, in a clause: of a deadlock the ring.
func (sh *Shown) Clause(f *model.Finding) string {
	ring := sh.Waits.CycleOf(f)
	if ring == nil {
		return term.Safe(strings.TrimPrefix(f.Text, f.Code+": "))
	}
	return sh.ring(ring)
}

// ring is who waits for whom in a deadlock, and how many more are behind them.
func (sh *Shown) ring(ring *waits.Cycle) string {
	names := make([]string, 0, len(ring.Waits)+1)
	for i := range ring.Waits {
		names = append(names, chart.ShortOwner(ring.Waits[i].Waiter))
	}
	between := " " + sh.Theme.Each + " "
	if len(names) > 2 {
		names, between = append(names, names[0]), " "+sh.Theme.Arrow+" "
	}
	clause := strings.Join(names, between)
	if crowd := ring.Crowd(paint.Number); crowd != "" {
		clause += "; " + crowd
	}
	return clause
}
