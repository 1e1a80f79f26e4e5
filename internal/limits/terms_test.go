package limits_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/script"
)

// paths are those of a result's recipes.
func paths(r *model.Result) string {
	var out []string
	for m := range r.Models.All() {
		out = append(out, m.Path)
	}
	return strings.Join(out, " ")
}

// What is hidden is left out with the findings about nothing else; the result that was given stays whole.
func TestHiddenRecipesAreLeftOut(t *testing.T) {
	r := script.Run(t, tree).Waits.Result.With(
		model.Finding{Code: model.CodeDeadlock, Severity: model.High, Paths: []string{"/locks/a/00000000000000000000000000000001__lock__0000000001", "/q"}},
		model.Finding{Code: model.CodeHerd, Severity: model.High, Paths: []string{"/locks/b/00000000000000000000000000000001__lock__0000000001"}},
		model.Finding{Code: model.CodeClockSkew, Severity: model.High})
	all := paths(r)
	codes := func(r *model.Result) (out string) {
		for _, f := range r.Findings {
			out += f.Code + " "
		}
		return out
	}
	for _, c := range []struct{ hidden, left, found string }{
		{"/locks/**", "/doc /q", "deadlock clock-skew "},
		{"/locks/b", "/doc /locks/a /q", "deadlock clock-skew "},
		{"/locks", all, "deadlock herd clock-skew "},
		{"/*", "/locks/a /locks/b", "deadlock herd clock-skew "},
		{"**", "", "clock-skew "},
	} {
		terms := limits.Terms{Hidden: []string{c.hidden}}
		got := terms.Apply(r)
		found := codes(got)
		for _, code := range strings.Fields(c.found) {
			if !strings.Contains(found, code) {
				t.Errorf("%s hides %s: %s", c.hidden, code, found)
			}
		}
		if paths(got) != c.left || len(strings.Fields(found)) < len(strings.Fields(c.found)) || !strings.Contains(c.found, "herd") && strings.Contains(found, "herd") {
			t.Errorf("%s leaves %s, %s", c.hidden, paths(got), found)
		}
	}
	if paths(r) != all {
		t.Error("the result that was given is changed")
	}
	terms := limits.Terms{Hidden: []string{"/locks/**"}}.For("/locks")
	if got := paths(terms.Apply(r)); got != all {
		t.Error("who asks for a path by name sees", got)
	}
	terms = limits.Terms{Hidden: []string{"/locks/b"}}.For("/locks")
	if got := paths(terms.Apply(r)); got != "/doc /locks/a /q" {
		t.Error("below a path that is asked for", got)
	}
}
