package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// Chart is a timeline: places across are shares of the whole in percent, places down are pixels.
type Chart struct {
	Height int
	Says   string // what is in it, for who cannot see it
	Notice string // what is not as it would be in a small one
	Boxes  []Box
	Lines  []Line
	Texts  []Text
	Signs  []Sign
}

// Box is a stretch of time.
type Box struct {
	X, W  string
	Y, H  int
	Class string // wait, hold, unsure, nobody, uncovered
	Says  string
}

// Line is a moment, from the top to the bottom.
type Line struct {
	X      string
	Y1, Y2 int
	Class  string // tick, epoch
	Says   string
}

// Text is a line of text.
type Text struct {
	X      string
	Y      int
	Anchor string
	Class  string // lane, tick, epoch
	Says   string
}

// Sign is what happened to a claim.
type Sign struct {
	X    string
	Y    int
	Kind string // expired, broken, asked
	Says string
}

const (
	drawnMost   = 1500 // claims that are drawn one by one
	rowsMost    = 12   // claims of one owner at once
	lanesMost   = 40
	columns     = 240 // of a chart that is binned
	barHeight   = 12
	labelWidth  = 84 // characters of a line
	labelHeight = 16
)

// drawing is a chart while it is made.
type drawing struct {
	*Chart
	c *chronicle.Chronicle
	y int
}

func chartOf(src Source, c *chronicle.Chronicle) *Chart {
	if len(c.Stays) == 0 || !c.End.After(c.Begin) {
		return nil
	}
	d := &drawing{Chart: &Chart{}, c: c, y: 40}
	lanes, rest := lanesOf(c)
	rows, fits := packed(lanes, c.End)
	binned := len(c.Stays) > drawnMost || !fits
	d.nobody()
	for i, l := range lanes {
		if binned {
			d.binned(l)
		} else {
			d.lane(l, rows[i])
		}
	}
	d.Height = d.y + 4
	d.notice(binned, rest)
	d.uncovered(src)
	d.axis()
	d.epochs(src)
	d.Says = fmt.Sprintf("Timeline of %s: a lane for each of %d owners, from %s to %s. The tables below tell the same.", safe(c.Path), len(lanes), stamp(c.Begin), stamp(c.End))
	return d.Chart
}

// lane is the claims of one owner, or of all that have none of their own.
type lane struct {
	owner *chronicle.Owner
	stays []*chronicle.Stay
}

func lanesOf(c *chronicle.Chronicle) (lanes []*lane, rest int) {
	owners := c.Owners()
	slices.SortStableFunc(owners, func(a, b *chronicle.Owner) int { return cmp.Compare(b.Held+b.Maybe+b.Waited, a.Held+a.Maybe+a.Waited) })
	by := map[string]*lane{}
	for _, o := range owners {
		if len(lanes) == lanesMost {
			rest = len(owners) - lanesMost
			break
		}
		by[o.Name] = &lane{owner: o}
		lanes = append(lanes, by[o.Name])
	}
	for _, s := range c.Stays {
		if l := by[s.Owner]; l != nil {
			l.stays = append(l.stays, s)
		}
	}
	slices.SortStableFunc(lanes, func(a, b *lane) int { return a.stays[0].Came.At.Compare(b.stays[0].Came.At) })
	return lanes, rest
}

// packed gives each claim a row of its lane in which it overlaps no other; false: some lane has too many.
func packed(lanes []*lane, end time.Time) (rows [][]int, fits bool) {
	for _, l := range lanes {
		var ends []time.Time
		var of []int
		for _, s := range l.stays {
			i := slices.IndexFunc(ends, func(e time.Time) bool { return !e.After(s.Came.At) })
			if i < 0 {
				i, ends = len(ends), append(ends, time.Time{})
			}
			ends[i] = cmp.Or(s.Left.At, end)
			if of = append(of, i); i >= rowsMost {
				return nil, false
			}
		}
		rows = append(rows, of)
	}
	return rows, true
}

// at is a moment's place across.
func (d *drawing) at(t time.Time) float64 {
	return min(100, max(0, 100*float64(t.Sub(d.c.Begin))/float64(d.c.End.Sub(d.c.Begin))))
}

func percent(x float64) string { return fmt.Sprintf("%.3f%%", x) }

func (d *drawing) box(from, to time.Time, y, h int, class, says string) {
	if a, b := d.at(from), d.at(to); b > a {
		d.Boxes = append(d.Boxes, Box{percent(a), percent(b - a), y, h, class, says})
	}
}

// label writes a line of a lane, in as many lines as it takes.
func (d *drawing) label(text, class string) {
	for _, line := range wrapped(safe(text), labelWidth) {
		d.y += labelHeight
		d.Texts = append(d.Texts, Text{"0", d.y - 4, "start", class, line})
	}
}

// wrapped breaks a text; a character outside of the Latin scripts takes two places.
func wrapped(s string, width int) (out []string) {
	line, at := "", 0
	for _, r := range s {
		w := 1
		if r >= 0x1100 {
			w = 2
		}
		if at+w > width {
			out, line, at = append(out, line), "", 0
		}
		line, at = line+string(r), at+w
	}
	return append(out, line)
}

