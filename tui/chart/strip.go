package chart

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// axis is a stretch of time in cells, the newest at the right. Cells begin at whole units, so that what is drawn moves only
// when a cell is full.
type axis struct {
	from, now time.Time // what was seen before is in no cell
	unit      time.Duration
	first     int64 // unit since the epoch that the first cell is
	n         int
}

// Units are how long a cell of a strip can be.
var Units = []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	5 * time.Minute, 10 * time.Minute, 20 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}

// axisOf divides the time since a moment into at most w cells of a unit no shorter than least.
func axisOf(from, now time.Time, w int, least time.Duration) axis {
	a := axis{from: from, now: now}
	for _, a.unit = range Units {
		a.first = from.UnixNano() / int64(a.unit)
		if a.n = int(now.UnixNano()/int64(a.unit)-a.first) + 1; a.n <= w && a.unit >= least {
			return a
		}
	}
	a.first += int64(a.n - w)
	a.n = w
	return a
}

// cell is the part of a cell that was seen.
func (a *axis) cell(i int) (from, to time.Time) {
	from = time.Unix(0, (a.first+int64(i))*int64(a.unit))
	to = from.Add(a.unit)
	if from.Before(a.from) {
		from = a.from
	}
	if to.After(a.now) {
		to = a.now
	}
	return from, to
}

// stripW is how many cells the strips of a pen have: what stands before and behind them is left.
func (p Pen) stripW() int { return max(8, min(70, p.W-19)) }

// wide is the width from which pictures are drawn.
const wide = 46

// shortest is what must have been seen for a picture of it.
const shortest = 5 * time.Second

// marks are the signs in a strip: that it goes on, that nobody has it, and that it was not seen.
func (p Pen) marks() (on, free, unseen string) {
	if p.Ellipsis == term.ASCII().Ellipsis {
		return "-", ".", ":"
	}
	return "━", "·", "░"
}

// Strips draws who had it and how many waited, with their scales; nil where too little was seen.
func (p Pen) Strips(holds, waits string) []paint.Line {
	if !p.Striped() {
		return nil
	}
	a := axisOf(p.begin(), p.Now, p.stripW(), time.Second)
	out := []paint.Line{p.Row(holds, paint.Good.Text(p.holders(&a)))}
	if line, top := p.amounts(waits, &a); top > 0 {
		out = append(out, line)
	}
	return append(out, p.scale(&a))
}

// begin is from when on the strips tell: so far back that about as many turns as there are cells can be told apart, and
// that it is seen what was before who has it now.
func (p Pen) begin() time.Time {
	seen, turns := p.Past.seen(), p.Past.Turns
	if len(turns) < 3 {
		return seen
	}
	lasted := make([]Lasted, len(turns)-1)
	for i := range lasted {
		lasted[i].For = p.Past.end(i).Sub(turns[i].From)
	}
	span := max(SpreadOf(lasted).p50, time.Second) * time.Duration(p.stripW()-1)
	span = max(span, p.Now.Sub(turns[len(turns)-1].From)*5/4)
	if from := p.Now.Add(-span); from.After(seen) {
		return from
	}
	return seen
}

// Striped reports whether there is a strip of who had it.
func (p Pen) Striped() bool {
	return p.W >= wide && !p.Model.Kind.Pool() && p.Now.Sub(p.Past.seen()) >= shortest
}

// holders draws in each cell who had it for longest: a letter where somebody takes it.
func (p Pen) holders(a *axis) string {
	on, free, unseen := p.marks()
	var b strings.Builder
	before := -1
	for i := range a.n {
		from, to := a.cell(i)
		turn := p.Past.longest(from, to)
		switch {
		case p.Past.gap(from, to) || turn < 0:
			b.WriteString(unseen)
			turn = -1
		case p.Past.Turns[turn].Name == "":
			b.WriteString(free)
		case turn == before:
			b.WriteString(on)
		default:
			b.WriteByte(p.letter(&p.Past.Turns[turn]))
		}
		before = turn
	}
	return b.String()
}

// letter stands for who has a turn.
func (p Pen) letter(t *Turn) byte {
	switch {
	case t.Name == readers:
		return 'r'
	case p.Model.Kind.Modes() && t.Name != NotRead:
		return 'W'
	}
	return t.Letter
}

// longest is the turn that took most of a stretch of time; -1: none is known.
func (p *Past) longest(from, to time.Time) int {
	best, most := -1, time.Duration(-1)
	for i := range p.Turns {
		start, end := p.Turns[i].From, p.end(i)
		if end.IsZero() || end.After(to) {
			end = to
		}
		if start.Before(from) {
			start = from
		}
		if d := end.Sub(start); d > most && d >= 0 {
			best, most = i, d
		}
	}
	return best
}

