package tui

import (
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// viewMsg says that a newer picture was decoded.
type viewMsg struct {
	res    *model.Result
	waits  *waits.Waits
	states []waits.ServerState
	events []story.Event
	link   Link
	now    time.Time
	gen    int          // of the hints that it was read with
	base   *waits.Waits // what it followed; nil: nothing that matters
	jump   bool         // it does not follow from the one before: nothing in it is news
	aside  bool         // nobody waits for the next one on its account
}

// rightsMsg says which right a plan lacks.
type rightsMsg struct {
	target actions.Target
	lacks  string // empty: none, or not known
	err    error
}

// savedMsg says where a picture was written.
type savedMsg struct {
	file string
	err  error
}

// clockMsg says that a second has passed.
type clockMsg struct {
	link Link
	now  time.Time
}

// resultMsg says how applying a plan ended.
type resultMsg struct{ actions.Result }
