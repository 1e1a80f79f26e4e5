package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Election shows leader elections: the leader, and the order in which others would follow.
func Election() Recipe {
	return Recipe{Kind: layout.Election, Plural: "elections", Short: "election", Count: electedAndVacant, Panel: Panel{
		Words: map[model.Role]string{model.Leader: "LEAD", model.Candidate: "next"}, Titles: Titles{"LEADER", "STANDBY", "FOR"}, Draw: drawTerms, List: true,
	}}
}

func electedAndVacant(models []*model.Model) string {
	vacant := countState(models, model.Vacant)
	return fmt.Sprintf("elected %s  vacant %s", paint.Number(len(models)-vacant), paint.Number(vacant))
}

// drawTerms draws who led when, and lists the terms that were seen.
func drawTerms(p chart.Pen) [][]paint.Line {
	return [][]paint.Line{p.Strips("leader", "standbys"), p.Statistics("led", ""), p.Owners("TERMS", "LED")}
}
