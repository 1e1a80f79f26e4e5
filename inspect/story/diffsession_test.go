package story_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// One session's end is a line, whatever it took with it, behind the locks and leaderships that were lost.
func TestTheEndOfASessionIsOneLine(t *testing.T) {
	text := `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","complete":true}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001","owner":"0x1","text":"web-1"}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000002-lock-0000000002","owner":"0x2","text":"web-2"}
{"path":"/locks/b/_c_00000000-0000-4000-8000-000000000003-lock-0000000001","owner":"0x2","text":"web-2"}
{"path":"/locks/b/_c_00000000-0000-4000-8000-000000000004-lock-0000000002","owner":"0x1","text":"web-1"}
`
	var b strings.Builder
	b.WriteString(text)
	for i := range 4000 {
		fmt.Fprintf(&b, "{\"path\":\"/members/%03d/m-%d\",\"owner\":\"0x1\",\"text\":\"web-1\"}\n{\"path\":\"/members/%03d/n-%d\",\"owner\":\"0x2\"}\n", i%100, i, i%100, i)
		fmt.Fprintf(&b, "{\"path\":\"/alone/%d/m\",\"owner\":\"0x1\",\"text\":\"web-1\"}\n", i)
	}
	prev := inspect.Decode(script.SnapshotFrom(t, b.String()), nil, model.Hints{})
	snap := prev.Snapshot
	for _, p := range znode.EphemeralsOf(snap, map[znode.SessionID]bool{1: true}) {
		snap = snap.WithDeleted(p)
	}
	after := *snap
	after.TakenAt = after.TakenAt.Add(time.Second)
	next := inspect.Decode(&after, prev, model.Hints{})
	events := story.Diff(prev, next)
	var lines []string
	for _, e := range events {
		lines = append(lines, e.What+" "+e.Path+": "+e.Text)
	}
	all := strings.Join(lines, "\n")
	if len(events) > 6 || !strings.HasPrefix(lines[0], "gone /locks/a: web-1") ||
		!strings.Contains(lines[len(lines)-1],
			"session-ended /: web-1 (0x1): the session has ended, and 8001 more claims went with it") {
		t.Errorf("%d events:\n%s", len(events), all[:min(len(all), 2000)])
	}
	more := events[len(events)-1]
	if sum, ok := more.With(story.Event{At: more.At.Add(time.Second), What: story.EventSessionEnded, Session: 1,
		Path: "/x/y", Count: 9}); !ok || sum.Count != 8010 || sum.Path != "/" {
		t.Errorf("%+v", sum)
	}
	if _, ok := more.With(story.Event{At: more.At.Add(time.Minute), What: story.EventSessionEnded, Session: 1}); ok {
		t.Error("a later end is another one")
	}
}

// Who lets many claims go and keeps one has not ended.
func TestASessionThatStillHoldsHasNotEnded(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"zkscope\":1,\"kind\":\"snapshot\",\"takenAt\":\"2026-11-27T22:00:00Z\",\"complete\":true}\n")
	for i := range 10 {
		fmt.Fprintf(&b, "{\"path\":\"/locks/%d/_c_00000000-0000-4000-8000-000000000001-lock-0000000001\",\"owner\":\"0x1\"}\n", i)
	}
	prev := inspect.Decode(script.SnapshotFrom(t, b.String()), nil, model.Hints{})
	snap := prev.Snapshot
	for _, p := range znode.EphemeralsOf(snap, map[znode.SessionID]bool{1: true})[1:] {
		snap = snap.WithDeleted(p)
	}
	for _, e := range story.Diff(prev, inspect.Decode(snap, prev, model.Hints{})) {
		if e.What == story.EventSessionEnded {
			t.Errorf("%+v", e)
		}
	}
}

// Claims that join one recipe within a moment are told in one line, by the first of them.
func TestJoinsOfOneRecipeAreOneEvent(t *testing.T) {
	at := time.Unix(1e6, 0)
	join := func(after time.Duration, path, text string) story.Event {
		return story.Event{At: at.Add(after), Path: path, What: story.EventJoined, Text: text}
	}
	sum, ok := join(0, "/l", "a joined, 2nd in line"), true
	for i := 1; i <= 3 && ok; i++ {
		sum, ok = sum.With(join(time.Duration(i)*time.Second, "/l", "b joined, 3rd in line"))
	}
	if !ok || sum.Count != 4 || sum.Text != "a joined, 2nd in line, and 3 more" || !sum.At.Equal(at) {
		t.Errorf("%v %+v", ok, sum)
	}
	for _, other := range []story.Event{join(0, "/m", "x"), join(time.Minute, "/l", "x"), {At: at, Path: "/l", What: story.EventLeft}} {
		if got, ok := sum.With(other); ok || got.Text != sum.Text {
			t.Errorf("%+v", got)
		}
	}
}
