package act

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// Stake is a claim of a recipe, or the recipe where claim is nil.
type Stake struct {
	Model *model.Model
	Claim *model.Claim
	Lost  bool // a claim of it was meant, which is gone
}

// onClaim does something to a claim of a recipe, or to the recipe where the claim is nil.
type onClaim = func(*model.Model, *model.Claim) tea.Cmd

// Which asks about which of several claims something is to be done, and does it at once where there is one.
func (h *Hand) Which(do string, all []Stake, then onClaim) tea.Cmd {
	switch len(all) {
	case 0:
		h.host.Say("nothing is selected that could be acted on", paint.Warn)
		return nil
	case 1:
		return then(all[0].Model, all[0].Claim)
	}
	h.stack.Open(h.host, h.whichMenu(do+": which of these?", all, then))
	return nil
}

// whichMenu is a menu of claims.
func (h *Hand) whichMenu(title string, all []Stake, then onClaim) *layer.Menu {
	var entries []layer.Entry
	for i, s := range all[:min(len(all), MaxNamed)] {
		find := Pin(s.Model, s.Claim)
		entries = append(entries, layer.Entry{Key: choiceKey(i), Label: h.StakeText(s), Run: func() tea.Cmd {
			m, c, ok := find(h.shown.Result)
			if !ok {
				h.host.Say("that claim is gone: nothing was done", paint.Warn)
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

// StakeText tells a claim from the others that a finding names.
func (h *Hand) StakeText(s Stake) string {
	text := term.Safe(s.Model.Path)
	if s.Claim == nil {
		return text
	}
	name := term.Safe(s.Claim.Owner())
	if s.Claim.HasSeq {
		name += " (" + chart.ShortSeq(s.Claim.Seq) + ")"
	}
	text = fmt.Sprintf("%s, %s of %s", name, h.shown.Panel(s.Model.Kind).Word(s.Claim.Role()), text)
	if s.Claim.Session != 0 {
		text += ", session " + s.Claim.Session.String()
	}
	return text
}

// MaxNamed is how many claims of a finding can be chosen from.
const MaxNamed = 20

// Pin remembers a recipe and a claim of it by their identities, to find them in a later picture.
func Pin(m *model.Model, c *model.Claim) func(*model.Result) (*model.Model, *model.Claim, bool) {
	path, id := m.Path, model.ClaimID{}
	if c != nil {
		id = c.ID()
	}
	return func(r *model.Result) (*model.Model, *model.Claim, bool) {
		m := r.ByPath(path)
		if m == nil || id == (model.ClaimID{}) {
			return m, nil, m != nil
		}
		c := view.ClaimOf(m, id)
		return m, c, c != nil
	}
}
