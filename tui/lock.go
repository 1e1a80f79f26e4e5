package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// LockRecipe shows exclusive locks: the holder, and the line behind it.
func LockRecipe() Recipe {
	return Recipe{Kind: inspect.Lock, Plural: "locks", Count: heldAndFree, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Holder: "HOLD", inspect.Waiter: "wait"}, Queue: "wait", Draw: func(p picture) []line { return p.chain("line") },
	}}
}

func heldAndFree(models []*inspect.Model) string {
	free := countState(models, inspect.Free)
	return fmt.Sprintf("held %s  free %s", number(len(models)-free), number(free))
}

func countState(models []*inspect.Model, s inspect.State) (n int) {
	for _, m := range models {
		if m.State == s {
			n++
		}
	}
	return n
}
