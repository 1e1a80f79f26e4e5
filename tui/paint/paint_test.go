package paint_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

var texts = []string{"", "a", "/locks/orders", "锁锁锁", "cafe\u0301", strings.Repeat("x", 300)}

func TestCellsTakeTheRoomThatTheyAreGiven(t *testing.T) {
	theme := paint.New(term.Unicode(), termenv.ANSI)
	rapid.Check(t, func(rt *rapid.T) {
		w := rapid.IntRange(40, 200).Draw(rt, "w")
		var cols []paint.Cell
		fixed := 1
		for range rapid.IntRange(1, 4).Draw(rt, "columns") {
			n := rapid.IntRange(1, 8).Draw(rt, "width")
			c := paint.Dim.Cell(rapid.SampledFrom(texts).Draw(rt, "text"), n)
			switch rapid.IntRange(0, 2).Draw(rt, "how") {
			case 1:
				c = c.ToRight()
			case 2:
				c = c.AsPath()
			}
			cols, fixed = append(cols, c), fixed+n+1
		}
		if got := theme.Cells(w, cols...).Width(); got != fixed {
			rt.Fatalf("fixed columns take %d cells of %d", got, fixed)
		}
		cols = append(cols, paint.Plain.Cell(rapid.SampledFrom(texts).Draw(rt, "rest"), 0))
		if got := theme.Cells(w, cols...).Width(); got != w {
			rt.Fatalf("with one that takes the rest they take %d cells of %d", got, w)
		}
	})
}

func TestABarNeverHidesAnythingNorClaimsAll(t *testing.T) {
	theme := paint.New(term.ASCII(), termenv.Ascii)
	rapid.Check(t, func(rt *rapid.T) {
		whole, w := rapid.IntRange(1, 500).Draw(rt, "whole"), rapid.IntRange(2, 60).Draw(rt, "w")
		part := rapid.IntRange(0, whole).Draw(rt, "part")
		bar := theme.Bar(part, whole, w)
		full := strings.Count(bar, theme.Full)
		switch {
		case term.Width(bar) != w:
			rt.Fatalf("%q is not %d cells", bar, w)
		case full == 0 && part > 0, full == w && part < whole, full > 0 && part == 0, full < w && part == whole:
			rt.Fatalf("%d of %d is drawn as %q", part, whole, bar)
		}
	})
}

func TestEveryAreaIsOnTheScreenAndNoneOnAnother(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 300).Draw(rt, "w"), rapid.IntRange(1, 100).Draw(rt, "h")
		l := paint.Arrange(w, h)
		if l.TooSmall {
			return
		}
		areas := []paint.Rect{l.Attention, l.List, l.Panel, l.Events}
		if l.Single {
			areas = []paint.Rect{l.Attention, l.List, l.Events}
		}
		on := map[[2]int]bool{}
		for _, r := range areas {
			for x := r.X; x < r.X+r.W; x++ {
				for y := r.Y; y < r.Y+r.H; y++ {
					at := [2]int{x, y}
					if x < 0 || y < 3 || x >= w || y >= h-1 || on[at] || !r.Holds(x, y) {
						rt.Fatalf("%dx%d: cell %v of %+v is taken twice or by the frame: %+v", w, h, at, r, l)
					}
					on[at] = true
				}
			}
		}
	})
}

func TestABoxLiesOnTheScreenAndLeavesTheRestAlone(t *testing.T) {
	theme := paint.New(term.Unicode(), termenv.Ascii)
	rows := make([]string, 9)
	for i := range rows {
		rows[i] = strings.Repeat("锁", 20)
	}
	got := theme.Box("title", []paint.Line{paint.PlainLine("one"), paint.PlainLine("two")}, 11, rows, 40)
	for i, r := range got {
		if n := ansi.StringWidth(r); n != 40 {
			t.Errorf("row %d is %d cells: %q", i, n, r)
		}
	}
	if text := strings.Join(got, "\n"); !strings.Contains(text, "title") || !strings.Contains(text, "│one        │") {
		t.Errorf("%s", text)
	}
	if got[0] != strings.Repeat("锁", 20) || got[8] != strings.Repeat("锁", 20) {
		t.Errorf("rows that the box does not touch have changed:\n%s", strings.Join(got, "\n"))
	}
}
