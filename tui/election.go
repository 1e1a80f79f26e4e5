package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// ElectionRecipe shows leader elections: the leader, and the order in which others would follow.
func ElectionRecipe() Recipe {
	return Recipe{Kind: inspect.Election, Plural: "elections", Count: electedAndVacant, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Leader: "LEAD", inspect.Candidate: "next"}, Queue: "next", Draw: func(p picture) []line { return p.chain("ladder") },
	}}
}

func electedAndVacant(models []*inspect.Model) string {
	vacant := countState(models, inspect.Vacant)
	return fmt.Sprintf("elected %s  vacant %s", number(len(models)-vacant), number(vacant))
}
