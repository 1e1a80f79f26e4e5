package widget_test

import (
	"fmt"
	"testing"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// In however many lines a head is drawn, the selected row is among them, every sort is before one has two lines, and what is
// drawn and what is counted as hidden is all there is, in order.
func TestAHeadShowsEverySort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 6), 1, 6).Draw(t, "sizes")
		var rows []string
		for i, n := range sizes {
			for j := range n {
				rows = append(rows, fmt.Sprintf("%d.%d", i, j))
			}
		}
		l := newNames()
		l.Part(func(s *string) (string, bool) { return (*s)[:1], true })
		fill(&l, noon, "")
		l.Fill(rows, nil, noon)
		at, h := rapid.IntRange(0, len(rows)-1).Draw(t, "at"), rapid.IntRange(1, 10).Draw(t, "h")
		l.Choose(at)
		theme := paint.New(term.ASCII(), termenv.Ascii)
		drawn := l.DrawHead(widget.Look[string, string]{Theme: &theme, Now: noon, Row: func(s *string, _ *widget.Gone[string, string], _ bool) paint.Line { return paint.PlainLine(" " + *s) }}, 40, h)
		if len(drawn) != min(h, len(rows)) {
			t.Fatalf("%d lines of %d rows in %d", len(drawn), len(rows), h)
		}
		hidden, last, seen := 0, -1, map[string]int{}
		for y := range drawn {
			line := l.HeadAt(y)
			if line <= last {
				t.Fatalf("line %d after %d", line, last)
			}
			hidden, last = hidden+drawn[y].Above+drawn[y].Alike+drawn[y].Below, line
			seen[rows[line][:1]]++
			if !l.HeadShows(h)[rows[line]] {
				t.Fatalf("%s is drawn, and said not to be", rows[line])
			}
		}
		if hidden+len(drawn) != len(rows) {
			t.Fatalf("%d drawn, %d hidden, of %d", len(drawn), hidden, len(rows))
		}
		if seen[rows[at][:1]] == 0 || !l.HeadShows(h)[rows[at]] {
			t.Fatalf("the selected %s is not in sight", rows[at])
		}
		for i, n := range sizes {
			if len(sizes) <= h && seen[fmt.Sprint(i)] == 0 {
				t.Fatalf("no line of sort %d", i)
			}
			if got := seen[fmt.Sprint(i)]; len(sizes) > h && got > 1 || got > n {
				t.Fatalf("%d lines of sort %d", got, i)
			}
		}
		if len(drawn) > 1 && seen["0"] == 0 {
			t.Fatal("the gravest is not in sight")
		}
	})
}
