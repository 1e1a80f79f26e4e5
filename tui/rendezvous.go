package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// RendezvousRecipe shows rendezvous: whether they are filled, and with what.
func RendezvousRecipe() Recipe {
	return Recipe{Kind: inspect.Rendezvous, Plural: "rendezvous", Count: filledAndNot, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Value: "is"}, Queue: "more", Brief: valueBrief, Draw: drawValue,
	}}
}

func filledAndNot(models []*inspect.Model) string {
	filled := countState(models, inspect.Filled)
	return fmt.Sprintf("filled %s  waiting %s", number(filled), number(len(models)-filled))
}
