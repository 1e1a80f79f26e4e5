package panel

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
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
		if !HoldsRole(c.Role()) {
			behind++
			continue
		}
		if holders++; holders == 1 {
			b.What, b.Since, b.Most, b.Holds = ShortOwner(c), c.Since(), !c.Exact(), true
		}
	}
	if holders > 1 {
		b.What = "+" + strconv.Itoa(holders-1) + " " + b.What
	}
	b.Waiting = behind
	return b
}

// ShortOwner is a claim's owner for a narrow column: of a session id the end tells sessions apart.
func ShortOwner(c *model.Claim) string {
	const tail = 9
	if c.OwnerSource() == model.FromNode {
		if name := layout.ParseName(c.Node()); name.HasSeq && name.SeqText() != "" {
			return ".." + name.SeqText()
		}
	}
	if s := c.Owner(); c.OwnerSource() == model.FromSession && len(s) > tail+2 {
		return ".." + s[len(s)-tail:]
	}
	return term.Safe(c.Owner())
}

// HoldsRole reports whether a role is that of one who has what others wait for.
func HoldsRole(r model.Role) bool { return r == model.Holder || r == model.Leader }

// SeverityMark is the sign and the look of a severity.
func SeverityMark(t *paint.Theme, s model.Severity) (string, paint.Style) {
	switch s {
	case model.High:
		return t.Alert, paint.Alert
	case model.Medium:
		return t.Warn, paint.Warn
	}
	return t.Note, paint.Dim
}
