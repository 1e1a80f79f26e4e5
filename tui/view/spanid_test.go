package view

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A ring of claims of one line stays one row, whichever of its claims are told; deadlocks across recipes are told apart by
// their sessions.
func TestARingOfOneLineIsOneRow(t *testing.T) {
	of := func(paths []string, ids ...znode.SessionID) RowID {
		return SpanID(&model.Finding{Code: model.CodeDeadlock, Paths: paths, Sessions: ids})
	}
	if of([]string{"/rw"}, 1, 2) != of([]string{"/rw"}, 2, 3) {
		t.Error("another claim of the ring is another row")
	}
	if of([]string{"/a", "/b"}, 1, 2) == of([]string{"/a", "/b"}, 2, 3) {
		t.Error("two deadlocks are one row")
	}
}
