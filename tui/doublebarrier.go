package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// DoubleBarrierRecipe shows double barriers: how far they have filled up or emptied.
func DoubleBarrierRecipe() Recipe {
	return Recipe{Kind: layout.DoubleBarrier, Plural: "double barriers", Count: gatheringAndInside, Panel: Panel{
		Words: map[model.Role]string{model.Member: "here"}, Queue: "here", Brief: gatheringBrief, Draw: drawGathering,
	}}
}

func gatheringAndInside(models []*model.Model) string {
	return fmt.Sprintf("gathering %s  inside %s  leaving %s", number(countState(models, model.Gathering)),
		number(countState(models, model.Inside)), number(countState(models, model.Leaving)))
}

func gatheringBrief(m *model.Model) brief {
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
	out := []line{p.row("phase", p.phases(string(p.m.State), string(model.Gathering), string(model.Inside), string(model.Leaving))...)}
	if phase := p.m.Phase(); phase != string(p.m.State) {
		out = []line{p.row("phase", span{phase + ": one look cannot tell", Plain})}
	}
	n := len(p.m.Claims)
	needed, known := p.m.Numbers.Get("needed")
	if !known || needed <= 0 {
		return append(out, p.row("members", span{fmt.Sprintf("%s here; how many it takes is stored nowhere", number(n)), Plain}))
	}
	style := Warn
	if p.m.State == model.Inside {
		style = Good
	}
	return append(out, p.row("members", span{p.bar(n, int(needed), max(4, min(40, p.w-24))), style}, span{fmt.Sprintf(" %d of %d", n, needed), Plain}))
}
