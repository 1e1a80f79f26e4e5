package desk

import (
	"time"

	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// Desk is the recipes and the claims of one, below everything.
type Desk struct {
	shown *view.Shown
	hand  *act.Hand
	page  func() *view.Page
	pages func() []*view.Page
	rings func(path string) bool
	say   func(text string, s paint.Style)
	clock func() time.Time

	Focus   Focus
	List    view.List
	Claims  view.Claims
	Sorting view.Sorting
	since   map[view.RowID]view.Since // there is what needs attention
	news    []view.Row                // what urgent of it came since
	whole   bool                      // the picture before was: what is new in this one has come since

	leapt bool // over a part of a recording to this picture: what is selected and not there may be of later

	wholeAt   time.Time // when the first whole picture was there
	shiftedAt time.Time // when the selection last moved by itself, by the keyboard's clock
}

// Focus is the pane that the movement keys move in.
type Focus uint8

// The panes.
const (
	OnList Focus = iota
	OnClaims
)

// Around is what a desk stands among.
type Around struct {
	Shown *view.Shown
	Hand  *act.Hand
	Page  func() *view.Page      // that is shown; nil: the recipes are
	Pages func() []*view.Page    // all that are open, or will be again
	Rings func(path string) bool // a recipe has a notification
	Say   func(text string, s paint.Style)
	Clock func() time.Time // of the keyboard
}

// New makes a desk with nothing on it yet.
func New(x Around) Desk {
	return Desk{shown: x.Shown, hand: x.Hand, page: x.Page, pages: x.Pages, rings: x.Rings, say: x.Say, clock: x.Clock,
		since: map[view.RowID]view.Since{}, List: view.NewList(), Claims: view.NewClaims()}
}
