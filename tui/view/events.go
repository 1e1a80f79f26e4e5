package view

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// eventsView is what changed, newest first: of everything, or of one recipe with its hold and wait times.
func eventsView() *View {
	return &View{Name: "events", Key: "5", What: "what changed, newest first, with how long claims were held and waited for",
		Title: func(sh *Shown, p *Page) string {
			switch {
			case p.Arg != "":
				return "events of " + term.Safe(p.Arg) + sh.reach(p.Arg)
			case sh.Filter.Text != "":
				return "events with " + term.Safe(sh.Filter.Text) + ", as the recipes are filtered" + sh.reach("")
			}
			return "events" + sh.reach("")
		},
		Fill:   fillEvents,
		cols:   func(p *Page, w int) []paint.Column { return eventsOn(w, p.Arg == "") },
		orders: []string{"time", "path", "what", "held", "waited"},
		empty: func(sh *Shown, _ *Page) string {
			return "nothing has changed since the console started; what happened before is not known"
		}}
}

// reach says how far back events go, of one recipe or of all; of a recording they are those of what was passed.
func (sh *Shown) reach(path string) string {
	began, whole := sh.Past.Began(), sh.Log.Whole()
	if path != "" {
		whole = sh.Log.Reaches(path)
	}
	switch {
	case sh.Link.File || began.IsZero():
		return ""
	case whole.After(began):
		return " since " + sh.dayClock(began) + ", all of them since " + sh.dayClock(whole)
	}
	return " since " + sh.dayClock(began)
}

// dayClock is a time, with its day where that may be another one.
func (sh *Shown) dayClock(at time.Time) string {
	if sh.Now.Sub(at) < 12*time.Hour {
		return sh.Clock(at)
	}
	return at.In(sh.Location).Format("01-02 15:04:05")
}

func fillEvents(sh *Shown, p *Page) []Item {
	var out []Item
	if p.Arg != "" {
		out = sh.spans(p.Arg)
	}
	lines := sh.EventLines(func(e *story.Event) bool {
		return p.Arg == "" && KeepsEvent(&sh.Filter, e) || e.Path == p.Arg
	}, 0)
	refs := make([]*EventLine, len(lines))
	for i := range lines {
		refs[i] = &lines[i]
	}
	for _, l := range inOrder(p, refs, (*EventLine).id, (*EventLine).rank) {
		out = append(out, sh.eventItem(l, p.Arg == ""))
	}
	return out
}

// alarming are the events that stand out.
var alarming = map[string]bool{story.EventLost: true, "deadlock": true, story.EventDisconnected: true, story.EventGap: true,
	"expired": true, "new-session": true, "zxid-back": true, "given-up": true}

// id tells a line from others.
func (l *EventLine) id() string { return "e" + strconv.Itoa(l.First) }

// rank is what a line is sorted by.
func (l *EventLine) rank(by string) rank {
	switch by {
	case "path":
		return rank{text: l.Path}
	case "what":
		return rank{text: l.What}
	case "held":
		return rank{by: -int64(l.heldBy().d)}
	}
	return rank{by: -int64(l.Waited)}
}

func (sh *Shown) eventItem(l *EventLine, path bool) Item {
	return Item{ID: l.id(), text: l.Path + " " + l.Told(sh.Clock) + " " + l.from + " " + l.What + " " + string(l.Kind), Past: true, To: target{Recipe: l.Path, Claim: l.Claim},
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			g := sh.EventGrid(w, path)
			return l.Row(&g, path)
		}}
}

// spans says how long the claims of a recipe were held and waited for, as far as it was seen.
func (sh *Shown) spans(path string) []Item {
	var held, waited spread
	for i := range sh.Log.Events {
		if e := &sh.Log.Events[i]; e.Path == path {
			held.add(e.Held, e.Unseen())
			waited.add(e.Waited, e.Unseen())
		}
	}
	return []Item{tell(paint.Plain, "held    "+held.String()), tell(paint.Plain, "waited  "+waited.String()), tell(paint.Plain, "")}
}

// spread is how long something took, each time that it was seen; what ended while nobody saw it is only counted.
type spread struct {
	exact  []time.Duration
	unseen int
}

func (s *spread) add(d time.Duration, unseen bool) {
	switch {
	case d <= 0:
	case unseen:
		s.unseen++
	default:
		s.exact = append(s.exact, d)
	}
}

// String is one line.
func (s *spread) String() string {
	out := percentiles(s.exact)
	if s.unseen > 0 {
		out += "; " + paint.Number(s.unseen) + " more ended without a connection: how long they took is not counted"
	}
	return out
}

// percentiles says in one line how a number of durations spread.
func percentiles(d []time.Duration) string {
	if len(d) == 0 {
		return "not once seen from beginning to end yet"
	}
	slices.Sort(d)
	at := func(p int) string { return say.Age(d[(len(d)*p+99)/100-1]) }
	return fmt.Sprintf("p50 %s  p95 %s  max %s  (n=%s)", at(50), at(95), say.Age(d[len(d)-1]), paint.Number(len(d)))
}
