package chart

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

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
