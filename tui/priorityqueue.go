package tui

import "github.com/zkscope/zkscope/inspect/layout"

// PriorityQueueRecipe shows priority queues, their items in the order in which they are served.
func PriorityQueueRecipe() Recipe {
	r := QueueRecipe()
	r.Kind, r.Plural = layout.PriorityQueue, "priority queues"
	r.Panel.Draw = drawPriorities
	return r
}

// drawPriorities adds how many items wait at each priority, most urgent first.
func drawPriorities(p picture) []line {
	out := drawQueue(p)
	text, last, n := "", int64(0), 0
	flush := func() {
		if n > 0 {
			text += "  " + number(int(last)) + ": " + number(n)
		}
	}
	for i := range p.m.Claims {
		c := &p.m.Claims[i]
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
	return append(out, p.row("priority", span{text[2:], Plain}))
}
