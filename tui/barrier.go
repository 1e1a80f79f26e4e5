package tui

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// BarrierRecipe shows barriers: closed or open, and who stands before them.
func BarrierRecipe() Recipe {
	return Recipe{Kind: layout.Barrier, Plural: "barriers", Count: closedAndOpen, Panel: Panel{
		Words: map[model.Role]string{model.Value: "gate"}, Queue: "more", Brief: barrierBrief, Draw: drawBarrier,
	}}
}

func closedAndOpen(models []*model.Model) string {
	open := countState(models, model.Opened)
	return fmt.Sprintf("closed %s  open %s", number(len(models)-open), number(open))
}

func barrierBrief(m *model.Model) brief {
	b := brief{what: string(m.State)}
	if len(m.Claims) > 0 {
		b.since = m.Claims[0].Since()
	}
	if n, known := m.Numbers.Get("watchers"); known {
		b.queue = number(int(n)) + " wait"
	}
	return b
}

func drawBarrier(p picture) []line {
	if p.m.State != model.Closed {
		return []line{p.row("gate", span{strings.Repeat(p.Gap, 12) + " open", Good})}
	}
	who := "who waits at it leaves no znode; it shows where the servers tell of watches"
	if n, known := p.m.Numbers.Get("watchers"); known {
		who = number(int(n)) + " watch it"
	}
	return []line{p.row("gate", span{strings.Repeat(p.Full, 12) + " closed", Warn}, span{"  " + who, Dim})}
}
