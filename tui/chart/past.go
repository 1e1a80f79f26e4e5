package chart

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// Past is what was seen of a recipe since the console began to watch. It is not complete: each list is bounded, and what
// was not seen is in none.
type Past struct {
	From    time.Time // from when on changes were seen
	Gaps    []Span    // in which none were
	Turns   []Turn    // who had it when, oldest first; each lasts until the next begins, the last goes on
	Cut     bool      // there were turns before the first
	Samples []Sample  // oldest first
	Held    []Lasted  // how long it was held, each time that was seen from its beginning to its end
	Waited  []Lasted  // how long it was waited for, likewise
	Left    []Absent  // who left, oldest first
}

// Span is a stretch of time.
type Span struct{ From, To time.Time }

// Turn is somebody having a recipe, or nobody.
type Turn struct {
	From   time.Time
	Name   string // as it was read; empty: nobody had it
	Letter byte   // stands for the name in a strip
	Unseen bool   // it began earlier, or while nothing was seen
	Waited time.Duration
	Ended  string // how it ended, where that is known
}

// Lasted is how long something took that was over at a moment.
type Lasted struct {
	At  model.Moment
	For time.Duration
}

// Absent is somebody who left.
type Absent struct {
	Name string
	At   time.Time
}

// Sample is how many there were at a moment, and what came and went since the sample before.
type Sample struct {
	At      time.Time
	Depth   int // items, members or leases in use; of a line, how many wait
	Most    int // the largest depth until the next sample
	Taken   int
	In, Out int
}

// until is what had been seen at a moment: while the console is paused it knows more than it shows.
func (p *Past) until(now time.Time) Past {
	if p == nil {
		return Past{From: now}
	}
	c := *p
	for n := len(c.Turns); n > 0 && c.Turns[n-1].From.After(now); n = len(c.Turns) {
		c.Turns = c.Turns[:n-1]
	}
	for n := len(c.Samples); n > 0 && c.Samples[n-1].At.After(now); n = len(c.Samples) {
		c.Samples = c.Samples[:n-1]
	}
	c.Held, c.Waited = over(c.Held, now), over(c.Waited, now)
	return c
}

// over are those that were over at a moment.
func over(all []Lasted, now time.Time) []Lasted {
	n := len(all)
	for at := model.MomentOf(now); n > 0 && all[n-1].At > at; n-- {
	}
	return all[:n]
}

// seen is from when on turns are known.
func (p *Past) seen() time.Time {
	if p.Cut && len(p.Turns) > 0 {
		return p.Turns[0].From
	}
	return p.From
}

// gap reports whether nothing was seen in some of a stretch of time.
func (p *Past) gap(from, to time.Time) bool {
	return slices.ContainsFunc(p.Gaps, func(g Span) bool { return g.From.Before(to) && g.To.After(from) })
}

// end is when a turn was over; zero: it goes on.
func (p *Past) end(i int) time.Time {
	if i+1 < len(p.Turns) {
		return p.Turns[i+1].From
	}
	return time.Time{}
}

// handovers is how often somebody took it per second, and over which time: the last minute, or all that is known where
// little happened in it. 0 where that is too little to tell.
func (p *Past) handovers(now time.Time) (rate float64, over time.Duration) {
	const enough, few, lately = 10, 3, time.Minute
	all, late := 0, 0
	for i := range p.Turns {
		if t := &p.Turns[i]; t.Name != "" && t.From.After(p.seen()) {
			all++
			late += paint.BoolInt(now.Sub(t.From) < lately)
		}
	}
	n, over := all, now.Sub(p.seen())
	if late >= enough && over > lately {
		n, over = late, lately
	}
	if n < few || over < time.Second {
		return 0, over
	}
	return float64(n) / over.Seconds(), over
}

// Hot reports whether it changes hands so often that hand-overs are told together and not one by one.
func (p *Past) Hot(now time.Time) bool {
	rate, _ := p.handovers(now)
	return rate > hot
}

// hot is how many hand-overs a second are too many to be told one by one.
const hot = 1

// Rates is how many came and went per second lately; known is false where that was not seen for long enough.
func (p *Past) Rates(now time.Time) (in, out float64, known bool) {
	const lately = time.Minute
	from := now
	for i := len(p.Samples) - 1; i > 0 && now.Sub(p.Samples[i-1].At) <= lately; i-- {
		in, out, from = in+float64(p.Samples[i].In), out+float64(p.Samples[i].Out), p.Samples[i-1].At
	}
	span := now.Sub(from).Seconds()
	if span < 5 {
		return 0, 0, false
	}
	return in / span, out / span, true
}

// Spread is how durations are distributed.
type Spread struct {
	p50, P95, max time.Duration
	N             int
}

// SpreadOf is how these durations are distributed; the zero Spread where there are none.
func SpreadOf(all []Lasted) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	s := make([]time.Duration, len(all))
	for i := range all {
		s[i] = all[i].For
	}
	slices.Sort(s)
	at := func(p int) time.Duration { return s[(len(s)*p+99)/100-1] }
	return Spread{at(50), at(95), s[len(s)-1], len(s)}
}

// Usual is how many times something must have been seen before it is said what is usual.
const Usual = 20

// Beyond reports whether a duration is far beyond what is usual.
func (s Spread) Beyond(d time.Duration) bool { return s.N >= Usual && d > 3*s.P95 }

// NotRead is the name in a turn of which it is not known who had it.
const NotRead = "?"

// readers is the name in a turn of those who read together.
const readers = "readers"

// Having is who has a recipe that one at a time has; empty: nobody. Readers of a shared lock have it together.
func Having(m *model.Model) (name string, id model.ClaimID) {
	switch {
	case m == nil:
		return "", id
	case m.State == model.Unknown:
		return NotRead, id
	case m.State == model.Reading:
		return readers, id
	}
	for i := range m.Claims {
		if c := &m.Claims[i]; HoldsRole(c.Role()) && !c.Ended {
			return c.Owner(), c.ID()
		}
	}
	return "", id
}

// Depth is how many there are of what a recipe's kind counts: of a line those who wait, else all; of a pool those who hold.
func Depth(m *model.Model) int {
	if !m.Kind.Waits() && !m.Kind.Leads() {
		return len(m.Claims)
	}
	holding := 0
	for i := range m.Claims {
		holding += paint.BoolInt(HoldsRole(m.Claims[i].Role()))
	}
	if m.Kind.Pool() {
		return holding
	}
	return len(m.Claims) - holding
}
