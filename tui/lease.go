package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// LeaseRecipe shows leases: claims that end at a moment, whoever lives.
func LeaseRecipe() Recipe {
	return Recipe{Kind: inspect.Lease, Plural: "leases", Count: heldAndExpired, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Holder: "HOLD"}, Queue: "wait",
	}}
}

func heldAndExpired(models []*inspect.Model) string {
	return fmt.Sprintf("held %s  free %s  expired %s", number(countState(models, inspect.Held)),
		number(countState(models, inspect.Free)), number(countState(models, inspect.Expired)))
}
