package catalog_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/catalog"
)

// TestEveryKindHasARow: each kind is drawn, by one row, and no other is.
func TestEveryKindHasARow(t *testing.T) {
	rows := make(map[layout.Kind]int)
	for _, r := range catalog.Recipes() {
		if rows[r.Kind]++; r.Plural == "" || r.Count == nil {
			t.Errorf("the row of %s has no heading", r.Kind)
		}
	}
	for _, k := range layout.Kinds() {
		if rows[k] != 1 {
			t.Errorf("%s has %d rows", k, rows[k])
		}
		delete(rows, k)
	}
	for k := range rows {
		t.Errorf("%s has a row and is no kind", k)
	}
}
