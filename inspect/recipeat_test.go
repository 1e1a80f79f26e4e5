package inspect

import (
	"strings"
	"testing"
)

// Every claim, part and foreign child of every fixture is answered for, and by one function.
func TestWhichRecipeIsAtAPath(t *testing.T) {
	res := Decode(snapshotFrom(t, `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","complete":true}
{"path":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001","owner":"0x1"}
{"path":"/locks/a/config","text":"x"}
{"path":"/sem","text":""}
{"path":"/sem/leases/_c_00000000-0000-4000-8000-000000000002-lease-0000000001","owner":"0x1"}
{"path":"/sem/locks"}
{"path":"/ks/0123456789abcdef0123456789abcdef","owner":"0x1"}
{"path":"/ks","text":"2"}
{"path":"/ks-__lock__/0123456789abcdef0123456789abcdee__lock__0000000003","owner":"0x2"}
{"path":"/plain/x"}
`), nil, Hints{})
	for path, want := range map[string]struct {
		recipe string
		how    Relation
	}{
		"/locks/a": {"/locks/a", Itself},
		"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001": {"/locks/a", ItsClaim},
		"/locks/a/config":                      {"/locks/a", Below},
		"/locks/a/not/there":                   {"/locks/a", Below},
		"/locks":                               {"", Nothing},
		"/locks/ab":                            {"", Nothing},
		"/sem":                                 {"/sem", Itself},
		"/sem/leases":                          {"/sem", ItsPart},
		"/sem/leases/other":                    {"/sem", ItsPart},
		"/sem/locks":                           {"/sem", ItsPart},
		"/ks-__lock__":                         {"/ks", ItsPart},
		"/ks-__lock__/other":                   {"/ks", ItsPart},
		"/plain/x":                             {"", Nothing},
		"/":                                    {"", Nothing},
		"/ks/0123456789abcdef0123456789abcdef": {"/ks", ItsClaim},
	} {
		m, c, how := res.RecipeAt(path)
		got := ""
		if m != nil {
			got = m.Path
		}
		if got != want.recipe || how != want.how || (c != nil) != (how == ItsClaim) {
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

func snapshotFrom(t *testing.T, text string) *Snapshot {
	t.Helper()
	rec, err := ReadFile(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return rec.Last()
}