func (d *drawing) nobody() {
	if len(d.c.Nobody) == 0 {
		return
	}
	var sum time.Duration
	for _, s := range d.c.Nobody {
		sum += s.To.Sub(s.From)
	}
	d.label(fmt.Sprintf("nobody held for %s in all, %s", chronicle.Exactly(sum), say.Plural(len(d.c.Nobody), "time", "times")), "lane")
	if len(d.c.Nobody) > drawnMost {
		for i, share := range d.shares(func(yield func(from, to time.Time)) {
			for _, s := range d.c.Nobody {
				yield(s.From, s.To)
			}
		}) {
			d.column(i, share, "nobody", "nobody held")
		}
	} else {
		for _, s := range d.c.Nobody {
			d.box(s.From, s.To, d.y, barHeight, "nobody", "nobody held from "+stamp(s.From)+" for "+chronicle.Exactly(s.To.Sub(s.From)))
		}
	}
	d.y += barHeight + 8
}

func (l *lane) says() string {
	o := l.owner
	return fmt.Sprintf("%s  %s, held %s, waited %s, lost %d", cmp.Or(o.Name, "(no name)"), claims(o.Claims), o.HeldText(), chronicle.Exactly(o.Waited), o.Lost)
}

func claims(n int) string { return say.Plural(n, "claim", "claims") }

func (d *drawing) lane(l *lane, rows []int) {
	d.label(l.says(), "lane")
	most := 0
	for i, s := range l.stays {
		d.stay(s, d.y+rows[i]*(barHeight+2))
		most = max(most, rows[i])
	}
	d.y += (most+1)*(barHeight+2) + 8
}

// stay draws one claim: waiting, then holding, and what happened to it.
func (d *drawing) stay(s *chronicle.Stay, y int) {
	left := cmp.Or(s.Left.At, d.c.End)
	says := safe(s.Owner) + ": came " + s.CameText() + ", waited " + s.WaitedText(d.c.End) + ", held " + s.HeldText(d.c.End) + ", " + safe(s.HowText())
	held := cmp.Or(s.Held.At, left)
	d.box(s.Came.At, held, y, barHeight, "wait", says)
	class := say.Either(s.Doubt, "unsure", "hold")
	if !s.Held.At.IsZero() {
		d.box(held, left, y, barHeight, class, says)
	}
	for _, m := range []chronicle.Moment{s.Came, s.Held, s.Left} {
		if !m.From.IsZero() {
			d.box(m.From, m.At, y, barHeight, "unsure", says)
		}
	}
	d.signs(s, y, says)
}

func (d *drawing) signs(s *chronicle.Stay, y int, says string) {
	if !s.Asked.At.IsZero() {
		d.Signs = append(d.Signs, Sign{percent(d.at(s.Asked.At)), y + barHeight/2, "asked", says})
	}
	if s.How == chronicle.Expired || s.How == chronicle.Broken {
		d.Signs = append(d.Signs, Sign{percent(d.at(s.Left.At)), y + barHeight/2, string(s.How), says})
	}
}

// binned draws a lane in columns, each as high as the share of its time that the owner held, or waited.
func (d *drawing) binned(l *lane) {
	d.label(l.says(), "lane")
	end := d.c.End
	waits := d.shares(func(yield func(from, to time.Time)) {
		for _, s := range l.stays {
			yield(s.Came.At, cmp.Or(s.Held.At, s.Left.At, end))
		}
	})
	unsure := d.shares(func(yield func(from, to time.Time)) {
		for _, s := range l.stays {
			if s.Doubt {
				yield(s.Held.At, cmp.Or(s.Left.At, end))
			}
		}
	})
	holds := d.shares(func(yield func(from, to time.Time)) {
		for _, s := range l.stays {
			if !s.Held.At.IsZero() && !s.Doubt {
				yield(s.Held.At, cmp.Or(s.Left.At, end))
			}
		}
	})
	for i := range columns {
		d.column(i, waits[i], "wait", "waited")
		d.column(i, unsure[i], "unsure", "held, or waited: not known")
		d.column(i, holds[i], "hold", "held")
	}
	marks := map[string]int{}
	for _, s := range l.stays {
		if how := string(s.How); s.How == chronicle.Expired || s.How == chronicle.Broken {
			if marks[fmt.Sprint(how, int(d.at(s.Left.At)*columns/100))]++; marks[fmt.Sprint(how, int(d.at(s.Left.At)*columns/100))] > 1 {
				continue // one sign a column
			}
			d.signs(s, d.y, "in this column: "+how+", at least once")
		}
	}
	d.y += barHeight + 8
}

// shares is which share of each column stretches of time cover, added up; 1: all of it, or more than once.
func (d *drawing) shares(each func(yield func(from, to time.Time))) []float64 {
	out := make([]float64, columns+1)
	each(func(from, to time.Time) {
		a, b := d.at(from)*columns/100, d.at(to)*columns/100
		for i := int(a); i < columns && float64(i) < b; i++ {
			out[i] += min(b, float64(i+1)) - max(a, float64(i))
		}
	})
	for i := range out {
		out[i] = min(1, out[i])
	}
	return out[:columns]
}

func (d *drawing) column(i int, share float64, class, what string) {
	if h := int(share*barHeight + 0.999); h > 0 {
		d.Boxes = append(d.Boxes, Box{percent(100 * float64(i) / columns), percent(100.0 / columns), d.y + barHeight - h, h, class, fmt.Sprintf("%s for %.0f%% of this column", what, 100*share)})
	}
}

func (d *drawing) notice(binned bool, rest int) {
	if binned {
		d.Notice = fmt.Sprintf("Not drawn one by one: %s. A lane is %d columns of %s, each as high as the share of that time in which the owner waited or held; where it did both, holding is in front. A sign stands for one claim or more.",
			claims(len(d.c.Stays)), columns, chronicle.Exactly(d.c.End.Sub(d.c.Begin)/columns))
	}
	if rest > 0 {
		d.Notice += fmt.Sprintf(" Lanes are those of the %d owners that held and waited longest; %d more owners are in the tables alone.", lanesMost, rest)
	}
}
