package inspect

import "testing"

func TestHintPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"/locks/orders", "/locks/orders", true},
		{"/locks/orders", "/locks/orders/x", false},
		{"/locks/*", "/locks/orders", true},
		{"/locks/*", "/locks/a/b", false},
		{"/locks/*-lock", "/locks/a-lock", true},
		{"/**", "/", true},
		{"/**", "/a/b/c", true},
		{"/**/election", "/election", true},
		{"/**/election", "/a/b/election", true},
		{"/**/election", "/a/b/election/c", false},
		{"/a/**/c", "/a/c", true},
		{"/a/**/c", "/a/b/b/c", true},
		{"/a/?", "/a/b", true},
		{"/a/[", "/a/b", false}, // no pattern at all: matches nothing
		{"/", "/", true},
	} {
		h := newHinter(Hints{Rules: []Hint{{Path: tt.pattern, Kind: Lock}}})
		if got := h.of(tt.path) != nil; got != tt.want {
			t.Errorf("%s on %s: %v", tt.pattern, tt.path, got)
		}
	}
}

func TestHintsMerge(t *testing.T) {
	h := newHinter(Hints{Rules: []Hint{
		{Path: "/locks/*", Kind: Lock},
		{Path: "/locks/a", Kind: Election, Limit: 2, Standby: 1, Dialect: Kazoo, Needed: 3, Members: []string{"m"}},
	}})
	got := h.of("/locks/a")
	if got.Kind != Lock || got.Limit != 2 || got.Standby != 1 || got.Dialect != Kazoo || got.Needed != 3 || len(got.Members) != 1 {
		t.Errorf("%+v", got)
	}
	if h.of("/other") != nil {
		t.Error("a hint for nothing")
	}
}

// New hints apply at once, and what was seen in the run is kept.
func TestHintsChange(t *testing.T) {
	s := newStage(t)
	s.apply("/d/" + testHex + "__lock__0000000001 owner=A age=1m\n/d/" + testHex + "__lock__0000000002 owner=B")
	first := Decode(s.snapshot(), nil, s.hints)
	if m := first.ByPath("/d"); m.Kind != Lock {
		t.Fatal(m.Kind)
	}
	s.apply("@now +5s\n- /d/" + testHex + "__lock__0000000001")
	second := Decode(s.snapshot(), first, s.hints)
	s.apply("@now +5s\n@hint /d kind=election")
	m := Decode(s.snapshot(), second, s.hints).ByPath("/d")
	if m.Kind != Election || m.Confidence != 1 {
		t.Error(m.Kind, m.Confidence)
	}
	if c := m.Claims[0]; !c.SinceSeen || !c.Since().Equal(second.Snapshot.TakenAt) {
		t.Errorf("since when it is first was forgotten: %+v", c)
	}
}
