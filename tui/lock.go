package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// LockRecipe shows exclusive locks: the holder, and the line behind it.
func LockRecipe() Recipe {
	return Recipe{Kind: layout.Lock, Plural: "locks", Count: heldAndFree, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Queue: "wait", Draw: func(p picture) []line { return p.chain("line") },
	}}
}

func heldAndFree(models []*model.Model) string {
	free := countState(models, model.Free)
	return fmt.Sprintf("held %s  free %s", number(len(models)-free), number(free))
}

func countState(models []*model.Model, s model.State) (n int) {
	for _, m := range models {
		if m.State == s {
			n++
		}
	}
	return n
}
