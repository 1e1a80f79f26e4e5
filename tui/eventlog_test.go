package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
)

// What was told of grave findings outlives the comings and goings, up to a number, and keeps its place and its number.
func TestAlarmsOutliveComingsAndGoings(t *testing.T) {
	var l eventLog
	at := noon
	tell := func(what, text string) {
		at = at.Add(time.Second)
		l.record([]story.Event{{At: at, What: what, Text: text}})
	}
	tell(story.EventAlarm, "first")
	tell(story.EventJoined, "ordinary")
	for i := range 3 * maxEvents {
		tell(story.EventJoined, fmt.Sprint(i))
	}
	tell(story.EventAlarmOver, "over")
	if n := len(l.events); n != maxEvents+1 || l.events[0].Text != "first" || l.events[0].number != 0 || l.events[n-1].Text != "over" || l.events[n-1].number != 3*maxEvents+2 {
		t.Fatalf("%d events, from %+v to %+v", n, l.events[0], l.events[n-1])
	}
	for i := range maxEvents + 2*maxAlarms {
		tell(story.EventAlarm, fmt.Sprint("alarm ", i))
	}
	if n := len(l.events); n != maxEvents+maxAlarms || l.old != maxAlarms || l.events[0].Text != fmt.Sprint("alarm ", maxAlarms) {
		t.Errorf("%d events, %d of them old, from %+v", n, l.old, l.events[0])
	}
	l.rewind(noon)
	if len(l.events)+l.old != 0 {
		t.Error("what has not happened yet is kept")
	}
}

// A grave finding is told as it comes and as it goes, and stands out.
func TestTheLogTellsOfGraveFindings(t *testing.T) {
	s := calmTown()
	d := drive(t, s, 140, 40)
	again := "/locks/nested/00000000000000000000000000000002__lock__0000000003"
	s.add("/locks/nested/00000000000000000000000000000001__lock__0000000001", sA, 0, "a").add("/locks/nested/00000000000000000000000000000002__lock__0000000002", sB, 0, "b")
	d.Sync().Press("5").SeeNot("high:")
	s.add(again, sB, 0, "b")
	d.Wait(time.Second).Sync().See("high: phantom-claim: b stands in line more than once")
	s.del(again)
	d.Wait(time.Second).Sync().See("phantom-claim is no more")
}
