package view

import (
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/widget"
)

// Shown is what views tell of: the picture, and what the console knows besides.
type Shown struct {
	picture.Picture
	Theme    paint.Theme
	Keys     keys.Map
	Size     paint.Layout
	Location *time.Location
	Kinds    []panel.Recipe      // in the order of the list
	Filter   widget.Filter       // of the recipes
	Lowered  map[RowID]time.Time // findings that needed attention and are only worth knowing now, and since when
	Places   []backend.Place     // taken from here, oldest first
	Fleet    backend.Fleet       // Optional; the ensembles that can be changed to

	Stories map[string]Story     // of recipes in a recording, by path, as they were read
	Columns Columns              // of the table of recipes
	orders  map[*View]*PageOrder // that were asked for

	Audited  bool // there is an audit log
	Audit    []actions.Record
	AuditErr error
	Logged   func() []string   // Optional; the connection's last words, oldest first
	Fetch    func(path string) // Optional; has a znode read of which only the name is known
}

// Recipes are the kinds in the order of the list, with a generic row for those that have none.
func (sh *Shown) Recipes() []panel.Recipe {
	out := sh.Kinds
	seen := map[layout.Kind]bool{}
	for _, r := range out {
		seen[r.Kind] = true
	}
	for m := range sh.Result.Models.All() {
		if !seen[m.Kind] {
			seen[m.Kind] = true
			out = append(out[:len(out):len(out)], panel.Generic(m.Kind))
		}
	}
	return out
}

// Kind is what is known of a kind.
func (sh *Shown) Kind(k layout.Kind) panel.Recipe {
	for i := range sh.Kinds {
		if sh.Kinds[i].Kind == k {
			return sh.Kinds[i]
		}
	}
	return panel.Generic(k)
}

// Panel is how a kind is drawn.
func (sh *Shown) Panel(k layout.Kind) panel.Panel { return sh.Kind(k).Panel }

// Clock prints a moment as the events do.
func (sh *Shown) Clock(at time.Time) string { return at.In(sh.Location).Format("15:04:05") }

// PageRect is where a page's lines are drawn.
func (sh *Shown) PageRect() paint.Rect {
	return paint.Rect{X: 0, Y: 3, W: sh.Size.W, H: sh.Size.H - 4}
}
