package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// Rendezvous shows rendezvous: whether they are filled, and with what.
func Rendezvous() Recipe {
	return Recipe{Kind: layout.Rendezvous, Plural: "rendezvous", Short: "meeting", Count: filledAndNot, Panel: Panel{
		Words: map[model.Role]string{model.Value: "is"}, Titles: valueTitles, Brief: valueBrief, Draw: drawValue,
	}}
}

func filledAndNot(models []*model.Model) string {
	filled := countState(models, model.Filled)
	return fmt.Sprintf("filled %s  waiting %s", paint.Number(filled), paint.Number(len(models)-filled))
}
