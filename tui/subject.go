package tui

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/view"
)

// subject is what a key acts on: the claim under the cursor, whatever view it is in; on a finding's row the claim that
// the finding names first. The claim is nil where a recipe has none, or the line is about no claim.
func (a *App) subject() (*model.Model, *model.Claim) {
	if s := a.subjects(); len(s) > 0 {
		return s[0].Model, s[0].Claim
	}
	return nil, nil
}

// subjects are all that the selected line names: several where it is a finding's. Where it names a recipe and no claim, it
// is about the first, which is the one that matters.
func (a *App) subjects() []act.Stake {
	all := a.picked()
	if len(all) == 1 && all[0].Claim == nil && !all[0].Lost {
		all[0].Claim = view.ClaimOf(all[0].Model, model.ClaimID{})
	}
	return all
}

// picked are all that the selected line names, and only that: where it is a recipe's, no claim.
func (a *App) picked() []act.Stake {
	p := a.page()
	if p == nil {
		return a.listPicked()
	}
	it := p.Current()
	if it == nil || p.Lost() {
		return nil
	}
	if it.Finding != nil {
		if named := a.named(it.Finding); len(named) > 0 {
			return named
		}
	}
	m, none := a.shown.Result.ByPath(it.To.Recipe), it.To.Claim == (model.ClaimID{})
	switch {
	case m == nil, it.Past && none:
		return nil
	case none:
		return []act.Stake{{Model: m}}
	}
	c := view.ClaimOf(m, it.To.Claim)
	return []act.Stake{{Model: m, Claim: c, Lost: c == nil}}
}

func (a *App) listPicked() []act.Stake {
	r, m := a.list.Row(), a.model()
	switch {
	case m == nil:
		return nil
	case a.focus == onClaims && a.claims.Lost() != nil:
		return []act.Stake{{Model: m, Claim: nil, Lost: true}}
	case a.focus == onClaims && !a.claims.Whole && a.claims.Selected(m) != nil:
		return []act.Stake{{Model: m, Claim: a.claims.Selected(m)}}
	case r.Finding != nil && a.ended() == nil:
		if named := a.named(r.Finding); len(named) > 0 {
			return named
		}
	}
	return []act.Stake{{Model: m}}
}

// named are the claims that a finding is about; of a deadlock it is the one that is best broken, or each that could be where
// none is advised. None where it is about a recipe as a whole.
func (a *App) named(f *model.Finding) (out []act.Stake) {
	if c := a.cycleOf(f); c != nil {
		breaks := c.Breaks
		if c.Severity > model.Low {
			breaks = breaks[c.Victim : c.Victim+1]
		}
		for i := range breaks {
			if m := a.shown.Result.ByPath(breaks[i].Path); m != nil {
				if cl := view.ClaimOf(m, breaks[i].Claim.ID()); cl != nil {
					out = append(out, act.Stake{Model: m, Claim: cl})
				}
			}
		}
		return out[:min(len(out), act.MaxNamed)]
	}
	for _, path := range f.Paths {
		if len(out) == act.MaxNamed {
			break
		}
		if of, c, _ := a.shown.Result.RecipeAt(path); c != nil {
			out = append(out, act.Stake{Model: of, Claim: c})
		}
	}
	return out
}

// cycleOf is the deadlock that a finding tells of, or nil.
func (a *App) cycleOf(f *model.Finding) *waits.Cycle {
	if f.Code != model.CodeDeadlock {
		return nil
	}
	for i := range a.shown.Waits.Cycles {
		if c := &a.shown.Waits.Cycles[i]; slices.Equal(sessionsOf(c), f.Sessions) && c.Victim >= 0 && c.Victim < len(c.Breaks) {
			return c
		}
	}
	return nil
}

// showClaims brings the claims' pane to the selected recipe. On a finding's row its cursor stands on what a key acts on.
func (a *App) showClaims() {
	m := a.model()
	if m == nil {
		a.focus = onList
	}
	a.claims.Show(m, a.focus == onClaims && !a.claims.Whole, a.shown.AsOf())
	r := a.list.Row()
	if m == nil || a.focus == onClaims || r == nil || r.Finding == nil || a.ended() != nil {
		return
	}
	if named := a.named(r.Finding); len(named) > 0 && named[0].Model == m && named[0].Claim != nil {
		a.claims.List.Select(named[0].Claim.ID())
	}
}

// precise reports whether a claim was chosen, and not its recipe.
func (a *App) precise() bool { return a.page() != nil || a.focus == onClaims }
