package files_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// outage is a run that loses its connection at 22:00:15 and has it again at 22:00:40, with what went meanwhile.
func outage(t *testing.T, meanwhile string, seen bool) (states []*znode.Snapshot) {
	s := script.New(t)
	s.Apply(`/l/lock-0000000001 owner=A data="web-1" age=1m
		/l/lock-0000000002 owner=B data="web-2" age=50s`)
	states = append(states, s.Snapshot())
	s.Apply("@now +15s\n@lost")
	if lost := s.Snapshot(); seen {
		lost.TakenAt = lost.TakenAt.Add(3 * time.Second) // it is noticed later than it began
		states = append(states, lost)
	}
	s.Apply("@now +25s\n@back\n" + meanwhile)
	states = append(states, s.Snapshot())
	s.Apply("@now +20s\n- /l/lock-0000000002")
	return append(states, s.Snapshot())
}

func recorded(t *testing.T, states []*znode.Snapshot) (text string, rec *files.Recording) {
	t.Helper()
	var buf bytes.Buffer
	w, err := files.NewRecorder(&buf, states[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states[1:] {
		if err := w.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	text = buf.String()
	if rec, err = files.ReadFile(&buf, "x"); err != nil {
		t.Fatal(err)
	}
	if rec.Len() != w.States() {
		t.Errorf("%d states were recorded and %d read", w.States(), rec.Len())
	}
	return text, rec
}

// played is all that stepping through a recording tells.
func played(rec *files.Recording) string {
	var all []story.Event
	for i := 1; i < rec.Len(); i++ {
		all = append(all, story.Diff(rec.Decoded(i-1, model.Hints{}), rec.Decoded(i, model.Hints{}))...)
	}
	return script.EventsText(all)
}

// A recording made over an outage tells it as whoever looked on: also where nobody looked while it
// lasted, or nothing changed.
func TestRecordingsCarryTheirGaps(t *testing.T) {
	const lost = "/ disconnected: the connection is lost: what happens from now on is not seen\n"
	const over = "/ gap: between 22:00:15 and 22:00:40 (not seen): no connection: what came and went is not known\n"
	const went = "/l gone: between 22:00:15 and 22:00:40 (not seen): web-1 is gone, held ≤1m40s\n" +
		"/l acquired: between 22:00:15 and 22:00:40 (not seen): web-2 acquired after 1m5s to 1m30s | waited 1m30s\n"
	for _, seen := range []bool{true, false} {
		text, rec := recorded(t, outage(t, "- /l/lock-0000000001", seen))
		if got, want := played(rec), lost+over+went+"/l gone: web-2 is gone, held ≤1m50s\n"; got != want {
			t.Errorf("noticed %v: played\n%s\nwant\n%s\nof\n%s", seen, got, want, text)
		}
		if !strings.Contains(text, `{"at":"2026-11-27T22:00:15Z","gap":"disconnected"}`) {
			t.Errorf("noticed %v: %s", seen, text)
		}
		if at := rec.IndexAt(rec.First().TakenAt.Add(20 * time.Second)); rec.At(at).LostSince.IsZero() {
			t.Errorf("noticed %v: in the gap the picture is not marked as old", seen)
		}
		if !rec.Last().LostSince.IsZero() || rec.Last().Gap.From.IsZero() {
			t.Errorf("noticed %v: at the end lost since %v, gap %v", seen, rec.Last().LostSince, rec.Last().Gap)
		}
		text, rec = recorded(t, outage(t, "", seen)[:map[bool]int{true: 3, false: 2}[seen]])
		if got, want := played(rec), lost+over; got != want || !rec.Last().LostSince.IsZero() {
			t.Errorf("nothing changed, noticed %v: played\n%s\nwant\n%s\nof\n%s", seen, got, want, text)
		}
	}
}

// What a recording that was written elsewhere, or by an earlier version, lets end a gap: whatever line comes next.
func TestWhateverIsReadAgainEndsAGap(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"path":"/l/lock-0000000001","owner":"0x1"}`+"\n"+
		`{"at":"2026-11-27T22:00:10Z","gap":"disconnected"}`+"\n"+
		`{"at":"2026-11-27T22:00:35Z","del":"/l/lock-0000000001"}`+"\n")
	if got := played(rec); !strings.Contains(got, "between 22:00:10 and 22:00:35 (not seen): 0x1 is gone") {
		t.Error(got)
	}
}

// States that were written at one time are one moment: whoever steps through a recording sees what was seen.
func TestMoments(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"path":"/l/lock-0000000001","owner":"0x1"}`+"\n"+
		`{"path":"/l/lock-0000000002","owner":"0x2"}`+"\n"+
		`{"at":"2026-11-27T22:00:10Z","del":"/l/lock-0000000001"}`+"\n"+
		`{"at":"2026-11-27T22:00:10Z","del":"/l/lock-0000000002"}`+"\n"+
		`{"at":"2026-11-27T22:00:20Z","put":{"path":"/x"}}`+"\n")
	var on, back []int
	for i := 0; ; {
		next := rec.Moment(i, 1)
		if on = append(on, i); next == i {
			break
		}
		i = next
	}
	for i := rec.Len() - 1; ; {
		before := rec.Moment(i, -1)
		if back = append(back, i); before == i {
			break
		}
		i = before
	}
	if !slices.Equal(on, []int{0, 2, 3}) || !slices.Equal(back, []int{3, 2, 0}) || rec.Moment(1, 1) != 2 ||
		rec.Moment(1, -1) != 0 {
		t.Errorf("on %v, back %v", on, back)
	}
	if got := script.EventsText(story.Diff(rec.Decoded(0, model.Hints{}),
		rec.Decoded(2, model.Hints{}))); strings.Contains(got, "acquired") {
		t.Errorf("the second never held:\n%s", got)
	}
}
