package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// DoubleBarrierRecipe shows double barriers: how far they have filled up or emptied.
func DoubleBarrierRecipe() Recipe {
	return Recipe{Kind: inspect.DoubleBarrier, Plural: "double barriers", Count: gatheringAndInside, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Member: "here"}, Queue: "here", Brief: gatheringBrief, Draw: drawGathering,
	}}
}

func gatheringAndInside(models []*inspect.Model) string {
	return fmt.Sprintf("gathering %s  inside %s  leaving %s", number(countState(models, inspect.Gathering)),
		number(countState(models, inspect.Inside)), number(countState(models, inspect.Leaving)))
}

func gatheringBrief(m *inspect.Model) brief {
	b := brief{what: m.Phase()}
	if len(m.Claims) > 0 {
		b.since = m.Claims[0].Since()
	}
	b.queue = number(len(m.Claims)) + " here"
	if needed, ok := m.Numbers.Get("needed"); ok {
		b.queue = fmt.Sprintf("%d of %d", len(m.Claims), needed)
	}
	return b
}

func drawGathering(p picture) []line {
	out := []line{p.row("phase", p.phases(string(p.m.State), string(inspect.Gathering), string(inspect.Inside), string(inspect.Leaving))...)}
	if phase := p.m.Phase(); phase != string(p.m.State) {
		out = []line{p.row("phase", span{phase + ": one look cannot tell", Plain})}
	}
	n := len(p.m.Claims)
	needed, known := p.m.Numbers.Get("needed")
	if !known || needed <= 0 {
		return append(out, p.row("members", span{fmt.Sprintf("%s here; how many it takes is stored nowhere", number(n)), Plain}))
	}
	style := Warn
	if p.m.State == inspect.Inside {
		style = Good
	}
	return append(out, p.row("members", span{p.bar(n, int(needed), max(4, min(40, p.w-24))), style}, span{fmt.Sprintf(" %d of %d", n, needed), Plain}))
}
