package model

import (
	"time"

	"github.com/zkscope/zkscope/inspect/say"
)

// Exact reports whether Since is when the claim took its present role. Else it is the earliest that can be: a claim in
// a line that was there first, and holds, may have waited before.
func (c *Claim) Exact() bool {
	return c.Reason != UnlessOld && (c.RoleChangeSeen || c.ArrivalSeen) || !c.HasSeq || !Holding(c.Role())
}

// Lasts says for how long a claim has had its role at a moment; with AtMost before it where it may be less, and empty
// where nothing is known.
func (c *Claim) Lasts(now time.Time) string { return Span(c.Since(), c.Exact(), now) }

// Span says how long ago a moment was, as Lasts does; exact is false where it may be less. Of one that is yet to come,
// for the clocks disagree, nothing is known.
func Span(since time.Time, exact bool, now time.Time) string {
	switch {
	case since.IsZero() || since.After(now.Add(time.Second)):
		return ""
	case exact:
		return say.Age(now.Sub(since))
	}
	return AtMost + say.Age(now.Sub(since))
}

// AtMost stands before a time that is an upper bound.
const AtMost = "≤"
