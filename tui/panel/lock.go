package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// Lock shows exclusive locks: the holder, and the line behind it.
func Lock() Recipe {
	return Recipe{Kind: layout.Lock, Plural: "locks", Short: "lock", Count: heldAndFree, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Draw: func(p Pen) []paint.Line { return p.Chain("line") },
	}}
}

func heldAndFree(models []*model.Model) string {
	free := countState(models, model.Free)
	return fmt.Sprintf("held %s  free %s", paint.Number(len(models)-free), paint.Number(free))
}
