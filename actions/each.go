package actions

import "github.com/zkscope/zkscope/inspect"

// Planned is the plan for one of several claims, or why there is none: Disabled, in one line, is empty where there is one.
type Planned struct {
	Plan     Plan
	Disabled string
	Recipe   string
	Name     string
}

// PlanEach works out the plans of one verb for several claims, in their order: each says what follows once those before it in
// the same recipe are carried out. Of a verb that asks for a value it makes none. It takes as long as decoding the recipes
// does, and is pure.
func PlanEach(scenes []Scene, verb Verb) []Planned {
	gone := map[string][]string{} // by recipe
	out := make([]Planned, len(scenes))
	for i, s := range scenes {
		path := s.Model.Path
		out[i] = planAfter(s, verb, gone[path])
		if p := out[i].Plan; out[i].Disabled == "" && p.Deletes() {
			gone[path] = append(gone[path], p.Target.Path)
		}
	}
	return out
}

// planAfter makes the plan for a claim once other znodes of its recipe are gone.
func planAfter(s Scene, verb Verb, gone []string) Planned {
	out := Planned{Recipe: s.Model.Path, Name: s.Claim.Owner()}
	if len(gone) > 0 {
		if s = s.without(gone); s.Claim == nil {
			out.Disabled = "it is gone once those before it are"
			return out
		}
	}
	o, ok := Find(s, verb)
	switch {
	case !ok:
		out.Disabled = "there is nothing to " + string(verb) + " there"
	case o.Disabled != "":
		out.Disabled = o.Disabled
	case o.Asks != "":
		out.Disabled = "it asks for a value of its own"
	default:
		out.Plan = o.Plan()
	}
	return out
}

// without is the scene as it is once some znodes are gone.
func (s Scene) without(gone []string) Scene {
	path := s.Claim.Path()
	snap := s.Result.Snapshot
	for _, p := range gone {
		snap = snap.WithDeleted(p)
	}
	s.Result = inspect.Decode(snap, s.Result, s.Hints)
	s.Model, s.Claim, _ = s.Result.RecipeAt(path)
	return s
}
