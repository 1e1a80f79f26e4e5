package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// RendezvousRecipe shows rendezvous: whether they are filled, and with what.
func RendezvousRecipe() Recipe {
	return Recipe{Kind: layout.Rendezvous, Plural: "rendezvous", Count: filledAndNot, Panel: Panel{
		Words: map[model.Role]string{model.Value: "is"}, Queue: "more", Brief: valueBrief, Draw: drawValue,
	}}
}

func filledAndNot(models []*model.Model) string {
	filled := countState(models, model.Filled)
	return fmt.Sprintf("filled %s  waiting %s", number(filled), number(len(models)-filled))
}
