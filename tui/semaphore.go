package tui

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// SemaphoreRecipe shows semaphores: the leases that are out, of how many, and who waits for one.
func SemaphoreRecipe() Recipe {
	return Recipe{Kind: layout.Semaphore, Plural: "semaphores", Count: leasedAndFull, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Queue: "wait",
		Brief: leasesBrief, Draw: drawLeases,
	}}
}

func leasedAndFull(models []*model.Model) string {
	full, over := countState(models, model.Full), countState(models, model.Over)
	text := fmt.Sprintf("free %s  full %s", number(len(models)-full-over), number(full))
	if over > 0 {
		text += "  over " + number(over)
	}
	return text
}

func leasesBrief(m *model.Model) brief {
	b := claimsBrief(m)
	if b.queue != "" {
		b.queue += " wait"
	}
	if limit, ok := m.Numbers.Get("limit"); ok {
		b.what = fmt.Sprintf("%d/%d %s", holding(m), limit, b.what)
	}
	return b
}

// drawLeases draws one cell a lease: taken, free, and beyond the limit.
func drawLeases(p picture) []line {
	limit, known := p.m.Numbers.Get("limit")
	n := holding(p.m)
	if !known || limit <= 0 {
		return p.chain("leases")
	}
	room := max(1, p.w-30)
	if int(limit) > room || n > room {
		return []line{p.row("leases", span{p.bar(n, int(limit), min(room, 40)), Good}, span{fmt.Sprintf(" %d of %d", n, limit), Plain})}
	}
	taken := min(n, int(limit))
	out := p.row("leases", span{strings.Repeat(p.Full, taken), Good}, span{strings.Repeat(p.Gap, int(limit)-taken), Dim})
	if over := n - int(limit); over > 0 {
		out = append(out, span{strings.Repeat(p.Full, over), Alert})
	}
	return []line{append(out, span{fmt.Sprintf(" %d of %d", n, limit), Plain})}
}
