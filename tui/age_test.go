package tui

import (
	"testing"
	"time"

	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// An age stays in its column, whatever stands before it, and a bound stays one.
func TestAnAgeStaysInItsColumn(t *testing.T) {
	wide, plain := paint.New(term.Unicode(), termenv.Ascii), paint.New(term.ASCII(), termenv.Ascii)
	for _, x := range []struct {
		age         time.Duration
		least, most string
		ascii       string // of the most
	}{
		{41 * time.Second, "≥41s", "≤41s", "<=41s"}, {192 * time.Second, "≥3m12s", "≤3m12s", "<=4m"},
		{12*time.Minute + 30*time.Second, "≥12m", "≤13m", "<=13m"}, {59*time.Minute + 59*time.Second, "≥59m", "≤1h", "<=1h"},
		{23*time.Hour + 10*time.Minute, "≥23h", "≤1d", "<=1d"}, {10 * time.Hour, "≥10h", "≤10h", "<=10h"}, {100 * 24 * time.Hour, "≥100d", "≤100d", "<=100d"},
	} {
		at := noon.Add(-x.age)
		least, most := view.Since{At: at, Least: true}.Age(&wide, noon), view.Since{At: at, Most: true}.Age(&wide, noon)
		ascii := view.Since{At: at, Most: true}.Age(&plain, noon)
		if least != x.least || most != x.most || ascii != x.ascii {
			t.Errorf("%v: %q, %q and %q", x.age, least, most, ascii)
		}
		if plainly := (view.Since{At: at}).Age(&wide, noon); term.Width(plainly) > 6 {
			t.Errorf("%v: %q", x.age, plainly)
		}
	}
}