// amounts draws how many there were in each cell at most, and the top of the scale.
func (p Pen) amounts(label string, a *axis) (l paint.Line, top int) {
	_, zero, unseen := p.marks()
	values := make([]int, a.n)
	for i := range values {
		from, to := a.cell(i)
		if values[i] = p.Past.most(from, to); p.Past.gap(from, to) {
			values[i] = -1
		}
		top = max(top, values[i])
	}
	var b strings.Builder
	for _, v := range values {
		switch {
		case v < 0:
			b.WriteString(unseen)
		case v == 0:
			b.WriteString(zero)
		default:
			b.WriteString(p.Levels[max(1, v*(len(p.Levels)-1)/top)])
		}
	}
	return p.Row(label, paint.Accent.Text(b.String()), paint.Dim.Text(" max "+paint.Number(top))), top
}

// most is how many there were at most in a stretch of time; -1: it is not known.
func (p *Past) most(from, to time.Time) int {
	most := -1
	for i := range p.Samples {
		s := &p.Samples[i]
		switch {
		case !s.At.After(from):
			most = s.Depth
		case s.At.Before(to):
			most = max(most, s.Most)
		}
	}
	return most
}

// scale says when the first cell was, and how long one is.
func (p Pen) scale(a *axis) paint.Line {
	from, _ := a.cell(0)
	text := p.ClockText(from) + "  1 cell = " + say.Age(a.unit)
	if lack := a.n - term.Width(text) - len(" now"); lack >= 0 {
		text += term.Blank(lack) + " now"
	}
	if _, _, unseen := p.marks(); p.Past.gap(from, a.now) {
		text += "  " + unseen + " not seen"
	}
	return p.Row("", paint.Dim.Text(text))
}

// ClockText prints a moment.
func (p Pen) ClockText(at time.Time) string {
	if p.Clock == nil {
		return say.Clock(at)
	}
	return p.Clock(at)
}

// Series draws how many there were over time.
func (p Pen) Series(label string, least time.Duration) []paint.Line {
	if p.W < wide || len(p.Past.Samples) == 0 || p.Now.Sub(p.Past.Samples[0].At) < shortest {
		return nil
	}
	a := axisOf(p.Past.Samples[0].At, p.Now, p.stripW(), least)
	line, _ := p.amounts(label, &a)
	return []paint.Line{line, p.scale(&a)}
}

// Statistics tells how long it was held and waited for, where that is called something, and how often it changes hands.
func (p Pen) Statistics(held, waited string) (out []paint.Line) {
	for _, x := range []struct {
		label string
		of    []Lasted
	}{{held, p.Past.Held}, {waited, p.Past.Waited}} {
		if s := SpreadOf(x.of); s.N > 0 && x.label != "" {
			out = append(out, paint.Line{paint.Dim.Text(" " + term.Pad(x.label, 5)), paint.Plain.Text(s.String())})
		}
	}
	if rate, over := p.Past.handovers(p.Now); rate > 0 {
		least := say.Either(rate > hot, p.Spelled("≥"), "") // what was held between two looks was not seen
		out = append(out, paint.Line{paint.Dim.Text(" rate "), paint.Plain.Text(least + PerTime(rate) + " hand-overs"), paint.Dim.Text(", last " + say.Age(over))})
		if rate > hot {
			out = append(out, paint.Line{paint.Dim.Text(" " + term.Cut("short holds between two looks are missed", p.W-1, p.Ellipsis))})
		}
	}
	return out
}

// String is a spread in one line.
func (s Spread) String() string {
	return fmt.Sprintf("p50 %s  p95 %s  max %s (n=%s)", say.Fine(s.p50), say.Fine(s.P95), say.Fine(s.max), paint.Number(s.N))
}

// LetterOf is the letter that the strip has for who holds; a blank where it has none.
func (p Pen) LetterOf(name string) string {
	for i := len(p.Past.Turns) - 1; i >= 0; i-- {
		if t := &p.Past.Turns[i]; t.Name == name && t.Letter > 0 {
			return string(p.letter(t))
		}
	}
	return " "
}

// Ready is the pen with what was seen up to its moment.
func (p Pen) Ready() Pen {
	if p.Twins == nil {
		p.Twins = &Twins{}
	}
	if p.Ages == nil {
		p.Ages = &Ages{}
	}
	seen, twins := p.Past.until(p.Now), p.Twins.Of(p.Model)
	if seen.From.IsZero() {
		seen.From = p.Now
	}
	if name, _ := Having(p.Model); len(seen.Turns) == 0 { // nothing has changed since
		t := Turn{From: seen.From, Name: name, Unseen: true, Letter: 'a'}
		if name == NotRead {
			t.Letter = '?'
		}
		seen.Turns = []Turn{t}
	}
	if len(seen.Samples) == 0 {
		seen.Samples = []Sample{{At: seen.From, Depth: twins.depth, Most: twins.depth}}
	}
	p.Past = &seen
	return p
}
