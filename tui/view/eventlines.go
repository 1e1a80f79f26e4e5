package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
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
			i--
			at := span{e.Path, e.At.UnixNano() / int64(together)}
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
	case story.EventReleased, story.EventGone, story.EventLost, story.EventRevokeObeyed:
		return gone.Owner != "" && got.Owner != "" && !gone.Unseen() && !got.Unseen()
	}
	return false
}

// eventColumns are those of events.
func eventColumns(path bool) []paint.Column {
	cols := []paint.Column{{Title: "TIME", W: 8}, {Title: "PATH", Min: 22, Path: true}, {Title: "WHAT", Min: 30}, {Title: "HELD", W: 8, Rank: 2, Right: true}, {Title: "WAITED", W: 8, Rank: 3, Right: true}}
	if !path {
		cols = append(cols[:1:1], cols[2:]...)
	}
	return cols
}

// EventGrid is the columns of events on w cells; those of one recipe have no path.
func (sh *Shown) EventGrid(w int, path bool) paint.Grid {
	return sh.Theme.Grid(w, eventsOn(w, path)...)
}

// eventsOn is the columns of events, those of w cells.
func eventsOn(w int, path bool) []paint.Column {
	cols := eventColumns(path)
	if path {
		cols[1].W, cols[1].Min = max(22, min(48, w*3/10)), 0
	}
	return cols
}

// Row draws an event.
func (l *EventLine) Row(g *paint.Grid, path bool) paint.Line {
	spans := []paint.Span{paint.Dim.Text(l.sh.Clock(l.At)), paint.Plain.Text(term.Safe(l.Path)), l.style().Text(l.what()), paint.Plain.Text(l.heldText()), paint.Plain.Text(l.waitedText())}
	if !path {
		spans = append(spans[:1:1], spans[2:]...)
	}
	return g.Row(spans...)
}

// what says in a clause what happened.
func (l *EventLine) what() string {
	if l.from == "" {
		text := l.Told(l.sh.Clock)
		if !l.Unseen() && (l.What == story.EventAcquired || l.What == story.EventReleased || l.What == story.EventGone) { // how long stands in its column
			for _, lead := range []string{" after ", ", held ", ", led "} {
				text, _, _ = strings.Cut(text, lead)
			}
		}
		if found, alarm := strings.CutPrefix(text, "high: "); alarm && l.What == story.EventAlarm {
			text = l.sh.Theme.Alert + " " + found
		}
		return term.Safe(text)
	}
	text := term.Safe(l.from) + " " + l.sh.Theme.Arrow + " " + term.Safe(l.Owner)
	if l.count > 1 {
		text += fmt.Sprintf("   %d hand-overs in %s", l.count, say.Age(together))
	}
	return text
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
