package panel

import (
	"fmt"
	"strconv"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// SharedLock shows read/write locks: readers together, writers alone.
func SharedLock() Recipe {
	return Recipe{Kind: layout.SharedLock, Plural: "shared locks", Short: "rwlock", Count: readWriteFree, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Titles: Titles{"HOLDER", "LINE", "WAITED"}, Mode: true, Brief: sharedBrief, Draw: drawLanes, List: true,
	}}
}

func readWriteFree(models []*model.Model) string {
	text := fmt.Sprintf("read %s  write %s  free %s", paint.Number(countState(models, model.Reading)),
		paint.Number(countState(models, model.Writing)), paint.Number(countState(models, model.Free)))
	if n := countState(models, model.Stuck); n > 0 {
		text += "  stuck " + paint.Number(n)
	}
	return text
}

func sharedBrief(m *model.Model) Brief {
	b := claimsBrief(m)
	n := chart.Holding(m)
	switch {
	case n > 1:
		b.What = paint.Number(n) + " readers"
	case n == 1 && m.Claims[0].Mode() == layout.Write:
		b.What = "writer " + b.What
	}
	for i := range n {
		if m.Claims[i].Reason == model.UnlessOld { // it may wait for a writer behind it
			b.What, b.Holds = b.What+"?", false
			break
		}
	}
	return b
}

// drawLanes draws readers and writers in lanes, who was inside when, and how long that took.
func drawLanes(p chart.Pen) [][]paint.Line {
	return [][]paint.Line{lanes(p), p.Strips("inside", "waiting"), p.Statistics("hold", "wait"), p.Owners("RECENT WRITERS", "HELD")}
}

// lanes draws those who write and those who read, each with its place in the one line, so that it can be counted who stands
// behind whom.
func lanes(p chart.Pen) []paint.Line {
	if len(p.Model.Claims) < 2 {
		return nil
	}
	var out []paint.Line
	for _, mode := range []layout.Mode{layout.Write, layout.Read} {
		w := p.W - 11
		held := placed(p, laneOf(p, mode, true), w)
		l := p.Row(string(mode), paint.Good.Text(held))
		if behind := laneOf(p, mode, false); behind.n > 0 {
			arrow := " " + p.Behind + " "
			l = append(l, paint.Dim.Text(arrow), paint.Plain.Text(placed(p, behind, w-term.Width(held)-term.Width(arrow))))
		}
		out = append(out, l)
	}
	return out
}

// lane is some claims: the first of them, and how many there are.
type lane struct {
	first []*model.Claim
	n     int
}

// laneOf are the claims of a mode that hold, or do not.
func laneOf(p chart.Pen, mode layout.Mode, hold bool) (out lane) {
	for i := range p.Model.Claims {
		if c := &p.Model.Claims[i]; c.Mode() == mode && chart.HoldsRole(c.Role()) == hold {
			if out.n++; len(out.first) < p.W/2 {
				out.first = append(out.first, c)
			}
		}
	}
	return out
}

// placed joins claims with their places in line, as many as fit in w cells.
func placed(p chart.Pen, claims lane, w int) string {
	if claims.n == 0 {
		return "-"
	}
	text := ""
	for i, c := range claims.first {
		one := strconv.Itoa(c.Position()+1) + " " + p.Twins.Name(c, p.Ellipsis)
		if i > 0 {
			one = "  " + one
		}
		more := ""
		if rest := claims.n - i - 1; rest > 0 {
			more = "  +" + paint.Number(rest)
		}
		if term.Width(text)+term.Width(one)+len(more) > w && i > 0 {
			return text + "  +" + paint.Number(claims.n-i)
		}
		text += one
	}
	return text
}
