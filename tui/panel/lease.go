package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// Lease shows leases: claims that end at a moment, whoever lives.
func Lease() Recipe {
	return Recipe{Kind: layout.Lease, Plural: "leases", Short: "lease", Count: heldAndExpired, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD"}, Titles: Titles{"HOLDER", "LEASE", "FOR"},
	}}
}

func heldAndExpired(models []*model.Model) string {
	return fmt.Sprintf("held %s  free %s  expired %s", paint.Number(countState(models, model.Held)),
		paint.Number(countState(models, model.Free)), paint.Number(countState(models, model.Expired)))
}
