package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
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
		in := &input{from: file, warn: &b, keep: func(f *os.File) { t.Cleanup(func() { f.Close() }) }}
		rec, i, err := in.recording(false)
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
		if link := p.link("several moments were read as one"); link.Count != 1 || link.Happened[0].Text != "several moments were read as one" || !link.File {
			t.Errorf("where jumps took moments together: %+v", link)
		}
	}
}
