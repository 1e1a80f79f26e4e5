package model_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
)

// Every claim, part and foreign child of every fixture is answered for, and by one function.
func TestWhichRecipeIsAtAPath(t *testing.T) {
	res := inspect.Decode(script.SnapshotFrom(t, `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","complete":true}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001","owner":"0x1"}
{"path":"/locks/a/config","text":"x"}
{"path":"/sem","text":""}
{"path":"/sem/leases/_c_00000000-0000-4000-8000-000000000002-lease-0000000001","owner":"0x1"}
{"path":"/sem/locks"}
{"path":"/ks/0123456789abcdef0123456789abcdef","owner":"0x1"}
{"path":"/ks","text":"2"}
{"path":"/ks-__lock__/0123456789abcdef0123456789abcdee__lock__0000000003","owner":"0x2"}
{"path":"/plain/x"}
`), nil, model.Hints{})
	for path, want := range map[string]struct {
		recipe string
		how    model.Relation
	}{
		"/locks/a": {"/locks/a", model.Itself},
		"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001": {"/locks/a", model.ItsClaim},
		"/locks/a/config":                      {"/locks/a", model.Below},
		"/locks/a/not/there":                   {"/locks/a", model.Below},
		"/locks":                               {"", model.Nothing},
		"/locks/ab":                            {"", model.Nothing},
		"/sem":                                 {"/sem", model.Itself},
		"/sem/leases":                          {"/sem", model.ItsPart},
		"/sem/leases/other":                    {"/sem", model.ItsPart},
		"/sem/locks":                           {"/sem", model.ItsPart},
		"/ks-__lock__":                         {"/ks", model.ItsPart},
		"/ks-__lock__/other":                   {"/ks", model.ItsPart},
		"/plain/x":                             {"", model.Nothing},
		"/":                                    {"", model.Nothing},
		"/ks/0123456789abcdef0123456789abcdef": {"/ks", model.ItsClaim},
	} {
		m, c, how := res.RecipeAt(path)
		got := ""
		if m != nil {
			got = m.Path
		}
		if got != want.recipe || how != want.how || (c != nil) != (how == model.ItsClaim) {
			t.Errorf("%s: %q, %v, claim %v; want %+v", path, got, how, c != nil, want)
		}
	}
	for m := range res.Models.All() {
		for i := range m.Claims {
			if of, c, _ := res.RecipeAt(m.Claims[i].Path()); of != m || c != &m.Claims[i] {
				t.Errorf("%s: found %v, %v", m.Claims[i].Path(), of, c)
			}
		}
	}
}
