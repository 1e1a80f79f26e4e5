package panel

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

func countState(models []*model.Model, s model.State) (n int) {
	for _, m := range models {
		if m.State == s {
			n++
		}
	}
	return n
}

func countAll(models []*model.Model) string { return paint.Number(len(models)) }

// firstCreated is when the first of the claims was made.
func firstCreated(m *model.Model) (at time.Time) {
	for i := range m.Claims {
		if c := m.Claims[i].Created(); !c.IsZero() && (at.IsZero() || c.Before(at)) {
			at = c
		}
	}
	return at
}
