package act

import (
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/view"
)

// Busy reports whether something lies over the recipes and the pages that takes the keys.
func Busy(s *layer.Stack) bool {
	_, page := s.Top().(*view.Page)
	return s.Top() != nil && !page
}
