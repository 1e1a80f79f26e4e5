package panel

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Brief is a recipe in three words: who holds or how it stands, since when, and how many wait.
type Brief struct {
	What    string
	Holds   bool // What names who holds
	Since   time.Time
	Most    bool // it may be later
	Waiting int  // how many wait; NoLine where nobody can, NotKnown where that is not known
}

// What Waiting says where it counts nothing.
const (
	NoLine   = -1
	NotKnown = -2
)

// WaitText is how many wait, in a column's words.
func (b Brief) WaitText() string {
	switch b.Waiting {
	case NoLine:
		return "-"
	case NotKnown:
		return "?"
	}
	return paint.Number(b.Waiting)
}

// BriefOf is a recipe's row, as its kind wants it.
func BriefOf(m *model.Model, p Panel) Brief {
	if p.Brief != nil {
		return p.Brief(m)
	}
	return claimsBrief(m)
}

// claimsBrief names who holds, since when, and the number of those behind.
func claimsBrief(m *model.Model) (b Brief) {
	holders, behind := 0, 0
	for i := range m.Claims {
		c := &m.Claims[i]
		if !chart.HoldsRole(c.Role()) {
			behind++
			continue
		}
		if holders++; holders == 1 {
			b.What, b.Since, b.Most, b.Holds = chart.ShortOwner(c), c.Since(), !c.Exact(), true
		}
	}
	if holders > 1 {
		b.What = "+" + strconv.Itoa(holders-1) + " " + b.What
	}
	b.Waiting = behind
	return b
}

func countState(models []*model.Model, s model.State) (n int) {
	for _, m := range models {
		if m.State == s {
			n++
		}
	}
	return n
}

func countAll([]*model.Model) string { return "" }

// firstCreated is when the first of the claims was made.
func firstCreated(m *model.Model) (at time.Time) {
	for i := range m.Claims {
		if c := m.Claims[i].Created(); !c.IsZero() && (at.IsZero() || c.Before(at)) {
			at = c
		}
	}
	return at
}
