package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/view"
)

// stake is a claim of a recipe, or the recipe where claim is nil.
type stake struct {
	model *model.Model
	claim *model.Claim
	lost  bool // a claim of it was meant, which is gone
}

// subject is what a key acts on: the claim under the cursor, whatever view it is in; on a finding's row the claim that
// the finding names first. The claim is nil where a recipe has none, or the line is about no claim.
func (a *App) subject() (*model.Model, *model.Claim) {
	if s := a.subjects(); len(s) > 0 {
		return s[0].model, s[0].claim
	}
	return nil, nil
}

// subjects are all that the selected line names: several where it is a finding's. Where it names a recipe and no claim, it
// is about the first, which is the one that matters.
func (a *App) subjects() []stake {
	all := a.picked()
	if len(all) == 1 && all[0].claim == nil && !all[0].lost {
		all[0].claim = view.ClaimOf(all[0].model, model.ClaimID{})
	}
	return all
}

// picked are all that the selected line names, and only that: where it is a recipe's, no claim.
func (a *App) picked() []stake {
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
		return []stake{{model: m}}
	}
	c := view.ClaimOf(m, it.To.Claim)
	return []stake{{m, c, c == nil}}
}

func (a *App) listPicked() []stake {
	r, m := a.list.Row(), a.model()
	switch {
	case m == nil:
		return nil
	case a.focus == onClaims && a.claims.Lost() != nil:
		return []stake{{m, nil, true}}
	case a.focus == onClaims && !a.claims.Whole && a.claims.Selected(m) != nil:
		return []stake{{model: m, claim: a.claims.Selected(m)}}
	case r.Finding != nil && a.ended() == nil:
		if named := a.named(r.Finding); len(named) > 0 {
			return named
		}
	}
	return []stake{{model: m}}
}

// maxNamed is how many claims of a finding can be chosen from.
const maxNamed = 20

// named are the claims that a finding is about; of a deadlock it is the one that is best broken, or each that could be where
// none is advised. None where it is about a recipe as a whole.
func (a *App) named(f *model.Finding) (out []stake) {
	if c := a.cycleOf(f); c != nil {
		breaks := c.Breaks
		if c.Severity > model.Low {
			breaks = breaks[c.Victim : c.Victim+1]
		}
		for i := range breaks {
			if m := a.shown.Result.ByPath(breaks[i].Path); m != nil {
				if cl := view.ClaimOf(m, breaks[i].Claim.ID()); cl != nil {
					out = append(out, stake{model: m, claim: cl})
				}
			}
		}
		return out[:min(len(out), maxNamed)]
	}
	for _, path := range f.Paths {
		if len(out) == maxNamed {
			break
		}
		if of, c, _ := a.shown.Result.RecipeAt(path); c != nil {
			out = append(out, stake{model: of, claim: c})
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

// onClaim does something to a claim of a recipe, or to the recipe where the claim is nil.
type onClaim = func(*model.Model, *model.Claim) tea.Cmd

// which asks about which of several claims something is to be done, and does it at once where there is one.
func (a *App) which(do string, all []stake, then onClaim) tea.Cmd {
	switch len(all) {
	case 0:
		a.say("nothing is selected that could be acted on", paint.Warn)
		return nil
	case 1:
		return then(all[0].model, all[0].claim)
	}
	a.choose(a.whichMenu(do+": which of these?", all, then))
	return nil
}

// whichMenu is a menu of claims.
func (a *App) whichMenu(title string, all []stake, then onClaim) *layer.Menu {
	var entries []layer.Entry
	for i, s := range all[:min(len(all), maxNamed)] {
		find := pin(s.model, s.claim)
		entries = append(entries, layer.Entry{Key: choiceKey(i), Label: a.stakeText(s), Run: func() tea.Cmd {
			m, c, ok := find(a.shown.Result)
			if !ok {
				a.say("that claim is gone: nothing was done", paint.Warn)
				return nil
			}
			return then(m, c)
		}})
	}
	return &layer.Menu{Title: title, Entries: entries}
}

// choiceKey is the key of a choice: digits, then letters that move nothing.
func choiceKey(i int) string {
	const keys = "123456789abcdefghilm"
	return keys[i : i+1]
}

// stakeText tells a claim from the others that a finding names.
func (a *App) stakeText(s stake) string {
	text := term.Safe(s.model.Path)
	if s.claim == nil {
		return text
	}
	name := term.Safe(s.claim.Owner())
	if s.claim.HasSeq {
		name += " (" + panel.ShortSeq(s.claim.Seq) + ")"
	}
	text = fmt.Sprintf("%s, %s of %s", name, a.shown.Panel(s.model.Kind).Word(s.claim.Role()), text)
	if s.claim.Session != 0 {
		text += ", session " + s.claim.Session.String()
	}
	return text
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
	if named := a.named(r.Finding); len(named) > 0 && named[0].model == m && named[0].claim != nil {
		a.claims.List.Select(named[0].claim.ID())
	}
}
