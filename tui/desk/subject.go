package desk

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/view"
)

// Subject is what a key acts on: the claim under the cursor, whatever view it is in; on a finding's row the claim that
// the finding names first. The claim is nil where a recipe has none, or the line is about no claim.
func (d *Desk) Subject() (*model.Model, *model.Claim) {
	if s := d.Subjects(); len(s) > 0 {
		return s[0].Model, s[0].Claim
	}
	return nil, nil
}

// Subjects are all that the selected line names: several where it is a finding's. Where it names a recipe and no claim, it
// is about the first, which is the one that matters.
func (d *Desk) Subjects() []act.Stake {
	all := d.Picked()
	if len(all) == 1 && all[0].Claim == nil && !all[0].Lost {
		all[0].Claim = view.ClaimOf(all[0].Model, model.ClaimID{})
	}
	return all
}

// Picked are all that the selected line names, and only that: where it is a recipe's, no claim.
func (d *Desk) Picked() []act.Stake {
	p := d.page()
	if p == nil {
		return d.listPicked()
	}
	it := p.Current()
	if it == nil || p.Lost() {
		return nil
	}
	if it.Finding != nil {
		if named := d.named(it.Finding); len(named) > 0 {
			return named
		}
	}
	m, none := d.shown.Result.ByPath(it.To.Recipe), it.To.Claim == (model.ClaimID{})
	switch {
	case m == nil, it.Past && none:
		return nil
	case none:
		return []act.Stake{{Model: m}}
	}
	c := view.ClaimOf(m, it.To.Claim)
	return []act.Stake{{Model: m, Claim: c, Lost: c == nil}}
}

func (d *Desk) listPicked() []act.Stake {
	r, m := d.List.Row(), d.Model()
	switch {
	case m == nil:
		return nil
	case d.Focus == OnClaims && d.Claims.Lost() != nil:
		return []act.Stake{{Model: m, Claim: nil, Lost: true}}
	case d.Focus == OnClaims && !d.Claims.Whole && d.Claims.Selected(m) != nil:
		return []act.Stake{{Model: m, Claim: d.Claims.Selected(m)}}
	case r.Finding != nil && d.ended() == nil:
		if named := d.named(r.Finding); len(named) > 0 {
			return named
		}
	}
	return []act.Stake{{Model: m}}
}

// named are the claims that a finding is about; of a deadlock it is the one that is best broken, or each that could be where
// none is advised. None where it is about a recipe as a whole.
func (d *Desk) named(f *model.Finding) (out []act.Stake) {
	if c := d.cycleOf(f); c != nil {
		breaks := c.Breaks
		if c.Severity > model.Low {
			breaks = breaks[c.Victim : c.Victim+1]
		}
		for i := range breaks {
			if m := d.shown.Result.ByPath(breaks[i].Path); m != nil {
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
		if of, c, _ := d.shown.Result.RecipeAt(path); c != nil {
			out = append(out, act.Stake{Model: of, Claim: c})
		}
	}
	return out
}

// cycleOf is the deadlock that a finding tells of, where it is known whose claim is best broken, or nil.
func (d *Desk) cycleOf(f *model.Finding) *waits.Cycle {
	if c := d.shown.Ring(f); c != nil && c.Victim >= 0 && c.Victim < len(c.Breaks) {
		return c
	}
	return nil
}

// ShowClaims brings the claims' pane to the selected recipe. On a finding's row its cursor stands on what a key acts on.
func (d *Desk) ShowClaims() {
	m := d.Model()
	if m == nil {
		d.Focus = OnList
	}
	var p panel.Panel
	if m != nil {
		p = d.shown.Panel(m.Kind)
	}
	d.Claims.Show(m, p, d.Focus == OnClaims && !d.Claims.Whole, d.shown.AsOf())
	r := d.List.Row()
	if m == nil || d.Focus == OnClaims || r == nil || r.Finding == nil || d.ended() != nil {
		return
	}
	if named := d.named(r.Finding); len(named) > 0 && named[0].Model == m && named[0].Claim != nil {
		d.Claims.List.Select(named[0].Claim.ID())
	}
}

// Precise reports whether a claim was chosen, and not its recipe.
func (d *Desk) Precise() bool { return d.page() != nil || d.Focus == OnClaims }
