package panel

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Recipe is what the console knows of one kind of recipe.
type Recipe struct {
	Kind   layout.Kind
	Plural string                             // what many are called
	Short  string                             // what it is called in a column of eight cells
	Count  func(models []*model.Model) string // what the overview says about all of them
	Panel  Panel
}

// Panel says how the claims of a kind are drawn.
type Panel struct {
	Words  map[model.Role]string // what a role is called where a key acts on it
	Titles Titles                // of the claims' table
	Mode   bool                  // show read and write
	Vote   bool                  // show votes

	// Brief is the recipe's row in the table; nil: who holds, since when, how many wait behind.
	Brief func(m *model.Model) Brief
	// Draw is the pictures of the kind, the more important first, each whole or not at all; nil: none.
	Draw func(p chart.Pen) [][]paint.Line
	List bool // the last picture is a list, of which the first lines are better than none
}

// Word returns what a role is called.
func (p Panel) Word(r model.Role) string {
	if w, ok := p.Words[r]; ok {
		return w
	}
	return string(r)
}
