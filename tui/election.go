package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// ElectionRecipe shows leader elections: the leader, and the order in which others would follow.
func ElectionRecipe() Recipe {
	return Recipe{Kind: layout.Election, Plural: "elections", Count: electedAndVacant, Panel: Panel{
		Words: map[model.Role]string{model.Leader: "LEAD", model.Candidate: "next"}, Queue: "next", Draw: func(p picture) []line { return p.chain("ladder") },
	}}
}

func electedAndVacant(models []*model.Model) string {
	vacant := countState(models, model.Vacant)
	return fmt.Sprintf("elected %s  vacant %s", number(len(models)-vacant), number(vacant))
}
