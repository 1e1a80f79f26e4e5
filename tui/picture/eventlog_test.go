package picture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
)

// What was told of grave findings outlives the comings and goings, up to a number, and keeps its place and its number.
func TestAlarmsOutliveComingsAndGoings(t *testing.T) {
	var l EventLog
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	at := noon
	tell := func(what, text string) {
		at = at.Add(time.Second)
		l.Record([]story.Event{{At: at, What: what, Text: text}})
	}
	tell(story.EventAlarm, "first")
	tell(story.EventLeft, "ordinary")
	for i := range 3 * maxEvents {
		tell(story.EventLeft, fmt.Sprint(i))
	}
	tell(story.EventAlarmOver, "over")
	if n := len(l.Events); n != maxEvents+1 || l.Events[0].Text != "first" || l.Events[0].Number != 0 || l.Events[n-1].Text != "over" || l.Events[n-1].Number != 3*maxEvents+2 {
		t.Fatalf("%d events, from %+v to %+v", n, l.Events[0], l.Events[n-1])
	}
	for i := range maxEvents + 2*maxAlarms {
		tell(story.EventAlarm, fmt.Sprint("alarm ", i))
	}
	if n := len(l.Events); n != maxEvents+maxAlarms || l.old != maxAlarms || l.Events[0].Text != fmt.Sprint("alarm ", maxAlarms) {
		t.Errorf("%d events, %d of them old, from %+v", n, l.old, l.Events[0])
	}
	l.Rewind(noon)
	if len(l.Events)+l.old != 0 {
		t.Error("what has not happened yet is kept")
	}
}

// Joins of one recipe with nothing else of it between are one line, whatever happens elsewhere.
func TestJoinsAreOneLine(t *testing.T) {
	at := time.Unix(1e6, 0)
	e := func(path, what, text string) story.Event {
		return story.Event{At: at, Path: path, What: what, Text: text}
	}
	var l EventLog
	l.Record([]story.Event{e("/l", story.EventJoined, "a joined"), e("/m", story.EventLeft, "m left"), e("/l", story.EventJoined, "b joined"),
		e("/l", story.EventAcquired, "a acquired"), e("/l", story.EventJoined, "c joined")})
	var got []string
	for i := range l.Events {
		got = append(got, l.Events[i].Text)
	}
	if want := "a joined, and 1 more|m left|a acquired|c joined"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
