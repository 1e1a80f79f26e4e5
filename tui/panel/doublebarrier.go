package panel

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// DoubleBarrier shows double barriers: how far they have filled up or emptied.
func DoubleBarrier() Recipe {
	return Recipe{Kind: layout.DoubleBarrier, Plural: "double barriers", Short: "dbarrier", Count: gatheringAndInside, Panel: Panel{
		Words: map[model.Role]string{model.Member: "member"}, Titles: Titles{"", "IN", "SINCE"}, Brief: gatheringBrief, Draw: drawGathering,
	}}
}

func gatheringAndInside(models []*model.Model) string {
	return fmt.Sprintf("gathering %s  inside %s  leaving %s", paint.Number(countState(models, model.Gathering)),
		paint.Number(countState(models, model.Inside)), paint.Number(countState(models, model.Leaving))) + notKnown(models)
}

// notKnown counts the barriers of which it is not known whether their members are inside; empty: none.
func notKnown(models []*model.Model) string {
	if n := countState(models, model.Unknown); n > 0 {
		return "  not known " + paint.Number(n)
	}
	return ""
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
	switch unsure := m.Unsure(); {
	case unsure > 0:
		b.What, b.Waiting = paint.Number(n)+" there, inside or not", NotKnown
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

// drawGathering draws how far a barrier has filled up, who is missing and how many it takes, and how it filled.
func drawGathering(p chart.Pen) [][]paint.Line {
	return [][]paint.Line{filling(p), p.Series("in", time.Second)}
}

func filling(p chart.Pen) []paint.Line {
	m := p.Model
	n := len(m.Claims)
	out := []paint.Line{p.Row("phase", p.Phases(string(m.State), string(model.Gathering), string(model.Inside), string(model.Leaving))...)}
	if unsure := m.Unsure(); unsure > 0 {
		out = []paint.Line{p.Row("phase", paint.Plain.Text(fmt.Sprintf("%d of %d inside or not, which is not known", unsure, n)))}
	} else if phase := m.Phase(); phase != string(m.State) {
		out = []paint.Line{p.Row("phase", paint.Plain.Text(phase+": one look cannot tell"))}
	}
	needed, known := m.Numbers.Get("needed")
	if !known || needed <= 0 {
		return append(out, p.Row("NEEDED", paint.Plain.Text("?"), paint.Dim.Text("  ZooKeeper does not store how many it takes")))
	}
	style := paint.Warn
	if m.State == model.Inside && m.Unsure() == 0 {
		style = paint.Good
	}
	out = append(out, p.Row("filled", style.Text(p.Bar(n, int(needed), max(4, min(40, p.W-24)))), paint.Plain.Text(fmt.Sprintf(" %d of %d", n, needed))))
	if lack := int(needed) - n; lack > 0 && m.State == model.Gathering {
		out = append(out, p.Row("MISSING", paint.Plain.Text(missing(p, lack))))
	}
	source := say.Either(m.Detail().Ready != 0, "as many as were in when it opened", "as configured")
	return append(out, p.Row("NEEDED", paint.Plain.Text(say.Itoa(needed)), paint.Dim.Text("  "+source)))
}

// isIn reports whether somebody of a name has come.
func isIn(p chart.Pen, name string) bool {
	for i := range p.Model.Claims {
		if p.Model.Claims[i].Owner() == name {
			return true
		}
	}
	return false
}

// missing says how many have not come; who was in and left is named.
func missing(p chart.Pen, lack int) string {
	text := paint.Number(lack)
	named := 0
	for i := len(p.Past.Left) - 1; i >= 0 && named < lack; i-- {
		x := &p.Past.Left[i]
		if x.At.After(p.Now) || isIn(p, x.Name) {
			continue
		}
		named++
		text += "  " + term.Safe(x.Name) + ", left at " + p.ClockText(x.At)
	}
	if named == 0 {
		return text + ", names not known"
	}
	return text
}
