package panel

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
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
	Draw func(p Pen) [][]paint.Line
	List bool // the last picture is a list, of which the first lines are better than none
}

// Pen is what a recipe's drawing is made from.
type Pen struct {
	*paint.Theme
	Model    *model.Model
	Now      time.Time
	W, H     int                       // room; a drawing may take less
	Past     *Past                     // what was seen of it; never nil
	Twins    *Twins                    // the names that several have
	Ages     *Ages                     // of items
	Link     func(c *model.Claim) Link // Optional; what servers told of a claim's session
	Clock    func(time.Time) string    // prints a moment
	WhyKey   string                    // of the key that tells why it is stuck
	Data     []byte                    // of a recipe that is one znode
	Spanning []*model.Finding          // that this recipe is part of, with others

	Remedies map[*model.Finding]string // what ends it, in a few words, where that is known
	Said     string                    // the selected claim's data, where it says more than its owner
	Ended    string                    // that the selected finding has ended, and what it was
}

// Link is what servers told of a session's connection.
type Link struct {
	Told      bool   // they told whether it has one
	Connected bool   // it has
	Server    string // to this one; empty: unknown
}

// Word returns what a role is called.
func (p Panel) Word(r model.Role) string {
	if w, ok := p.Words[r]; ok {
		return w
	}
	return string(r)
}
