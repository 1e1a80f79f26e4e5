package panel

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Semaphore shows semaphores: the leases that are out, of how many, and who waits for one.
func Semaphore() Recipe {
	return Recipe{Kind: layout.Semaphore, Plural: "semaphores", Short: "sema", Count: leasedAndFull, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Titles: Titles{"LEASE", "LINE", "WAITED"},
		Brief: leasesBrief, Draw: drawLeases,
	}}
}

func leasedAndFull(models []*model.Model) string {
	full, over := countState(models, model.Full), countState(models, model.Over)
	text := fmt.Sprintf("free %s  full %s", paint.Number(len(models)-full-over), paint.Number(full))
	if over > 0 {
		text += "  over " + paint.Number(over)
	}
	return text
}

func leasesBrief(m *model.Model) Brief {
	b := claimsBrief(m)
	b.What, b.Holds = paint.Counted(chart.Holding(m), "lease", "leases"), false
	if limit, ok := m.Numbers.Get("limit"); ok {
		b.What = fmt.Sprintf("%d of %d leases", chart.Holding(m), limit)
	}
	return b
}

// drawLeases draws the leases, how many were out over time, and how long that took.
func drawLeases(p chart.Pen) [][]paint.Line {
	return [][]paint.Line{leases(p), p.Series("in use", time.Second), p.Statistics("hold", "wait")}
}

// leases draws one cell a lease: taken, free, and beyond the limit.
func leases(p chart.Pen) []paint.Line {
	limit, known := p.Model.Numbers.Get("limit")
	n := chart.Holding(p.Model)
	if !known || limit <= 0 {
		return []paint.Line{p.Row("leases", paint.Plain.Text(paint.Number(n)+" out"), paint.Dim.Text("; the limit is not stored"))}
	}
	room := max(1, p.W-30)
	if int(limit) > room || n > room {
		return []paint.Line{p.Row("leases", paint.Good.Text(p.Bar(n, int(limit), min(room, 40))), paint.Plain.Text(fmt.Sprintf(" %d of %d", n, limit)))}
	}
	taken := min(n, int(limit))
	out := p.Row("leases", paint.Good.Text(strings.Repeat(p.Full, taken)), paint.Dim.Text(strings.Repeat(p.Gap, int(limit)-taken)))
	if over := n - int(limit); over > 0 {
		out = append(out, paint.Alert.Text(strings.Repeat(p.Full, over)))
	}
	return []paint.Line{append(out, paint.Plain.Text(fmt.Sprintf(" %d of %d", n, limit)))}
}
