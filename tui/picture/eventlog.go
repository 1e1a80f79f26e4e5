package picture

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
)

// EventLog keeps what happened, oldest first. Where there is too much, the oldest goes; what was told of grave findings, and
// the last of what happened to each recipe, stays for longer than what comes and goes all the time.
type EventLog struct {
	Events []logged
	count  int                  // how many there ever were
	old    int                  // of those that are kept, how many of the first have only stayed for what they tell
	lost   map[string]time.Time // of the recipes of which some went, when the last of these was
	floor  time.Time            // the same of all others
}

// logged is an event with a number that no other one has.
type logged struct {
	story.Event
	Number int
	more   []story.Event // further claims that it tells of, where those are told apart
}

// each calls a function with the event of every claim that a line tells of.
func (l *logged) each(do func(*story.Event)) {
	do(&l.Event)
	for i := range l.more {
		do(&l.more[i])
	}
}

// How many events are kept, and how many beyond these: of findings, and of each recipe's last.
const (
	maxEvents = 2000
	maxOld    = 2000
	lastOf    = 20  // of a recipe
	trimEvery = 200 // how many more there may be before any go
	lostMost  = 10_000
	moreMost  = 500 // further claims of one line
)

// Record adds events.
func (l *EventLog) Record(events []story.Event) {
	for _, e := range events {
		if !l.joinEnding(e) && !l.joinJoined(e) {
			l.Events = append(l.Events, logged{Event: e, Number: l.count})
			l.count++
		}
	}
	if len(l.Events)-l.old >= maxEvents+trimEvery {
		l.trim()
	}
}

// trim lets go of what is too old, and of what had stayed and is not among the last of its recipe any more.
func (l *EventLog) trim() {
	from := len(l.Events) - maxEvents
	stay := make([]logged, 0, maxOld)
	later := map[string]int{} // of each recipe, how many are later
	for i := len(l.Events) - 1; i >= 0; i-- {
		e := &l.Events[i]
		if later[e.Path]++; i >= from {
			continue
		}
		if len(stay) < maxOld && (ofFinding[e.What] || later[e.Path] <= lastOf) {
			stay = append(stay, *e)
		} else {
			l.lose(e)
		}
	}
	slices.Reverse(stay)
	l.Events, l.old = append(stay, l.Events[from:]...), len(stay)
}

// lose notes that an event is not kept.
func (l *EventLog) lose(e *logged) {
	if len(l.lost) > lostMost {
		for _, at := range l.lost {
			if at.After(l.floor) {
				l.floor = at
			}
		}
		l.lost = nil
	}
	if l.lost == nil {
		l.lost = map[string]time.Time{}
	}
	if e.At.After(l.lost[e.Path]) {
		l.lost[e.Path] = e.At
	}
}

// Reaches says from when on everything is kept that happened to a recipe; zero: from the beginning.
func (l *EventLog) Reaches(path string) time.Time {
	if at := l.lost[path]; at.After(l.floor) {
		return at
	}
	return l.floor
}

// Whole says from when on everything is kept that happened to any recipe; zero: from the beginning.
func (l *EventLog) Whole() (at time.Time) {
	at = l.floor
	for _, lost := range l.lost {
		if lost.After(at) {
			at = lost
		}
	}
	return at
}

// ofFinding are the events that tell of grave findings.
var ofFinding = map[string]bool{story.EventAlarm: true, story.EventAlarmOver: true}

// joinEnding adds to the line of a session's end what went with it a moment later.
func (l *EventLog) joinEnding(e story.Event) bool {
	if e.What != story.EventSessionEnded {
		return false
	}
	for i := len(l.Events) - 1; i >= max(l.old, len(l.Events)-100); i-- {
		if sum, ok := l.Events[i].With(e); ok {
			l.Events[i].Event = sum
			return true
		}
	}
	return false
}

// joinJoined adds a claim that joined a recipe to the line of the one that joined it last, where nothing has happened to the
// recipe since.
func (l *EventLog) joinJoined(e story.Event) bool {
	for i := len(l.Events) - 1; i >= max(l.old, len(l.Events)-100) && e.What == story.EventJoined; i-- {
		if l.Events[i].Path != e.Path {
			continue
		}
		sum, ok := l.Events[i].With(e)
		if ok {
			l.Events[i].Event = sum
			if len(l.Events[i].more) < moreMost {
				l.Events[i].more = append(l.Events[i].more, e)
			}
		}
		return ok
	}
	return false
}

// Rewind drops what happened after a moment.
func (l *EventLog) Rewind(to time.Time) {
	n := len(l.Events)
	for n > 0 && l.Events[n-1].At.After(to) {
		n--
	}
	l.Events, l.old = l.Events[:n], min(l.old, n)
}
