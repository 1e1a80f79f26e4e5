package survey

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

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
		h := model.NewHinter(model.Hints{Rules: []model.Hint{{Path: tt.pattern, Kind: layout.Lock}}})
		if got := h.Of(tt.path) != nil; got != tt.want {
			t.Errorf("%s on %s: %v", tt.pattern, tt.path, got)
		}
	}
}

func TestHintsMerge(t *testing.T) {
	h := model.NewHinter(model.Hints{Rules: []model.Hint{
		{Path: "/locks/*", Kind: layout.Lock},
		{Path: "/locks/a", Kind: layout.Election, Limit: 2, Standby: 1, Dialect: layout.Kazoo, Needed: 3,
			Members: []string{"m"}},
	}})
	got := h.Of("/locks/a")
	if got.Kind != layout.Lock || got.Limit != 2 || got.Standby != 1 || got.Dialect != layout.Kazoo ||
		got.Needed != 3 || len(got.Members) != 1 {
		t.Errorf("%+v", got)
	}
	if h.Of("/other") != nil {
		t.Error("a hint for nothing")
	}
}
