package files_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// agree fails when a line that is taken apart quickly says something else than encoding/json finds in it.
func agree(t interface{ Fatalf(string, ...any) }, q *files.Quick, raw []byte) (taken bool) {
	got := q.Read(raw)
	if got == nil {
		return false
	}
	var want files.FileLine
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatalf("%s is damaged, and was taken: %v", raw, err)
	}
	if got.At != nil && want.At != nil {
		if !got.At.Equal(*want.At) {
			t.Fatalf("%s: %v, want %v", raw, got.At, want.At)
		}
		got.At = want.At
	}
	if !reflect.DeepEqual(got, &want) {
		t.Fatalf("%s:\n%+v, want\n%+v", raw, got, want)
	}
	return true
}

// What a Recorder writes is taken apart quickly, but for what is unusual, and to the same.
func TestQuickLinesSayTheSame(t *testing.T) {
	var q files.Quick
	lines, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := script.StartOfRun(t)
		var buf bytes.Buffer
		rec, err := files.NewRecorder(&buf, s)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			s = script.Mutate(t, s)
			s.Sessions = map[znode.SessionID]znode.Session{1: {ID: 1, Addr: "10.0.0.1:5", Timeout: time.Second,
				ExpiresAt: s.TakenAt.Add(time.Second)}, 2: {ID: 2}}
			s.Watches = map[string][]znode.SessionID{"/a": {1, 2}, "/b": {}}
			if err := rec.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		_, rest, _ := bytes.Cut(buf.Bytes(), []byte("\n"))
		for raw := range bytes.Lines(rest) {
			lines++
			switch {
			case agree(t, &q, bytes.TrimSpace(raw)):
				taken++
			case bytes.Contains(raw, []byte(`,"sessions":`)):
				t.Fatalf("sessions as servers tell them were left to encoding/json: %s", raw)
			}
		}
	})
	if taken < lines/2 {
		t.Errorf("%d of %d lines were taken", taken, lines)
	}
}

// Whatever stands in a line, it is read as encoding/json reads it, or left to it.
func FuzzQuick(f *testing.F) {
	for _, text := range []string{
		`{"path":"/a","owner":"0x1","czxid":1,"version":-3,"data":"MQ=="}`, `{"path":"/a","czxid":01}`,
		`{"path":"/a","path":"/b"}`,
		`{"at":"2026-11-27T22:00:01.25Z","put":{"path":"/x","numChildren":2147483648}}`,
		`{"at":"2026-11-27T22:00:01+01:00","del":"/x"}`,
		`{"at":"2026-11-27T22:00:01Z","sessions":[{"id":"0x1","connected":null,"expiresAt":null},{}]}`,
		`{"at":"2026-11-27T2:00:01Z","del":"/"}`,
		`{"at":"2026-11-27T22:00:01Z","watches":{"/a":["0x1"],"/a":[]}}`, `{"PATH":"/a"}`, "{\"path\":\"\xff\"}",
		`{"path":"/a",}`, `{}`, `{"version":-0}`, `{"at":""}`, `{"at":"2026-11-27T22:00:01Z","sessions":[]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var q files.Quick
		agree(t, &q, raw)
	})
}

// Every state of a long recording is the same by itself as in the order of time, and when it is come back
// to; few are kept.
func TestALongRecordingIsReadAnywhere(t *testing.T) {
	var b strings.Builder
	b.WriteString(script.FileHead)
	start := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	const steps = 40_000
	for i := range steps {
		at := start.Add(time.Duration(i/3) * time.Second).Format(time.RFC3339Nano)
		fmt.Fprintf(&b, `{"at":"%s","put":{"path":"/n%d","text":"%d"}}`+"\n", at, i%97, i)
	}
	open := func(keep bool) *files.Recording {
		rec, err := files.OpenFile(strings.NewReader(b.String()), "file")
		if err != nil {
			t.Fatal(err)
		}
		if keep {
			rec.Keep()
		}
		return rec
	}
	kept := open(true)
	if n, all := kept.Known(); n != 1 || all {
		t.Fatalf("%d states are known of what was not read", n)
	}
	kept.At(steps)
	for _, i := range []int{steps, steps - 1, 17, 39_000, 20_011, 20_010, 513, 512, 511, 0, 1} {
		s := kept.At(i)
		for j := i; j > max(0, i-97); j-- {
			if n := s.At(fmt.Sprintf("/n%d", (j-1)%97)); n == nil || string(n.Data) != fmt.Sprint(j-1) {
				t.Fatalf("state %d: %+v after step %d", i, n, j)
			}
		}
		if i > 0 && (!s.TakenAt.Equal(start.Add(time.Duration((i-1)/3)*time.Second)) ||
			!kept.TimeOf(i).Equal(s.TakenAt)) {
			t.Errorf("state %d is of %v, and said to be of %v", i, s.TakenAt, kept.TimeOf(i))
		}
		if got := kept.Decoded(i, model.Hints{}); got.Snapshot.At("/n1") != nil &&
			string(got.Snapshot.At("/n1").Data) != string(s.At("/n1").Data) {
			t.Errorf("state %d was decoded as another", i)
		}
	}
	if n := len(kept.Shown.Marks); n > files.MarkMost {
		t.Errorf("%d states are remembered", n)
	}
	fresh := open(false)
	if at := fresh.IndexAt(start.Add(100 * time.Second)); at != 303 || fresh.Len() != steps+1 ||
		fresh.IndexAt(start.Add(-1)) != -1 {
		t.Errorf("%d of %d", at, fresh.Len())
	}
	if fresh.Last(); len(fresh.Shown.Marks) != 1 {
		t.Error("states are remembered that nobody goes back to")
	}
}
