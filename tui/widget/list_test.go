package widget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// names is a list of names; those that begin with # are headings.
type names = widget.List[string, string]

func newNames() names {
	l := widget.NewList[string, string](func(s *string) (string, bool) { return *s, !strings.HasPrefix(*s, "#") })
	l.Hold = true
	return l
}

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// shown is the list as it is drawn: one word a line.
func shown(l *names, now time.Time, h int) string {
	t := paint.New(term.ASCII(), termenv.Ascii)
	var out []string
	for _, line := range l.Draw(widget.Look[string, string]{Theme: &t, Now: now, Signs: true, Both: true,
		Row: func(s *string, gone *widget.Gone[string, string], _ bool) paint.Line {
			if gone != nil {
				return paint.PlainLine("-" + *s)
			}
			return paint.PlainLine(" " + *s)
		}}, 40, h) {
		text := ""
		for _, s := range line {
			text += s.Text
		}
		out = append(out, strings.TrimSpace(text))
	}
	return strings.Join(out, " ")
}

func fill(l *names, at time.Time, all string) {
	rows := strings.Fields(all)
	l.News(rows, nil, at)
	l.Fill(rows, nil, at)
}

func see(t *testing.T, l *names, now time.Time, want string) {
	t.Helper()
	if got := shown(l, now, 20); got != want {
		t.Errorf("drawn %q, want %q", got, want)
	}
}

func TestWhatComesAndGoesIsShownForAMoment(t *testing.T) {
	l := newNames()
	fill(&l, noon, "#x a b c")
	see(t, &l, noon, "#x >a b c")
	fill(&l, noon.Add(time.Second), "#x d a c e")
	see(t, &l, noon.Add(time.Second), "#x +d >a -b c +e")
	l.Expire(noon.Add(5 * time.Second))
	see(t, &l, noon.Add(5*time.Second), "#x +d >a c +e")
	l.Expire(noon.Add(6 * time.Second))
	see(t, &l, noon.Add(6*time.Second), "#x d >a c e")
	l.Calm()
	fill(&l, noon.Add(7*time.Second), "#x z")
	see(t, &l, noon.Add(7*time.Second), "#x z >-a")
}

func TestASelectedRowThatGoesStaysUntilItIsLeft(t *testing.T) {
	l := newNames()
	fill(&l, noon, "#x a b c")
	l.Move(1, 20)
	fill(&l, noon, "#x a c")
	l.Expire(noon.Add(time.Minute))
	see(t, &l, noon.Add(time.Minute), "#x a >-b c")
	if r, gone := l.Current(); *r != "b" || gone == nil || !gone.Held || !gone.At.Equal(noon) {
		t.Errorf("selected %q, gone %+v", *r, gone)
	}
	fill(&l, noon.Add(time.Minute), "#x a b c")
	see(t, &l, noon.Add(2*time.Minute), "#x a >b c")
	fill(&l, noon.Add(2*time.Minute), "#x a c")
	l.Move(1, 20)
	see(t, &l, noon.Add(2*time.Minute), "#x a -b >c")
	if l.Choose(2) || l.Selected() != "c" {
		t.Error("what is gone can be selected again")
	}
	l.Expire(noon.Add(3 * time.Minute))
	see(t, &l, noon.Add(3*time.Minute), "#x a >c")
	l.Hold = false
	fill(&l, noon.Add(3*time.Minute), "#x a d")
	if l.Selected() != "d" {
		t.Errorf("selected %q", l.Selected())
	}
}

func TestALooseListStaysWithTheFirst(t *testing.T) {
	l := newNames()
	l.Loose = true
	fill(&l, noon, "#x b c")
	fill(&l, noon, "#x a b c")
	if l.Selected() != "a" {
		t.Errorf("selected %q", l.Selected())
	}
	l.Move(1, 20)
	fill(&l, noon, "#x 0 a b c")
	if l.Selected() != "b" {
		t.Errorf("selected %q", l.Selected())
	}
}

func TestWhatIsFilteredAwayIsNotGone(t *testing.T) {
	l := newNames()
	keep := func(s *string) bool { return *s != "b" }
	l.Fill([]string{"a", "b", "c"}, nil, noon)
	l.Select("b")
	l.Fill([]string{"a", "b", "c"}, keep, noon)
	see(t, &l, noon, "a >c")
	l.News([]string{"a", "c"}, nil, noon)
	l.Fill([]string{"a", "c"}, keep, noon)
	see(t, &l, noon, "a >c")
	l.Fill([]string{"a", "c"}, nil, noon)
	see(t, &l, noon, "a -b >c")
}

