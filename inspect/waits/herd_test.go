package waits_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/model"
)

// A watch that a claim left behind, which was given up, wakes its session in vain at most once: who is seen to watch
// the claim ahead of the one it waits with now is not part of a herd on another.
func TestAWatchLeftBehindIsNoHerd(t *testing.T) {
	claim := func(seq string) string { return "/locks/l/" + script.Hex + "__lock__000000000" + seq }
	line := "@server s1:2181 yes\n" + claim("1") + " owner=A\n" + claim("2") + " owner=B\n" + claim("3") +
		" owner=C\n@watch " + claim("1") + " B C\n"
	for watch, want := range map[string]bool{"@watch " + claim("2") + " C": false, "": true} {
		m := script.Run(t, line+watch).Waits.Result.ByPath("/locks/l")
		if f := m.Finding(model.CodeHerd); (f != nil) != want {
			t.Errorf("with %q: herd %v, want %v", strings.TrimSpace(watch), f, want)
		}
	}
}
