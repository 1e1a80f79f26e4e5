package tui

import "github.com/zkscope/zkscope/inspect"

// PlainRecipe is a generic row under a heading of its own.
func PlainRecipe(k inspect.Kind, plural string) Recipe {
	r := GenericRecipe(k)
	r.Plural = plural
	return r
}

// GenericRecipe shows a kind that has no row of its own: its claims in order.
func GenericRecipe(k inspect.Kind) Recipe {
	return Recipe{Kind: k, Plural: string(k), Count: func(m []*inspect.Model) string { return number(len(m)) },
		Panel: Panel{Queue: "more"}}
}
