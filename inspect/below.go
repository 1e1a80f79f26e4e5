package inspect

// Below returns a result with the recipes at and below a path only, and the findings that span recipes of which one is
// there. What they rest on is everything that was read. The rest is shared.
func (r *Result) Below(path string) *Result {
	out := *r
	var kept []*Model
	for m := range r.Models.All() {
		if _, in := Relative(path, m.Path); in {
			kept = append(kept, m)
		}
	}
	if at, _, how := r.RecipeAt(path); how == ItsClaim || how == ItsPart {
		kept = append(kept, at)
	}
	out.Models, out.Findings = Models{}.spliced(nil, kept), nil
	for _, f := range r.Findings {
		touches := len(f.Paths) == 0
		for _, p := range f.Paths {
			_, in := Relative(path, p)
			m, _, _ := r.RecipeAt(p)
			touches = touches || in || m != nil && out.ByPath(m.Path) == m
		}
		if touches {
			out.Findings = append(out.Findings, f)
		}
	}
	return &out
}
