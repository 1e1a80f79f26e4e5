package world

import (
	"time"

	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/term"
)

// TextOrNil is a text as JSON tells it; an empty one is null.
func TextOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// OrMark is a text as tables show it, escaped; a question mark where it is not known.
func OrMark(s *string) string {
	if s == nil {
		return "?"
	}
	return term.Safe(*s)
}

// StampOrNil is a time as JSON tells it, in UTC; the zero time is null.
func StampOrNil(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := chronicle.Clock(t)
	return &text
}

// OrEmpty is a text that may be missing; empty where it is.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
