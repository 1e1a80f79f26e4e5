package znode

import (
	"fmt"
	"testing"
)

// An editor that never hands its tree out remembers no more than what the tree holds.
func TestAnEditorForgetsWhatIsGone(t *testing.T) {
	var e Editor
	e.Begin("/", &Node{})
	for i := range 1000 {
		e.Put(fmt.Sprintf("/l/c%d/below", i), &Node{Name: "below"})
		e.Remove(fmt.Sprintf("/l/c%d", i))
	}
	if len(e.own) > 3 {
		t.Errorf("it remembers %d znodes of 2", len(e.own))
	}
}
