package chart

import (
	"fmt"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// SeqWidth is how many cells the sequence numbers of a recipe take. The largest is the last in all but odd
// cases, so the column holds still.
func SeqWidth(m *model.Model) int {
	if len(m.Claims) == 0 {
		return 4
	}
	last := &m.Claims[len(m.Claims)-1]
	w := min(11, max(4, len(ShortSeq(last.Seq)), len(ShortSeq(m.Claims[0].Seq))))
	if p := last.Priority(); p != nil {
		w += 1 + len(strconv.FormatInt(*p, 10))
	}
	return w
}

// Lasts is how long a claim has stood as it does, where that is known.
func Lasts(t *paint.Theme, c *model.Claim, now time.Time) string {
	if l := c.Lasts(now); l != "" {
		return t.Spelled(l)
	}
	return "?"
}

// WhyText says why a claim stands as it does, and whether it is ours or was asked to let go.
func WhyText(t *paint.Theme, c *model.Claim) string {
	why := term.Safe(c.Why())
	switch {
	case c.Revoked:
		return "asked to let go; " + why
	case c.Mine:
		return "you; " + why
	}
	return why
}

// Behind names whom a claim waits for, and how sure that is.
func Behind(t *paint.Theme, c *model.Claim) string {
	ahead := c.Ahead()
	if ahead == nil {
		return ""
	}
	text := term.Safe(ahead.Owner())
	if ahead.HasSeq {
		text = ShortSeq(ahead.Seq)
	}
	if n := len(c.Blockers()); n > 1 {
		text += "+" + strconv.Itoa(n-1)
	}
	return text + " " + ProofSign(t, c.Proof())
}

// ProofSign is the sign of how sure it is that a claim waits for another.
func ProofSign(t *paint.Theme, p model.Proof) string {
	switch p {
	case model.Proven:
		return t.Seen
	case model.Refuted:
		return t.Refuted
	}
	return t.Likely
}

// ShortSeq prints the end of a sequence number, as people say it: at least four digits.
func ShortSeq(n int64) string {
	if n < 0 {
		return strconv.FormatInt(n, 10)
	}
	s := strconv.FormatInt(n, 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}

// ClaimFacts pins a claim in one line; in a line it says what its owner listens for.
func ClaimFacts(k layout.Kind, c *model.Claim) string {
	if c.Unread() {
		return "nothing but its name was read"
	}
	facts := fmt.Sprintf("czxid %d, version %d", int64(c.Czxid()), c.Version())
	if c.Session != 0 {
		facts = "session " + c.Session.String() + ", " + facts
	}
	if !k.Waits() {
		return facts
	}
	switch c.Hears() {
	case model.HearsProven, model.HearsLikely, model.HearsUnlikely:
		facts += fmt.Sprintf("; revocable: %s", c.Hears())
	case model.HearsUnknown:
		facts += "; cannot be asked to let go"
	}
	return facts
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
