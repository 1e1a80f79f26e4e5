package files_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// busyRecording is what a Recorder wrote of 1,000 locks with three claims each, of which five change hands at every one
// of so many moments.
func busyRecording(tb testing.TB, moments int) []byte {
	s := script.BigTree(1000, 3)
	var out bytes.Buffer
	rec, err := files.NewRecorder(&out, s)
	if err != nil {
		tb.Fatal(err)
	}
	var e znode.Editor
	for i := range moments {
		e.Begin(s.Base, s.Root)
		for j := range 5 {
			n := (i*5 + j*211) % 1000
			dir := fmt.Sprintf("/group-%d/locks/resource-%d", n/1000, n)
			kids := s.At(dir).Children
			gone, next := kids[0], *kids[len(kids)-1]
			e.Remove(znode.Join(dir, gone.Name))
			p := layout.ParseName(next.Name)
			next.Name = next.Name[:len(next.Name)-10] + layout.SequenceText(int32(p.Seq)+1)
			next.Czxid, next.Ctime = znode.Zxid(1e6+i*5+j), znode.Millis(1e12+i*50)
			e.Put(znode.Join(dir, next.Name), &next)
		}
		after := *s
		after.Root, after.TakenAt = e.Tree(), s.TakenAt.Add(50*time.Millisecond)
		s = &after
		if err := rec.Add(s); err != nil {
			tb.Fatal(err)
		}
	}
	return out.Bytes()
}

// BenchmarkRecording reads a recording: its lines counted, its last state read, that state decoded with all that led to
// it; beside encoding/json, which only takes the lines apart.
func BenchmarkRecording(b *testing.B) {
	text := busyRecording(b, 5000)
	for name, read := range map[string]func(*files.Recording){
		"count":  func(r *files.Recording) { r.Len() },
		"read":   func(r *files.Recording) { r.Last() },
		"decode": func(r *files.Recording) { r.Decoded(r.Len()-1, model.Hints{}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r, err := files.OpenFile(bytes.NewReader(text), "x")
				if err != nil {
					b.Fatal(err)
				}
				if read(r); r.Err() != nil {
					b.Fatal(r.Err())
				}
			}
		})
	}
	b.Run("json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for raw := range bytes.Lines(text) {
				var l files.FileLine
				if err := json.Unmarshal(raw, &l); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// TestTheEndOfARecordingIsWhatSteppingThroughItShows reads the last state at once, where what is passed is not weighed,
// and moment by moment, where each is.
func TestTheEndOfARecordingIsWhatSteppingThroughItShows(t *testing.T) {
	text := busyRecording(t, 300)
	open := func() *files.Recording {
		r, err := files.OpenFile(bytes.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	at, step := open(), open()
	n, graded, moments := at.Len(), 0, 0
	var res *model.Result
	for i := range n {
		if i+1 < n && at.TimeOf(i).Equal(at.TimeOf(i+1)) {
			continue // of one moment
		}
		res = inspect.Decode(step.At(i), res, model.Hints{})
		if moments++; moments%50 != 0 && i < n-1 {
			continue
		}
		got := open().Decoded(i, model.Hints{})
		if a, b := reportText(t, res), reportText(t, got); a != b {
			t.Fatalf("state %d of %d, stepped through:\n%s\nread at once:\n%s", i, n, a, b)
		}
		for m := range got.Models.All() {
			if m.Finding(model.CodePhantomClaim) != nil || m.Finding(model.CodeSelfWait) != nil {
				graded++
			}
		}
	}
	if graded == 0 {
		t.Error("no finding's weight depends on what sessions do elsewhere: nothing is compared")
	}
}

// reportText is all that is told of a picture.
func reportText(t *testing.T, res *model.Result) string {
	t.Helper()
	text, err := json.MarshalIndent(story.NewReport(res), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
