package layer_test

import (
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/layer"
)

// slip is a layer with a name that is done when a key was pressed.
type slip struct {
	name string
	done bool
}

func (s *slip) Key(tea.KeyMsg) tea.Cmd { s.done = true; return nil }
func (s *slip) Done() bool             { return s.done }
func (s *slip) Draw(below func() []string, _, _ int) []string {
	if s.name == "whole" {
		return []string{"whole"}
	}
	return append(below(), s.name)
}

func TestAStackDrawsWhatLiesOnIt(t *testing.T) {
	var s layer.Stack
	drew := 0
	below := func() []string { drew++; return []string{"base"} }
	if got := s.Draw(below, 1, 1); !slices.Equal(got, []string{"base"}) || s.Top() != nil {
		t.Errorf("empty: %q", got)
	}
	whole, box := &slip{name: "whole"}, &slip{name: "box"}
	s.Push(whole)
	s.Push(box)
	if got := s.Draw(below, 1, 1); !slices.Equal(got, []string{"whole", "box"}) || drew != 1 {
		t.Errorf("%q, what is covered was drawn %d times", got, drew-1)
	}
	s.Top().Key(tea.KeyMsg{})
	if s.Top() != whole {
		t.Error("what is done stays")
	}
	whole.Key(tea.KeyMsg{})
	next := &slip{name: "next"}
	s.Push(next)
	if got := s.All(); len(got) != 1 || got[0] != next {
		t.Errorf("%d layers", len(got))
	}
	s.Keep(func(layer.Layer) bool { return false })
	if s.Top() != nil {
		t.Error("not taken away")
	}
}
