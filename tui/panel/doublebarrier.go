package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// DoubleBarrier shows double barriers: how far they have filled up or emptied.
func DoubleBarrier() Recipe {
	return Recipe{Kind: layout.DoubleBarrier, Plural: "double barriers", Short: "dbarrier", Count: gatheringAndInside, Panel: Panel{
		Words: map[model.Role]string{model.Member: "here"}, Brief: gatheringBrief, Draw: drawGathering,
	}}
}

func gatheringAndInside(models []*model.Model) string {
	return fmt.Sprintf("gathering %s  inside %s  leaving %s", paint.Number(countState(models, model.Gathering)),
		paint.Number(countState(models, model.Inside)), paint.Number(countState(models, model.Leaving)))
}

func gatheringBrief(m *model.Model) Brief {
	n := len(m.Claims)
	b := Brief{What: m.Phase(), Waiting: NoLine}
	if n > 0 {
		b.Since = m.Claims[0].Since()
	}
	in := paint.Number(n)
	if needed, ok := m.Numbers.Get("needed"); ok {
		in = fmt.Sprintf("%d of %d", n, needed)
	}
	switch {
	case b.What != string(m.State): // one look cannot tell
	case m.State == model.Gathering: // each of them waits for the rest
		b.What, b.Waiting = in+" in", n
	case m.State == model.Inside:
		b.What = in + " inside"
	case m.State == model.Leaving:
		b.What = paint.Number(n) + " leaving"
	}
	return b
}

func drawGathering(p Pen) []paint.Line {
	out := []paint.Line{p.row("phase", p.phases(string(p.Model.State), string(model.Gathering), string(model.Inside), string(model.Leaving))...)}
	if phase := p.Model.Phase(); phase != string(p.Model.State) {
		out = []paint.Line{p.row("phase", paint.Plain.Text(phase+": one look cannot tell"))}
	}
	n := len(p.Model.Claims)
	needed, known := p.Model.Numbers.Get("needed")
	if !known || needed <= 0 {
		return append(out, p.row("members", paint.Plain.Text(fmt.Sprintf("%s here; how many it takes is stored nowhere", paint.Number(n)))))
	}
	style := paint.Warn
	if p.Model.State == model.Inside {
		style = paint.Good
	}
	return append(out, p.row("members", style.Text(p.Bar(n, int(needed), max(4, min(40, p.W-24)))), paint.Plain.Text(fmt.Sprintf(" %d of %d", n, needed))))
}
