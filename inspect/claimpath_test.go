package inspect_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// TestClaimPathOfTheRoot: a claim that is the root of a picture has the picture's own path.
func TestClaimPathOfTheRoot(t *testing.T) {
	for _, base := range []string{"/", "/app"} {
		s := &znode.Snapshot{Root: &znode.Node{Data: []byte("x")}, Base: base, Complete: true}
		m := inspect.Decode(s, nil, model.Hints{Rules: []model.Hint{{Path: base, Kind: layout.Barrier}}}).ByPath(base)
		if m == nil || len(m.Claims) != 1 || m.Claims[0].Path() != base || !m.Claims[0].Is(model.ClaimID{Path: base}) {
			t.Errorf("at %s: %+v", base, m)
		}
	}
}
