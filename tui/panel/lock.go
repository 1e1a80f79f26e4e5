package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Lock shows exclusive locks: the holder, and the line behind it.
func Lock() Recipe {
	return Recipe{Kind: layout.Lock, Plural: "locks", Short: "lock", Count: heldAndFree, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Titles: Titles{"HOLDER", "LINE", "WAITED"}, Draw: drawLine, List: true,
	}}
}

func heldAndFree(models []*model.Model) string {
	free := countState(models, model.Free)
	return fmt.Sprintf("held %s  free %s", paint.Number(len(models)-free), paint.Number(free))
}

// drawLine draws who held it and how many waited, how long that took, and who had it lately.
func drawLine(p chart.Pen) [][]paint.Line {
	return [][]paint.Line{p.Strips("holder", "waiting"), p.Statistics("hold", "wait"), p.Owners("RECENT OWNERS", "HELD")}
}
