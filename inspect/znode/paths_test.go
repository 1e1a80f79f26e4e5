package znode_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/znode"
)

func TestRelative(t *testing.T) {
	for _, tt := range []struct {
		base, path, rest string
		ok               bool
	}{
		{"/", "/", "", true},
		{"/", "/a/b", "a/b", true},
		{"/", "a", "", false},
		{"/a", "/a", "", true},
		{"/a", "/a/b", "b", true},
		{"/a", "/ab", "", false},
		{"/a", "/", "", false},
	} {
		if rest, ok := znode.Relative(tt.base, tt.path); rest != tt.rest || ok != tt.ok {
			t.Errorf("%s below %s: %q %v", tt.path, tt.base, rest, ok)
		}
	}
}

func TestComparePaths(t *testing.T) {
	sorted := []string{"/", "/a", "/a/b", "/a/b/c", "/a/b-c", "/a-b", "/a-b/c", "/ab", "/b"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := znode.ComparePaths(a, b); got < 0 != (i < j) || got == 0 != (i == j) {
				t.Errorf("%q, %q: %d", a, b, got)
			}
		}
	}
}
