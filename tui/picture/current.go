package picture

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/backend"
)

// Picture is what the console shows, the newest of what it knows, and what it remembers of before. The two differ while it is
// paused.
type Picture struct {
	Result    *model.Result // what is shown
	Waits     *waits.Waits  // of what is shown
	Live      *model.Result // the newest
	LiveWaits *waits.Waits
	States    []waits.ServerState
	Hidden    int        // recipes that are there and not shown, in the newest
	Overtakes []Overtake // oldest first
	Link      backend.Link
	Now       time.Time
	Log       EventLog
	Past      history

	Paused   bool
	pausedAt time.Time
	Behind   int // how many changes are not shown while it is paused

	Census census
	Rate   float64 // requests per second over the last ticks
	last   Tick
	Heard  int // how many events of the link were taken
}

// Overtake is a claim that was served before others that had waited longer, as it was seen.
type Overtake struct {
	At         time.Time
	Path, Text string
}

// maxOvertakes is how many are kept.
const maxOvertakes = 50

// Begin takes the first picture.
func (p *Picture) Begin(m Next) {
	p.Result, p.Live, p.Link, p.Now = m.Result, m.Result, m.Link, m.Now
	p.Waits, p.LiveWaits, p.States, p.Hidden = m.Waits, m.Waits, m.States, m.Hidden
	p.last = Tick{m.Link, m.Now}
	p.hear(m.Link)
	p.Past.note(m.Result, nil, m.Now)
}

// OnNext takes a newer picture; what is shown stays.
func (p *Picture) OnNext(m Next) {
	p.Live, p.LiveWaits, p.Link, p.Now, p.States, p.Hidden = m.Result, m.Waits, m.Link, m.Now, m.States, m.Hidden
	for _, o := range p.LiveWaits.Overtakes {
		p.Overtakes = append(p.Overtakes, Overtake{p.Now, o.Model.Path, o.String()})
	}
	p.Overtakes = p.Overtakes[max(0, len(p.Overtakes)-maxOvertakes):]
	p.hear(m.Link)
	p.Log.Record(m.Events)
	if m.Jump {
		p.Past.forget()
	}
	p.Past.note(m.Result, m.Events, m.Now)
}

// OnTick takes what a look at the link told.
func (p *Picture) OnTick(m Tick) {
	if d := m.Now.Sub(p.last.Now).Seconds(); d > 0.5 && m.Link.Requests >= p.last.Link.Requests {
		now := float64(m.Link.Requests-p.last.Link.Requests) / d
		p.Rate = 0.5*p.Rate + 0.5*now
		if p.Rate < 0.05 {
			p.Rate = 0
		}
		p.last = m
	}
	if m.Link.File { // of when the picture is that is shown, whatever is being looked for
		m.Link.State, m.Now = p.Link.State, p.Now
	}
	p.Link, p.Now = m.Link, m.Now
	p.hear(m.Link)
}

// Hold pauses what is shown, or shows the newest again.
func (p *Picture) Hold() {
	if p.Paused, p.pausedAt = !p.Paused, p.Now; !p.Paused {
		p.Result, p.Waits, p.Behind = p.Live, p.LiveWaits, 0
	}
}

// hear takes what became of the link since it was last looked at.
func (p *Picture) hear(l backend.Link) {
	if n := min(l.Count-p.Heard, len(l.Happened)); n > 0 {
		p.Log.Record(l.Happened[len(l.Happened)-n:])
	}
	p.Heard = max(p.Heard, l.Count)
}

// AsOf is the moment that ages are counted to: now, unless the picture is of an earlier one.
func (p *Picture) AsOf() time.Time {
	at := p.Now
	if p.Paused {
		at = p.pausedAt
	}
	if lost := p.Result.Snapshot.LostSince; !lost.IsZero() && lost.Before(at) {
		at = lost
	}
	return at
}
