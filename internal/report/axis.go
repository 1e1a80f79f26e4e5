package report

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// steps are the stretches that ticks may be apart.
var steps = []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// step is how far ticks are apart, so that there are at most six.
func step(span time.Duration) time.Duration {
	for _, s := range steps {
		if span <= 6*s {
			return s
		}
	}
	day := 24 * time.Hour
	return (span/6/day + 1) * day
}

// axis draws the ticks, and says of which days they are.
func (d *drawing) axis() {
	begin, end := d.c.Begin.UTC(), d.c.End.UTC()
	by := step(end.Sub(begin))
	form := "15:04:05"
	switch {
	case by < time.Second:
		form = "15:04:05.000"
	case by >= 24*time.Hour:
		form = "01-02"
	case begin.YearDay() != end.YearDay():
		form = "01-02 15:04"
	case by >= time.Minute:
		form = "15:04"
	}
	first := begin.Truncate(by)
	if first.Before(begin) {
		first = first.Add(by)
	}
	for t := first; !t.After(end); t = t.Add(by) {
		x := d.at(t)
		d.Lines = append(d.Lines, Line{percent(x), 18, d.Height, "tick", stamp(t)})
		d.Texts = append(d.Texts, Text{percent(x), 14, anchor(x), "tick", t.Format(form)})
	}
}

func anchor(x float64) string {
	switch {
	case x < 4:
		return "start"
	case x > 96:
		return "end"
	}
	return "middle"
}

// epochs draws where another leader began, and names those that have the room.
func (d *drawing) epochs(src Source) {
	last, unnamed := -100.0, 0
	for i, e := range src.Epochs {
		if i == 0 || e.At.Before(d.c.Begin) || e.At.After(d.c.End) {
			continue
		}
		x := d.at(e.At)
		says := fmt.Sprintf("epoch %d", e.Number)
		d.Lines = append(d.Lines, Line{percent(x), 22, d.Height, "epoch", says + " from " + stamp(e.At)})
		if x-last < 12 {
			unnamed++
			continue
		}
		last = x
		d.Texts = append(d.Texts, Text{percent(x), 34, anchor(x), "epoch", says})
	}
	if unnamed > 0 {
		d.Notice += fmt.Sprintf(" %s drawn without the number: the table of epochs has it.", say.Plural(unnamed, "more change of epoch is", "more changes of epoch are"))
	}
}

// uncovered draws of which stretches nothing is known.
func (d *drawing) uncovered(src Source) {
	for _, spans := range [][]chronicle.Span{src.Holes, d.c.Gaps} {
		for _, s := range spans {
			d.box(s.From, s.To, 22, d.Height-22, "uncovered", "not covered: from "+stamp(s.From)+" to "+stamp(s.To))
		}
	}
}
