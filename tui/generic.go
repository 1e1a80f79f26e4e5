package tui

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// GenericRecipe shows a kind that has no row of its own: its claims in order.
func GenericRecipe(k layout.Kind) Recipe {
	return Recipe{Kind: k, Plural: string(k), Count: func(m []*model.Model) string { return number(len(m)) },
		Panel: Panel{Queue: "more"}}
}
