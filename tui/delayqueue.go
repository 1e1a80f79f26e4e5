package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
)

// DelayQueueRecipe shows delay queues: what is due, and what is not yet.
func DelayQueueRecipe() Recipe {
	r := QueueRecipe()
	r.Kind, r.Plural = layout.DelayQueue, "delay queues"
	r.Panel.Draw = drawDue
	return r
}

func drawDue(p picture) []line {
	due, known := p.m.Numbers.Get("due")
	if n := len(p.m.Claims); known && n > 0 {
		return append(drawQueue(p), p.row("due", span{p.bar(int(due), n, max(4, min(40, p.w-24))), Accent}, span{fmt.Sprintf(" %d of %s", due, number(n)), Plain}))
	}
	return drawQueue(p)
}
