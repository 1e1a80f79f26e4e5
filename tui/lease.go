package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// LeaseRecipe shows leases: claims that end at a moment, whoever lives.
func LeaseRecipe() Recipe {
	return Recipe{Kind: layout.Lease, Plural: "leases", Count: heldAndExpired, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD"}, Queue: "wait",
	}}
}

func heldAndExpired(models []*model.Model) string {
	return fmt.Sprintf("held %s  free %s  expired %s", number(countState(models, model.Held)),
		number(countState(models, model.Free)), number(countState(models, model.Expired)))
}
