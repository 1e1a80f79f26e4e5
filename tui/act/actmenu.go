package act

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// ActMenu lists what can be done to the selected, and what cannot, with the reason. What can be done comes first, and
// the first of that is selected; nothing is when nothing can be done.
func (h *Hand) ActMenu(m *model.Model, c *model.Claim) tea.Cmd { return h.MenuOn(m, c, false) }

// MenuOn opens the menu of what can be done with a claim. Alone means that it was asked for where something was read about the claim: what is selected or marked
// in the list below does not matter then.
func (h *Hand) MenuOn(m *model.Model, c *model.Claim, alone bool) tea.Cmd {
	entries := h.actEntries(m, c, alone)
	if len(entries) == 0 {
		h.host.Say("there is nothing to do here", paint.Warn)
		return nil
	}
	sorted.By(entries, func(x, y layer.Entry) int { return paint.BoolInt(x.Off != "") - paint.BoolInt(y.Off != "") })
	h.stack.Open(h.host, &layer.Menu{Title: "Act on " + term.Safe(nameOf(m, c)), Entries: entries, At: -paint.BoolInt(entries[0].Off != ""), Renew: h.entriesNow(m, c, alone)})
	return nil
}

func (h *Hand) actEntries(m *model.Model, c *model.Claim, alone bool) []layer.Entry {
	return append(h.offered(m, c, alone), h.ownPart(m, c, alone)...)
}

// entriesNow makes the entries anew for what a menu was opened for; none when that is gone.
func (h *Hand) entriesNow(m *model.Model, c *model.Claim, alone bool) func() []layer.Entry {
	find := Pin(m, c)
	return func() []layer.Entry {
		m, c, ok := find(h.shown.Live)
		if !ok || h.shown.Paused {
			return nil
		}
		return h.actEntries(m, c, alone)
	}
}

// offered are the plans that can be made about a claim and its recipe.
func (h *Hand) offered(m *model.Model, c *model.Claim, alone bool) (out []layer.Entry) {
	for _, o := range actions.Offers(h.Means.Operator.Scene(h.shown.Result, m, c, h.shown.Now)) {
		if o.Verb == actions.VerbVote {
			continue // see ownPart: it asks for the site, too
		}
		if o.Disabled != "" {
			o = h.otherwise(o, m)
		}
		out = append(out, layer.Entry{Key: o.Key, Label: o.Label, Off: o.Disabled,
			Run: h.pinned(m, c, alone, func(m *model.Model, c *model.Claim) tea.Cmd {
				if len(h.Marks) > 0 && !alone {
					return h.offerMarked(o.Verb)
				}
				return h.offerFor(o.Verb, m, c)
			})})
	}
	return out
}

// ownPart is what one can do in a recipe oneself: vote and take a place.
func (h *Hand) ownPart(m *model.Model, c *model.Claim, alone bool) (out []layer.Entry) {
	if m.Kind.Votes() {
		if !alone && !slices.ContainsFunc(h.screen.Picked(), func(s Stake) bool { return s.Claim == c }) {
			c = nil // the transaction is selected, no site
		}
		e := layer.Entry{Key: h.shown.Keys.Vote.Help().Key, Label: "vote for a site",
			Run: h.pinned(m, nil, alone, func(m *model.Model, _ *model.Claim) tea.Cmd { return h.voteIn(m, c) })}
		if len(Unvoted(m)) == 0 {
			e.Off = "every site has voted"
		} else if c != nil && voted(c) {
			e.Off = hasVoted(c)
		}
		out = append(out, e)
	}
	if h.Means.Joiner == nil {
		return out
	}
	if slices.Contains(joinable(), string(m.Kind)) {
		out = append(out, layer.Entry{Key: h.shown.Keys.Join.Help().Key, Label: "take a place in it", Off: h.mayJoin(),
			Run: h.pinned(m, nil, alone, func(m *model.Model, _ *model.Claim) tea.Cmd { h.joinForm(m); return nil })})
	}
	return out
}

// pinned does something to what a menu was opened for, and nothing when that is gone or, unless it stands alone, no longer
// what is selected.
func (h *Hand) pinned(m *model.Model, c *model.Claim, alone bool, do onClaim) func() tea.Cmd {
	find, name := Pin(m, c), term.Safe(m.Path)
	if c != nil {
		name = term.Safe(c.Owner()) + " on " + name
	}
	return func() tea.Cmd {
		m, c, there := find(h.shown.Result)
		same := there && (alone || slices.ContainsFunc(h.screen.Subjects(), func(s Stake) bool { return s.Model == m && (c == nil || s.Claim == c) }))
		if !same && (alone || len(h.Marks) == 0) {
			h.host.Say(name+" is no longer what is selected: nothing was done, look again", paint.Warn)
			return nil
		}
		return do(m, c)
	}
}
