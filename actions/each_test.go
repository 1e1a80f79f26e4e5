package actions

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
)

// Plans for several claims of one line each say what follows once those before are carried out.
func TestPlansForSeveralClaimsFollowEachOther(t *testing.T) {
	r := crowd(layout.Lock, 3)
	var scenes []Scene
	for _, i := range []int{0, 1, 2, 1} {
		s := r
		s.Claim = &r.Model.Claims[i]
		scenes = append(scenes, s)
	}
	b, c := scenes[1].Claim.Owner(), scenes[2].Claim.Owner()
	all := PlanEach(scenes, VerbBreak)
	for i, want := range []string{b, c, "no claim is left"} {
		if then := strings.Join(all[i].Plan.Outcome, "; "); all[i].Disabled != "" || !strings.Contains(then, want) {
			t.Errorf("%d: %q, %q", i, then, all[i].Disabled)
		}
	}
	if all[3].Disabled == "" || all[3].Plan.Verb != "" {
		t.Errorf("the same again: %+v", all[3])
	}
	if alone := PlanEach(scenes[1:2], VerbBreak)[0].Plan; strings.Join(alone.Outcome, "; ") == strings.Join(all[1].Plan.Outcome, "; ") {
		t.Errorf("alone it says the same: %v", alone.Outcome)
	}
	if p := PlanEach(scenes[:1], VerbSet)[0]; p.Disabled == "" {
		t.Errorf("%+v", p)
	}
}
