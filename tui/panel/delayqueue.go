package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// DelayQueue shows delay queues: what is due, and what is not yet.
func DelayQueue() Recipe {
	r := Queue()
	r.Kind, r.Plural, r.Short = layout.DelayQueue, "delay queues", "dqueue"
	r.Panel.Draw = drawDue
	return r
}

func drawDue(p chart.Pen) [][]paint.Line {
	due, known := p.Model.Numbers.Get("due")
	if n := len(p.Model.Claims); known && n > 0 {
		return append([][]paint.Line{{p.Row("due", paint.Accent.Text(p.Bar(int(due), n, max(4, min(40, p.W-24)))), paint.Plain.Text(fmt.Sprintf(" %d of %s", due, paint.Number(n))))}}, drawQueue(p)...)
	}
	return drawQueue(p)
}
