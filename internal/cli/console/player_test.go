package console

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/limits"
)

// Where a jump in a recording took moments together, the console is told, as whoever reads the file otherwise is.
// To read millions of claims one by one takes more than a minute with the race detector: that is for the long tests.
func TestAPlayerTellsThatMomentsWereTakenTogether(t *testing.T) {
	counts := map[int]bool{300: false}
	if os.Getenv("ZKSCOPE_LONG") != "" {
		counts[3600] = true
	}
	for n, thins := range counts {
		var b strings.Builder
		b.WriteString(`{"zkscope":1,"kind":"recording","takenAt":"2026-11-28T19:00:00Z","root":"/","complete":true}` + "\n" + `{"path":"/l","czxid":1}` + "\n")
		for i := range n {
			fmt.Fprintf(&b, `{"at":"2026-11-28T19:%02d:%02d.%02d0Z","put":{"path":"/l/lock-%010d","czxid":%d,"owner":"0x%x"}}`+"\n", i/6000, i/100%60, i%100, i, i+2, i+1)
		}
		file := filepath.Join(t.TempDir(), "grows.jsonl")
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		in := &look.Input{From: file, Warn: &b, Keep: func(f *os.File) { t.Cleanup(func() { f.Close() }) }}
		rec, i, err := in.Recording(false)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlayer(rec, i, file, limits.Terms{})
		if _, link := p.Take(); link.Count != 0 || p.Thinned() != "" {
			t.Errorf("nothing was decoded yet, and %d moments were taken together: %+v", n, link.Happened)
		}
		p.Before(model.Hints{})
		_, link := p.Take()
		if told := link.Count == 1 && link.Happened[0].Text == p.Thinned() && p.Thinned() != ""; told != thins {
			t.Errorf("of %d moments: %+v, %q", n, link.Happened, p.Thinned())
		}
		if link := p.link(0, "several moments were read as one"); link.Count != 1 || link.Happened[0].Text != "several moments were read as one" || !link.File {
			t.Errorf("where jumps took moments together: %+v", link)
		}
	}
}

// A player goes to the last moment that is not after a time, and tells the story of a recipe wherever it stands.
func TestAPlayerGoesToATimeAndTellsAStory(t *testing.T) {
	text := `{"zkscope":1,"kind":"recording","takenAt":"2026-11-28T19:00:00Z","root":"/","complete":true}` + "\n" + `{"path":"/locks","czxid":1}` + "\n" + `{"path":"/locks/l","czxid":2}` + "\n"
	for i := range 3 {
		text += fmt.Sprintf(`{"at":"2026-11-28T19:00:%02dZ","put":{"path":"/locks/l/lock-%010d","czxid":%d,"owner":"0x%x","data":"d2Vi"}}`+"\n", 10*i+10, i, i+3, i+1)
	}
	text += `{"at":"2026-11-28T19:00:45Z","del":"/locks/l/lock-0000000000"}` + "\n"
	file := filepath.Join(t.TempDir(), "night.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in := &look.Input{From: file, Warn: os.Stderr, Keep: func(f *os.File) { t.Cleanup(func() { f.Close() }) }}
	rec, i, err := in.Recording(false)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayer(rec, i, file, limits.Terms{})
	for _, x := range []struct{ to, is string }{{"19:00:25", "19:00:20"}, {"19:00:30", "19:00:30"}, {"18:00:00", "19:00:00"}, {"23:00:00", "19:00:45"}} {
		to, _ := time.Parse("2006-01-02T15:04:05", "2026-11-28T"+x.to)
		if p.Seek(to); p.Now().Format("15:04:05") != x.is {
			t.Errorf("sought %s: %s, not %s", x.to, p.Now().Format("15:04:05"), x.is)
		}
	}
	c, err := p.Story("/locks/l", model.Hints{})
	if err != nil || len(c.Stays) != 3 || c.Stays[0].Left.At.Second() != 45 || c.Stays[1].Held.At.Second() != 45 || !c.Stays[2].Held.At.IsZero() {
		t.Errorf("%v, %+v", err, c)
	}
	if p.Now().Format("15:04:05") != "19:00:45" {
		t.Errorf("a story moved it to %s", p.Now())
	}
}
