package model

import (
	"time"

	"github.com/zkscope/zkscope/inspect/say"
)

// Span says how long ago a moment was, as Lasts does; exact is false where it may be less. Of one that is yet to come, for
// the clocks disagree, nothing is known.
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
