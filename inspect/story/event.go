package story

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Event is a change between two snapshots in the words that people use. Which changes it names, and
// how, is decided here.
type Event struct {
	At     time.Time
	From   time.Time // not zero: it happened between this and At, and nobody saw when; Waited and Held are then upper bounds
	Path   string    // the recipe's
	Kind   layout.Kind
	What   string // a stable word: acquired, released, lost, promoted, joined, left, revoke-asked, ...
	Owner  string
	Claim  model.ClaimID
	Text   string // one line, complete without the other fields
	Waited time.Duration
	Held   time.Duration

	HeldMost time.Duration   // where Held is not known, for it began unseen: it was no longer than this; 0: not known either
	Session  znode.SessionID // of the claim; 0: none
	Unsure   bool            // of a claim that went: whether it held is not known
	Count    int             // of EventSessionEnded: how many claims it tells of
}
