package limits

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
)

// Terms are how somebody wants pictures shown: what is allowed in them, and what is left out. The zero value changes nothing.
type Terms struct {
	Rules  []Rule
	Hidden []string         // globs, as hints have them: the recipes there are left out
	Usual  map[string]Usual // how long recipes were held before, by path
}

// Empty reports whether pictures stay what they are.
func (t *Terms) Empty() bool { return len(t.Rules)+len(t.Hidden)+len(t.Usual) == 0 }

// Apply returns the result under these terms. How many recipes are left out is what it has fewer.
func (t *Terms) Apply(r *model.Result) *model.Result { return apply(t.shown(r), t.Rules, t.Usual) }

// shown is a result without what is hidden. A finding stays where it is about anything else, too: a deadlock with a hidden lock
// in it is one.
func (t *Terms) shown(r *model.Result) *model.Result {
	hides := t.hides()
	if hides == nil {
		return r
	}
	out := *r
	var gone []*model.Model
	for m := range r.Models.All() {
		if hides(m.Path) {
			gone = append(gone, m)
		}
	}
	out.Models = r.Models.Spliced(gone, nil)
	out.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f model.Finding) bool {
		for _, path := range f.Paths {
			if m, _, _ := r.RecipeAt(path); !hides(path) && (m == nil || !hides(m.Path)) {
				return false
			}
		}
		return len(f.Paths) > 0
	})
	return &out
}

// hides says which paths are hidden; nil where none is.
func (t *Terms) hides() func(path string) bool {
	if len(t.Hidden) == 0 {
		return nil
	}
	var h model.Hints
	for _, glob := range t.Hidden {
		h.Rules = append(h.Rules, model.Hint{Path: glob})
	}
	rules := model.NewHinter(h).Rules
	return func(path string) bool {
		return slices.ContainsFunc(rules, func(r model.HintRule) bool { return r.Matches(path) })
	}
}

// For returns the terms for somebody who asks for a path by name: what hides the path itself hides nothing then.
func (t Terms) For(path string) Terms {
	t.Hidden = slices.DeleteFunc(slices.Clone(t.Hidden), func(glob string) bool {
		one := Terms{Hidden: []string{glob}}
		return one.hides()(path)
	})
	return t
}
