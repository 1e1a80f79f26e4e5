package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// EventLine is an event, or the hand-overs of a recipe within a moment in one.
type EventLine struct {
	*story.Event         // the newest of them
	First        int     // the number of the oldest of them
	from         string  // who held before; empty: it is no hand-over
	held         heldFor // by whoever held before
	count        int     // how many hand-overs
	gone         bool    // how it went by whoever held before is not known: it may have been lost
	sh           *Shown
}

type heldFor struct {
	d      time.Duration
	unseen bool
}

// together is how long hand-overs of a recipe are told in one line.
const together = 2 * time.Second

// EventLines are the events that are kept, the newest first, at most so many; most ≤ 0 means all. What one lets go of and
// another takes at the same moment is a hand-over, in one line.
func (sh *Shown) EventLines(keep func(*story.Event) bool, most int) (out []EventLine) {
	type span struct {
		path string
		at   int64
		gone bool
	}
	handed := map[span]int{}
	all := sh.Log.Events
	for i := len(all) - 1; i >= 0; i-- {
		e := &all[i].Event
		if !keep(e) {
			continue
		}
		l := EventLine{Event: e, First: all[i].Number, sh: sh}
		if i > 0 && handsOver(&all[i-1].Event, e) {
			before := &all[i-1]
			l.from, l.held, l.count, l.First = before.Owner, heldOf(&before.Event), 1, before.Number
			l.gone = before.What == story.EventGone
			i--
			at := span{e.Path, e.At.UnixNano() / int64(together), l.gone}
			if k, some := handed[at]; some {
				out[k].count++
				out[k].First = l.First
				continue
			}
			handed[at] = len(out)
		}
		if most > 0 && len(out) == most {
			return out
		}
		out = append(out, l)
	}
	return out
}

// handsOver reports whether of two events one after the other the first is that one lets go of what the second takes.
func handsOver(gone, got *story.Event) bool {
	if gone.Unsure || gone.Path != got.Path || !gone.At.Equal(got.At) || got.What != story.EventAcquired || !got.Kind.Waits() || got.Kind.Modes() || got.Kind.Pool() {
		return false
	}
	switch gone.What {
	case story.EventReleased, story.EventSessionClosed, story.EventLetGo, story.EventGone,
		story.EventRevokeObeyed:
		return gone.Owner != "" && got.Owner != "" && !gone.Unseen() && !got.Unseen()
	}
	return false
}

// EventGrid is the columns of events on w cells; those of one recipe have no path.
func (sh *Shown) EventGrid(w int, path bool) paint.Grid {
	return sh.Theme.Grid(w, eventsOn(w, path)...)
}

// eventsOn is the columns of events on w cells. What happened, and to whom, tells more than the whole path or how long was waited.
func eventsOn(w int, path bool) []paint.Column {
	where := max(20, min(48, w/4))
	cols := []paint.Column{{Title: "TIME", W: 8}, {Title: "PATH", W: where, Path: true}, {Title: "WHAT", Min: min(38, w-where-12)},
		{Title: "HELD", W: 8, Rank: 2, Right: true}, {Title: "WAITED", W: 8, Rank: 3, Right: true}}
	if !path {
		cols = append(cols[:1:1], cols[2:]...)
	}
	return cols
}

// Row draws an event.
func (l *EventLine) Row(g *paint.Grid, path bool) paint.Line {
	room := g.Width(1 + paint.BoolInt(path))
	spans := []paint.Span{paint.Dim.Text(l.sh.Clock(l.At)), paint.Plain.Text(term.Safe(l.Path)), l.style().Text(l.what(room)), paint.Plain.Text(l.heldText()), paint.Plain.Text(l.waitedText())}
	if !path {
		spans = append(spans[:1:1], spans[2:]...)
	}
	return g.Row(spans...)
}

// lastsBeside are the events of which it is told beside them how long something lasted.
var lastsBeside = map[string]bool{story.EventAcquired: true, story.EventReleased: true,
	story.EventSessionClosed: true, story.EventLetGo: true, story.EventGone: true}

