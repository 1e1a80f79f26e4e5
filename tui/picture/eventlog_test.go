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
	if n := len(l.Events); n > maxEvents+trimEvery+1 || l.Events[0].Text != "first" || l.Events[0].Number != 0 || l.Events[n-1].Text != "over" || l.Events[n-1].Number != 3*maxEvents+2 {
		t.Fatalf("%d events, from %+v to %+v", n, l.Events[0], l.Events[n-1])
	}
	for i := range maxEvents + 2*maxOld {
		tell(story.EventAlarm, fmt.Sprint("alarm ", i))
	}
	if n := len(l.Events); n > maxEvents+trimEvery+maxOld || l.old != maxOld || l.Events[n-1].Text != fmt.Sprint("alarm ", maxEvents+2*maxOld-1) {
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

// A lock that changes hands all the time does not take the past of others with it; what is kept of it is said.
func TestHotRecipesDoNotEraseThePastOfOthers(t *testing.T) {
	var l EventLog
	at := time.Unix(1e6, 0)
	tell := func(path, text string) {
		at = at.Add(time.Millisecond)
		l.Record([]story.Event{{At: at, Path: path, What: story.EventAcquired, Text: text}})
	}
	for i := range lastOf {
		tell("/locks/calm", fmt.Sprint("calm ", i))
	}
	for i := range 20 * maxEvents {
		tell(fmt.Sprint("/locks/hot", i%10), "hot")
	}
	calm := 0
	for i := range l.Events {
		if l.Events[i].Path == "/locks/calm" {
			calm++
		}
		if i > 0 && l.Events[i].At.Before(l.Events[i-1].At) {
			t.Fatal("events are not in order")
		}
	}
	if calm != lastOf || len(l.Events) > maxEvents+maxOld+trimEvery {
		t.Errorf("%d of %d are kept, of %d", calm, lastOf, len(l.Events))
	}
	if !l.Reaches("/locks/calm").IsZero() || l.Reaches("/locks/hot0").IsZero() {
		t.Errorf("all is kept since %v and %v", l.Reaches("/locks/calm"), l.Reaches("/locks/hot0"))
	}
	for i := range lostMost + maxOld + 2*maxEvents {
		tell(fmt.Sprint("/many/", i), "once")
	}
	if len(l.lost) > lostMost+1 || l.Reaches("/many/0").IsZero() {
		t.Errorf("%d paths, %v", len(l.lost), l.Reaches("/many/0"))
	}
}
