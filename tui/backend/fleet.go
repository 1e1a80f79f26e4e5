package backend

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

// Fleet is the ensembles that one console can show, one at a time. All methods may be called at the same time; only Prepare
// blocks.
type Fleet interface {
	// Here is the name of the ensemble that the console shows.
	Here() string
	// Ensembles are all of them, with what they last said, in the order of their names.
	Ensembles() []Ensemble
	// Ask has those asked how they stand whose answers are no longer new, each beside the others and within a limit of its own;
	// the one that is shown is not.
	Ask()
	// Prepare connects to an ensemble, so that a console of it can follow this one. It blocks until that can be drawn or ctx
	// ends.
	Prepare(ctx context.Context, name string) (Prepared, error)
}

// Prepared is a console that is ready to be drawn.
type Prepared interface {
	Follows() // it will be drawn next; it does not block
	Close()   // gives it up, where it is not to be drawn; it may be called more than once
}

// Ensemble is what is known of one of a Fleet.
type Ensemble struct {
	Name       string
	Servers    string // as the configuration names them
	Production bool
	ReadOnly   bool
	Asking     time.Time // since when an answer is waited for; zero: none is
	At         time.Time // when the rest was known; zero: it was not asked yet
	Err        string    // why it could not be read; empty: it was
	Recipes    int
	High       int // findings by severity
	Medium     int
	Low        int
	Incomplete bool // parts of it were not read
}

// Weigh takes in what was read of an ensemble: how many recipes and findings there are, and whether that is all.
func (e *Ensemble) Weigh(r *model.Result) {
	var n [model.High + 1]int
	for i := range r.Findings {
		n[r.Findings[i].Severity]++
	}
	for m := range r.Models.All() {
		for i := range m.Findings {
			n[m.Findings[i].Severity]++
		}
	}
	s := r.Snapshot
	e.High, e.Medium, e.Low = n[model.High], n[model.Medium], n[model.Low]
	e.Recipes, e.Incomplete = r.Models.Len(), !s.Complete || len(s.Partial) > 0
}
