package tui

import "github.com/zkscope/zkscope/inspect"

// GenericRecipe shows a kind that has no row of its own: its claims in order.
func GenericRecipe(k inspect.Kind) Recipe {
	return Recipe{Kind: k, Plural: string(k), Count: func(m []*inspect.Model) string { return number(len(m)) },
		Panel: Panel{Queue: "more"}}
}