// what says in a clause of about w cells what happened.
func (l *EventLine) what(w int) string {
	if l.from != "" {
		return l.handOver(w)
	}
	text := l.Told(l.sh.Clock)
	if !l.Unseen() && lastsBeside[l.What] { // how long stands in its column
		for _, lead := range []string{" after ", ", held ", ", led "} {
			text, _, _ = strings.Cut(text, lead)
		}
	}
	switch l.What {
	case story.EventAlarm:
		if found, alarm := strings.CutPrefix(text, "high: "); alarm {
			text = l.sh.Theme.Alert + " " + l.sh.ringOf(l.Path, found)
		}
	case story.EventAlarmOver:
		text = l.sh.ringOf(l.Path, text)
	}
	return fitName(term.Safe(text), term.Safe(l.Owner), w, l.sh.Theme.Ellipsis)
}

// ringOf is what is told of a deadlock with who is in it, of one that lasts; else what is told.
func (sh *Shown) ringOf(path, told string) string {
	before, _, ring := strings.Cut(told, "deadlock: ")
	if !ring {
		return told
	}
	for i := range sh.Waits.Cycles {
		c := &sh.Waits.Cycles[i]
		other := func(w waits.Wait) bool { return !strings.Contains(told, w.Waiter.Owner()) }
		if slices.ContainsFunc(c.Waits, func(w waits.Wait) bool { return w.Model.Path == path }) && !slices.ContainsFunc(c.Waits, other) {
			return before + "deadlock: " + sh.ring(c)
		}
	}
	return told
}

// handOver is who let go, or is gone, and who took it, both of them however narrow the room is.
func (l *EventLine) handOver(w int) string {
	from, to, count := term.Safe(l.from), term.Safe(l.Owner), ""
	arrow := " " + l.sh.Theme.Arrow + " "
	if l.gone {
		arrow = " is gone" + arrow
	}
	if l.count > 1 {
		count = fmt.Sprintf("   %d hand-overs in %s", l.count, say.Age(together))
		if term.Width(from+arrow+to+count) > w {
			count = fmt.Sprintf(" %s%d", l.sh.Theme.Times, l.count)
		}
	}
	room := w - term.Width(arrow+count)
	first := max(room/2, room-term.Width(to))
	from = term.CutName(from, first, l.sh.Theme.Ellipsis)
	return from + arrow + term.CutName(to, room-term.Width(from), l.sh.Theme.Ellipsis) + count
}

// fitName shortens a name in a text that is too long, in the name's middle: what happened to it is in sight then.
func fitName(text, name string, w int, ellipsis string) string {
	over := term.Width(text) - w
	if over <= 0 || name == "" {
		return text
	}
	return strings.Replace(text, name, term.CutName(name, max(12, term.Width(name)-over), ellipsis), 1)
}

func (l *EventLine) style() paint.Style {
	switch {
	case strings.HasPrefix(l.Text, "you: "):
		return paint.Bold
	case l.What == story.EventAlarm:
		return paint.Alert
	case alarming[l.What]:
		return paint.Warn
	}
	return paint.Plain
}

func (l *EventLine) heldText() string {
	held := l.heldBy()
	return l.sh.lasting(held.d, held.unseen)
}

// heldBy is how long it was held by whoever a line says lets go.
func (l *EventLine) heldBy() heldFor {
	if l.from == "" {
		return heldOf(l.Event)
	}
	return l.held
}

// heldOf is how long what an event tells of was held.
func heldOf(e *story.Event) heldFor {
	if e.Held == 0 {
		return heldFor{e.HeldMost, true}
	}
	return heldFor{e.Held, e.Unseen()}
}

func (l *EventLine) waitedText() string { return l.sh.lasting(l.Waited, l.Unseen()) }

// lasting is how long something lasted, in a column.
func (sh *Shown) lasting(d time.Duration, most bool) string {
	switch {
	case d <= 0:
		return "-"
	case most:
		return sh.Theme.AtMost + say.Age(d)
	}
	return say.Age(d)
}