func TestOfManyThatGoTheFirstAreShown(t *testing.T) {
	l := newNames()
	fill(&l, noon, "a b c d e f g")
	fill(&l, noon, "g")
	see(t, &l, noon, ">-a -b -c -d g")
	fill(&l, noon.Add(time.Second), "h")
	see(t, &l, noon.Add(time.Second), ">-a -b -c -d -g +h")
}

func TestALongListSaysHowMuchOfItIsNotSeen(t *testing.T) {
	l := newNames()
	fill(&l, noon, "a b c d e f g")
	if got := shown(&l, noon, 4); got != ">a b c ~ 4 more below, 0 above" {
		t.Errorf("%q", got)
	}
	l.Move(1<<30, 4)
	if got := shown(&l, noon, 4); got != "e f >g ~ 0 more below, 4 above" {
		t.Errorf("%q", got)
	}
}

// Whatever comes, goes and is pressed: every row that is there is shown once, the selection is on a line that can be
// selected, and as long as its row is there it stays on it.
func TestTheSelectionStaysOnItsRow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l, now := newNames(), noon
		var rows []string
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			was := l.Selected()
			switch rapid.IntRange(0, 4).Draw(rt, "step") {
			case 0, 1:
				rows = nil
				for i := range 9 {
					if rapid.Bool().Draw(rt, "there") {
						rows = append(rows, fmt.Sprintf("%s%d", map[bool]string{true: "#"}[i%4 == 0], i))
					}
				}
				if rapid.Bool().Draw(rt, "turned") {
					slices.Reverse(rows)
				}
				l.News(rows, nil, now)
				l.Fill(rows, nil, now)
				if slices.Contains(rows, was) && l.Selected() != was {
					rt.Fatalf("the selection went from %q to %q of %q", was, l.Selected(), rows)
				}
			case 2:
				l.Move(rapid.IntRange(-3, 3).Draw(rt, "by"), 5)
			case 3:
				now = now.Add(time.Duration(rapid.IntRange(0, 5).Draw(rt, "seconds")) * time.Second)
				l.Expire(now)
			case 4:
				l.Calm()
			}
			var seen []string
			for i := range l.Len() {
				if r, gone := l.Line(i); gone == nil {
					seen = append(seen, *r)
				}
			}
			if !slices.Equal(seen, rows) {
				rt.Fatalf("shown %q of %q", seen, rows)
			}
			if r, gone := l.Current(); r != nil && (*r != l.Selected() || strings.HasPrefix(*r, "#") || gone != nil && !gone.Held) {
				rt.Fatalf("selected %q, on %q, gone %+v", l.Selected(), *r, gone)
			}
			if n := len(l.Draw(widget.Look[string, string]{Theme: &paint.Theme{}, Row: func(*string, *widget.Gone[string, string], bool) paint.Line { return nil }}, 20, 4)); n > 4 {
				rt.Fatalf("%d lines in 4", n)
			}
		}
	})
}

func TestTheSelectionOutlivesAFilterThatKeepsNothing(t *testing.T) {
	l := newNames()
	all := []string{"a", "b", "c"}
	l.Fill(all, nil, noon)
	l.Move(1, 20)
	l.Fill(all, func(*string) bool { return false }, noon)
	if r, _ := l.Current(); r != nil || l.Len() != 0 {
		t.Errorf("on %q of nothing", *r)
	}
	l.Fill(all, nil, noon)
	see(t, &l, noon, "a >b c")
}

func TestWhatIsGoneIsNotSelectedAnew(t *testing.T) {
	l := newNames()
	fill(&l, noon, "a b c")
	fill(&l, noon, "b c")
	see(t, &l, noon, ">-a b c")
	l.First()
	see(t, &l, noon, "-a >b c")
	fill(&l, noon.Add(time.Second), "")
	see(t, &l, noon.Add(time.Second), "-a >-b -c")
	l.Move(-1, 20)
	see(t, &l, noon.Add(time.Second), "-a >-b -c")
}
