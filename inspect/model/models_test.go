package model

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The list in parts holds what a plain list would, finds it by path, and shares the parts that did not change.
func TestModelsAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var plain []*Model
		var list Models
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			removed, added := drawChange(t, plain)
			next := list.Spliced(removed, added)
			plain = splice(plain, removed, added)
			if got := slices.Collect(next.All()); !slices.Equal(got, plain) || next.Len() != len(plain) {
				t.Fatalf("%d models, want %d", len(got), len(plain))
			}
			for _, c := range next.chunks {
				if len(c) == 0 || len(c) > chunkMost {
					t.Fatalf("a part of %d", len(c))
				}
			}
			for i := 0; i < len(plain); i += 97 {
				if next.At(i) != plain[i] || next.byPath(plain[i].Path) != plain[i] {
					t.Fatalf("%s is not at %d", plain[i].Path, i)
				}
			}
			sharesParts(t, list, next, len(removed)+len(added))
			list = next
		}
		if list.byPath("/none") != nil || list.At(len(plain)) != nil {
			t.Fatal("found what is not there")
		}
	})
}

// drawChange draws models to take away and others to put in, some of them in the place of those.
func drawChange(t *rapid.T, plain []*Model) (removed, added []*Model) {
	gone := make(map[string]bool)
	for range rapid.IntRange(0, min(20, len(plain))).Draw(t, "gone") {
		m := plain[rapid.IntRange(0, len(plain)-1).Draw(t, "which")]
		if !gone[m.Path] {
			gone[m.Path] = true
			removed = append(removed, m)
		}
	}
	there := make(map[string]bool)
	for _, m := range plain {
		there[m.Path] = !gone[m.Path]
	}
	first := rapid.IntRange(0, 3000).Draw(t, "first")
	for i := range rapid.SampledFrom([]int{0, 1, 3, 1500}).Draw(t, "many") {
		if path := fmt.Sprintf("/r-%05d", first+i); !there[path] {
			added = append(added, &Model{Path: path})
		}
	}
	SortModels(removed)
	SortModels(added)
	return removed, added
}

// sharesParts checks that no more parts are new than models changed.
func sharesParts(t *rapid.T, old, new Models, changes int) {
	had := make(map[*Model]int)
	for _, c := range old.chunks {
		had[c[0]] = len(c)
	}
	fresh := 0
	for _, c := range new.chunks {
		if had[c[0]] != len(c) {
			fresh++
		}
	}
	if fresh > 2*changes {
		t.Fatalf("%d new parts after %d changes", fresh, changes)
	}
}
