package script

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// Weighed is a run that is watched step by step.
type Weighed struct {
	*Tree
	Waits *waits.Waits
}

// Run looks at a tree for the first time.
func Run(t *testing.T, text string) *Weighed {
	s := &Weighed{Tree: New(t)}
	s.Then(text)
	return s
}

// Then applies changes and looks again.
func (s *Weighed) Then(text string) *Weighed {
	s.T.Helper()
	s.Apply(text)
	var prev *model.Result
	if s.Waits != nil {
		prev = s.Waits.Result
	}
	s.Waits = waits.Of(inspect.Decode(s.Snapshot(), prev, s.Hints), s.Waits)
	return s
}

// Deadlock is the only cycle, which has the severity and says something.
func (s *Weighed) Deadlock(sev model.Severity, says string) *Weighed {
	s.T.Helper()
	if len(s.Waits.Cycles) != 1 {
		s.T.Fatalf("%d cycles, want one of severity %s", len(s.Waits.Cycles), sev)
	}
	c := s.Waits.Cycles[0]
	if text := c.Finding(nil).Text; c.Severity != sev || !strings.Contains(text, says) ||
		strings.Contains(text, "threads of one process may differ") != (sev == model.High) { // said where nothing else is left to doubt
		s.T.Fatalf("%s: %s; want %s with %q", c.Severity, text, sev, says)
	}
	if r := story.ReportCycle(&c); r.Severity != sev.String() || r.Because == "" {
		s.T.Fatalf("%+v", r)
	}
	return s
}

// None says that there is no cycle.
func (s *Weighed) None() *Weighed {
	s.T.Helper()
	if len(s.Waits.Cycles) != 0 {
		s.T.Fatalf("%+v", s.Waits.Cycles[0].Finding(nil))
	}
	return s
}
