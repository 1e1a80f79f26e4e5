package panel

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// Generic shows a kind that has no row of its own: its claims in order.
func Generic(k layout.Kind) Recipe {
	return Recipe{Kind: k, Plural: string(k), Short: string(k), Count: func(m []*model.Model) string { return paint.Number(len(m)) },
		Panel: Panel{}}
}
