package panel

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// PriorityQueue shows priority queues, their items in the order in which they are served.
func PriorityQueue() Recipe {
	r := Queue()
	r.Kind, r.Plural, r.Short = layout.PriorityQueue, "priority queues", "pqueue"
	r.Panel.Draw = drawPriorities
	return r
}

// drawPriorities adds how many items wait at each priority, most urgent first.
func drawPriorities(p chart.Pen) [][]paint.Line {
	out := drawQueue(p)
	text, last, n := "", int64(0), 0
	flush := func() {
		if n > 0 {
			text += "  " + paint.Number(int(last)) + ": " + paint.Number(n)
		}
	}
	for i := range p.Model.Claims {
		c := &p.Model.Claims[i]
		if c.Priority() == nil {
			continue
		}
		if *c.Priority() != last {
			flush()
			last, n = *c.Priority(), 0
		}
		n++
	}
	if flush(); text == "" {
		return out
	}
	return append([][]paint.Line{{p.Row("priority", paint.Plain.Text(text[2:]))}}, out...)
}
