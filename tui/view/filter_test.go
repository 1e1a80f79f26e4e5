package view_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// A word of a filter is contained in a path, and begins a word of ours: gathering is nobody's ring.
func TestAFilterKnowsWordsOfOurs(t *testing.T) {
	barrier := &model.Model{Path: "/sync/start", Kind: layout.DoubleBarrier, Dialect: layout.Curator, State: model.Gathering,
		Findings: []model.Finding{{Code: model.CodeOwnerDisconnected}}}
	for text, want := range map[string]bool{"ring": false, "gather": true, "art": true, "barrier": true, "doub": true, "double": true, "arrier": false,
		"disconn": true, "owner-dis": true, "connected": false, "/.*ring/": true, "=gathering": true, "!ring": true, "!gathering": false, "start cur": true} {
		f := widget.ParseFilter(text)
		if got := view.KeepsModel(&f, barrier); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
