package panel

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Barrier shows barriers: closed or open, and who stands before them.
func Barrier() Recipe {
	return Recipe{Kind: layout.Barrier, Plural: "barriers", Short: "barrier", Count: closedAndOpen, Panel: Panel{
		Words: map[model.Role]string{model.Value: "gate"}, Titles: valueTitles, Brief: barrierBrief, Draw: drawBarrier,
	}}
}

func closedAndOpen(models []*model.Model) string {
	open := countState(models, model.Opened)
	return fmt.Sprintf("closed %s  open %s", paint.Number(len(models)-open), paint.Number(open))
}

func barrierBrief(m *model.Model) Brief {
	b := Brief{What: string(m.State), Waiting: NotKnown}
	if len(m.Claims) > 0 {
		b.Since = m.Claims[0].Since()
	}
	if n, known := m.Numbers.Get("watchers"); known && n > 0 { // a client that lost its connection may have lost its watch
		b.Waiting = int(n)
	}
	return b
}

func drawBarrier(p chart.Pen) [][]paint.Line {
	if p.Model.State != model.Closed {
		return [][]paint.Line{{p.Row("gate", paint.Good.Text(strings.Repeat(p.Gap, 12)+" open"))}}
	}
	who := "who waits leaves no znode"
	switch n, known := p.Model.Numbers.Get("watchers"); {
	case known && n == 0:
		who = "nobody watches it; whether anybody waits is not known"
	case known:
		who = paint.Counted(int(n), "session waits", "sessions wait")
	}
	return [][]paint.Line{{p.Row("gate", paint.Warn.Text(strings.Repeat(p.Full, 12)+" closed"), paint.Dim.Text("  "+who))}}
}
