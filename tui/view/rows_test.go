package view

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
)

// No code of a finding is cut in the list.
func TestCodesFitTheirColumn(t *testing.T) {
	widest := 0
	for _, code := range model.Codes() {
		widest = max(widest, len(code))
	}
	if widest != codeW {
		t.Errorf("the longest code has %d letters, the column %d", widest, codeW)
	}
}
