package tui

import (
	"time"

	"github.com/zkscope/zkscope/inspect/story"
)

// eventLog keeps what happened, oldest first. Where there is too much, the oldest goes; what was told of grave findings stays
// for longer than what comes and goes all the time.
type eventLog struct {
	events []logged
	count  int // how many there ever were
	old    int // of those that are kept, how many of the first have only stayed for what they tell
}

// logged is an event with a number that no other one has.
type logged struct {
	story.Event
	number int
}

// How many events are kept, and how many of findings beyond these.
const (
	maxEvents = 2000
	maxAlarms = 500
)

// record adds events.
func (l *eventLog) record(events []story.Event) {
	for _, e := range events {
		if !l.joinEnding(e) {
			l.events = append(l.events, logged{e, l.count})
			l.count++
		}
	}
	over := len(l.events) - l.old - maxEvents
	if over <= 0 {
		return
	}
	stay := append([]logged(nil), l.events[:l.old]...)
	for _, e := range l.events[l.old : l.old+over] {
		if ofFinding[e.What] {
			stay = append(stay, e)
		}
	}
	stay = stay[max(0, len(stay)-maxAlarms):]
	l.events, l.old = append(stay, l.events[l.old+over:]...), len(stay)
}

// ofFinding are the events that tell of grave findings.
var ofFinding = map[string]bool{story.EventAlarm: true, story.EventAlarmOver: true}

// joinEnding adds to the line of a session's end what went with it a moment later.
func (l *eventLog) joinEnding(e story.Event) bool {
	if e.What != story.EventSessionEnded {
		return false
	}
	for i := len(l.events) - 1; i >= max(l.old, len(l.events)-100); i-- {
		if sum, ok := l.events[i].With(e); ok {
			l.events[i].Event = sum
			return true
		}
	}
	return false
}

// rewind drops what happened after a moment.
func (l *eventLog) rewind(to time.Time) {
	n := len(l.events)
	for n > 0 && l.events[n-1].At.After(to) {
		n--
	}
	l.events, l.old = l.events[:n], min(l.old, n)
}

// hear takes what became of the link since it was last looked at.
func (a *App) hear(l Link) {
	if n := min(l.Count-a.heard, len(l.Happened)); n > 0 {
		a.log.record(l.Happened[len(l.Happened)-n:])
	}
	a.heard = max(a.heard, l.Count)
}
