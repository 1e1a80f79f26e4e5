package backend

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// Source is where the console gets what it shows. All methods are called from commands, possibly at the
// same time, and must not block.
type Source interface {
	// Changed has a value when something newer than the last Take can be taken. The channel has one slot.
	Changed() <-chan struct{}
	// Take returns the newest snapshot, never nil, and the state of the link that it came over.
	Take() (*znode.Snapshot, Link)
	// Now is the time that ages are counted to: the wall clock when live, the time of the picture when not.
	Now() time.Time
}

// Reader is a Source that can read a znode by itself of which only the name was read. Its method does not block.
type Reader interface {
	Read(path string) // it comes with a later snapshot, if at all
}

// Link is what the console shows about its connection and its cost.
type Link struct {
	Ensemble string // what the user asked for: servers and chroot
	Server   string // the member connected to; empty: none
	Session  znode.SessionID
	Cause    string        // why the connection is lost; empty: nothing known
	Silent   time.Duration // how long nothing was heard from the server; zero: not worth a word
	Late     bool          // it is connected and leaves reads without an answer: what is shown is of before
	Delay    time.Duration // how long answers take; zero: not worth a word
	Old      time.Duration // how old what is shown may be, where Delay is worth a word
	Requests uint64        // sent so far
	BytesIn  uint64
	Watches  int
	Err      error    // why it will never connect; nil otherwise
	File     bool     // a file: nothing moves
	State    int      // of a recording: which of its states was taken, counted from zero
	Advice   []string // what would let the servers tell more, one line each
	ReadOnly bool     // nothing can be written, whatever the console wants

	// Happened is what became of the connection, the last few hundred of Count in all, oldest first.
	Happened []story.Event
	Count    int
}

// Witness is a Source that also asks the members of the ensemble. Its methods do not block.
type Witness interface {
	Servers() []waits.ServerState // as they were last seen
	Extra() []model.Finding       // what only the members together tell
	Refresh()                     // ask them soon, rather than when it is time
}

// Operator carries out what an operator decides.
type Operator interface {
	// Scene is what offers about a claim, or about a recipe where c is nil, are made from. It does no I/O.
	Scene(r *model.Result, m *model.Model, c *model.Claim, now time.Time) actions.Scene
	// Rights says which right a plan lacks; empty when none, or when that cannot be told. It blocks until that is
	// known or ctx ends.
	Rights(ctx context.Context, p actions.Plan) (string, error)
	// Apply carries out a confirmed plan. It blocks until the outcome is known or ctx ends.
	Apply(ctx context.Context, p actions.Plan) actions.Result
	// Forbidden says why the console can never be armed; empty when it can.
	Forbidden() string
}

// Player is a Source that plays a recording.
type Player interface {
	Source
	// Move goes on by so many moments, or back; it stops at the ends and says how far it went. A moment is the states that
	// were written at one time, of which the last is shown.
	Move(by int) int
	// Seek goes to the last moment that is not after a time; to the first where all are.
	Seek(to time.Time)
	// Before is what the state before the one that Take returns was decoded to, from the first on; nil at the first.
	Before(h model.Hints) *model.Result
	// Where is the state that Take returns, counted from zero, and how many there are; more: that many were counted so far.
	Where() (at, of int, more bool)
}

// Historian is a Source that can tell what became of every claim of a recipe, over all that it has.
type Historian interface {
	// Story blocks until all of it was read. A story with an error is that of what could be read, and never nil.
	Story(path string, h model.Hints) (*chronicle.Chronicle, error)
}

// Joiner takes part in recipes for the operator. Join must not block.
type Joiner interface {
	Join(r actions.Join) (Place, error)
}

// Place is a place that was taken in a recipe. Only Leave may block.
type Place interface {
	Want() actions.Join
	State() actions.JoinState
	Changed() <-chan struct{} // one slot; has a value when State may be another
	Done() <-chan struct{}    // closed when nothing changes any more
	Finish(ok bool)
	Answer(consent bool)
	Leave(ctx context.Context) actions.JoinState
}
