package cli

import (
	"time"

	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/term"
)

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orMark(s *string) string {
	if s == nil {
		return "?"
	}
	return term.Safe(*s)
}

func stampOrNil(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := chronicle.Clock(t)
	return &text
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
