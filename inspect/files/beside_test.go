package files_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/script"
)

// anyRecording is what a Recorder wrote of a tree that changes, with what servers told now and then.
func anyRecording(t *rapid.T) []byte {
	s := script.StartOfRun(t)
	var buf bytes.Buffer
	rec, err := files.NewRecorder(&buf, s)
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	for range rapid.IntRange(1, 25).Draw(t, "moments") {
		s = script.Mutate(t, s)
		if rapid.IntRange(0, 3).Draw(t, "told") == 0 {
			s.Sessions = map[znode.SessionID]znode.Session{}
			for id := range znode.SessionID(5) {
				if rapid.Bool().Draw(t, "connected") {
					s.Sessions[id+1] = znode.Session{ID: id + 1, Addr: fmt.Sprintf("10.0.0.%d:1", id), Timeout: 4 * time.Second,
						Connected: &yes, ExpiresAt: s.TakenAt.Add(3 * time.Second)}
				}
			}
		}
		if err := rec.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes()
}

// shown is all that a recording tells at some of its states, read in an order: the pictures, what is wrong with the file,
// and whether moments were taken together.
func shown(t *rapid.T, text []byte, keep bool, at ...int) string {
	r, err := files.OpenFile(bytes.NewReader(text), "x")
	if err != nil {
		return err.Error()
	}
	if keep {
		r.Keep()
	}
	var out bytes.Buffer
	for _, i := range at {
		report, err := json.Marshal(story.NewReport(r.Decoded(i, model.Hints{})))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%d %s %v %q\n", i, report, r.Err(), r.Thinned())
	}
	return out.String()
}

// What is read beside the decoding is decoded to the same, moment for moment, also where moments are taken together on the
// way, where states are remembered, and where the file is damaged.
func TestWhatIsReadBesideIsDecodedToTheSame(t *testing.T) {
	for name, first := range map[string]int{"each moment": 1 << 30, "together": 20} {
		t.Run(name, func(t *testing.T) {
			files.SetPace(t, first, first/2)
			thinned := 0
			rapid.Check(t, func(rt *rapid.T) {
				text := anyRecording(rt)
				n := bytes.Count(text, []byte("\n"))
				if rapid.IntRange(0, 4).Draw(rt, "damage") == 0 {
					text = append(text, "{\"at\":1}\n{}\n"...)
				}
				at := rapid.SliceOfN(rapid.IntRange(0, n), 1, 3).Draw(rt, "states")
				keep := rapid.Bool().Draw(rt, "keep")
				files.SetBeside(t, 1<<30)
				want := shown(rt, text, keep, at...)
				thinned += strings.Count(want, "several moments were read as one")
				files.SetBeside(t, 1)
				if got := shown(rt, text, keep, at...); got != want {
					rt.Fatalf("read beside:\n%s\none after the other:\n%s", got, want)
				}
			})
			if (thinned > 0) != (name == "together") {
				t.Errorf("moments were taken together %d times", thinned)
			}
		})
	}
}

// A tape that panics does so where its reader can catch it.
func TestWhatPanicsBesideIsCaught(t *testing.T) {
	files.SetBeside(t, 1)
	r := files.NewRecording(brokenReel{})
	defer func() {
		if recover() != "broken" {
			t.Error("the panic is lost")
		}
	}()
	r.Decoded(3, model.Hints{})
}

// brokenReel is a history of which nothing can be read.
type brokenReel struct{}

func (brokenReel) First() *znode.Snapshot { return script.BigTree(1, 1) }
func (brokenReel) Tape() files.Tape       { return brokenTape{} }
func (brokenReel) Times() files.Times     { return nil }
func (brokenReel) Warnings() []string     { return nil }

type brokenTape struct{}

func (brokenTape) Next() error               { panic("broken") }
func (brokenTape) Now() time.Time            { return time.Time{} }
func (brokenTape) Ahead() time.Time          { return time.Time{} }
func (brokenTape) Snapshot() *znode.Snapshot { return brokenReel{}.First() }
func (brokenTape) Mark() files.Mark          { return nil }
func (brokenTape) Goto(files.Mark)           {}
