package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// SharedLockRecipe shows read/write locks: readers together, writers alone.
func SharedLockRecipe() Recipe {
	return Recipe{Kind: inspect.SharedLock, Plural: "shared locks", Count: readWriteFree, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Holder: "HOLD", inspect.Waiter: "wait"}, Queue: "wait", Mode: true,
	}}
}

func readWriteFree(models []*inspect.Model) string {
	return fmt.Sprintf("read %s  write %s  free %s", number(countState(models, inspect.Reading)),
		number(countState(models, inspect.Writing)), number(countState(models, inspect.Free)))
}
