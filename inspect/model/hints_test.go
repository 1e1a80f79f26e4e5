package model_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
)

// New hints apply at once, and what was seen in the run is kept.
func TestHintsChange(t *testing.T) {
	s := script.New(t)
	s.Apply("/d/" + script.Hex + "__lock__0000000001 owner=A age=1m\n/d/" + script.Hex + "__lock__0000000002 owner=B")
	first := inspect.Decode(s.Snapshot(), nil, s.Hints)
	if m := first.ByPath("/d"); m.Kind != layout.Lock {
		t.Fatal(m.Kind)
	}
	s.Apply("@now +5s\n- /d/" + script.Hex + "__lock__0000000001")
	second := inspect.Decode(s.Snapshot(), first, s.Hints)
	s.Apply("@now +5s\n@hint /d kind=election")
	m := inspect.Decode(s.Snapshot(), second, s.Hints).ByPath("/d")
	if m.Kind != layout.Election || m.Confidence != 1 {
		t.Error(m.Kind, m.Confidence)
	}
	if c := m.Claims[0]; !c.RoleChangeSeen || !c.Since().Equal(second.Snapshot.TakenAt) {
		t.Errorf("since when it is first was forgotten: %+v", c)
	}
}
