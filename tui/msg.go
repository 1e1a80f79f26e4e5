package tui

import (
	"github.com/zkscope/zkscope/actions"
)

// rightsMsg says which right a plan lacks.
type rightsMsg struct {
	target actions.Target
	lacks  string // empty: none, or not known
	err    error
}

// savedMsg says where a picture was written.
type savedMsg struct {
	file string
	err  error
}

// resultMsg says how applying a plan ended.
type resultMsg struct{ actions.Result }
