package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// actMenu lists what can be done to the selected, and what cannot, with the reason. What can be done comes first, and
// the first of that is selected; nothing is when nothing can be done.
func (a *App) actMenu(m *model.Model, c *model.Claim) tea.Cmd { return a.menuOn(m, c, false) }

// menuOn is actMenu. Alone means that it was asked for where something was read about the claim: what is selected or marked
// in the list below does not matter then.
func (a *App) menuOn(m *model.Model, c *model.Claim, alone bool) tea.Cmd {
	entries := a.actEntries(m, c, alone)
	if len(entries) == 0 {
		a.say("there is nothing to do here", paint.Warn)
		return nil
	}
	slices.SortStableFunc(entries, func(x, y layer.Entry) int { return paint.BoolInt(x.Off != "") - paint.BoolInt(y.Off != "") })
	about := m.Path
	if c != nil {
		about = c.Owner()
	}
	at := 0
	if entries[0].Off != "" {
		at = -1
	}
	a.choose(&layer.Menu{Title: "act on " + term.Safe(about), Entries: entries, At: at, Renew: a.entriesNow(m, c, alone)})
	return nil
}

func (a *App) actEntries(m *model.Model, c *model.Claim, alone bool) []layer.Entry {
	return append(a.offered(m, c, alone), a.ownPart(m, c, alone)...)
}

// entriesNow makes the entries anew for what a menu was opened for; none when that is gone.
func (a *App) entriesNow(m *model.Model, c *model.Claim, alone bool) func() []layer.Entry {
	find := pin(m, c)
	return func() []layer.Entry {
		m, c, ok := find(a.shown.Live)
		if !ok || a.shown.Paused {
			return nil
		}
		return a.actEntries(m, c, alone)
	}
}

// offered are the plans that can be made about a claim and its recipe.
func (a *App) offered(m *model.Model, c *model.Claim, alone bool) (out []layer.Entry) {
	for _, o := range actions.Offers(a.opts.Operator.Scene(a.shown.Result, m, c, a.shown.Now)) {
		if o.Verb == actions.VerbVote {
			continue // see ownPart: it asks for the site, too
		}
		if o.Disabled != "" {
			o = a.otherwise(o, m)
		}
		out = append(out, layer.Entry{Key: o.Key, Label: o.Label, Off: o.Disabled,
			Run: a.pinned(m, c, alone, func(m *model.Model, c *model.Claim) tea.Cmd {
				if len(a.marks) > 0 && !alone {
					return a.offerMarked(o.Verb)
				}
				return a.offerFor(o.Verb, m, c)
			})})
	}
	return out
}

// ownPart is what one can do in a recipe oneself: vote and take a place.
func (a *App) ownPart(m *model.Model, c *model.Claim, alone bool) (out []layer.Entry) {
	if m.Kind.Votes() {
		if !alone && !slices.ContainsFunc(a.picked(), func(s stake) bool { return s.claim == c }) {
			c = nil // the transaction is selected, no site
		}
		e := layer.Entry{Key: a.shown.Keys.Vote.Help().Key, Label: "vote for a site",
			Run: a.pinned(m, nil, alone, func(m *model.Model, _ *model.Claim) tea.Cmd { return a.voteIn(m, c) })}
		if len(unvoted(m)) == 0 {
			e.Off = "every site has voted"
		} else if c != nil && voted(c) {
			e.Off = hasVoted(c)
		}
		out = append(out, e)
	}
	if a.opts.Joiner == nil {
		return out
	}
	if slices.Contains(joinable(), string(m.Kind)) {
		out = append(out, layer.Entry{Key: a.shown.Keys.Join.Help().Key, Label: "take a place in it", Off: a.mayJoin(),
			Run: a.pinned(m, nil, alone, func(m *model.Model, _ *model.Claim) tea.Cmd { a.joinForm(m); return nil })})
	}
	return out
}

// pinned does something to what a menu was opened for, and nothing when that is gone or, unless it stands alone, no longer
// what is selected.
func (a *App) pinned(m *model.Model, c *model.Claim, alone bool, do onClaim) func() tea.Cmd {
	find, name := pin(m, c), term.Safe(m.Path)
	if c != nil {
		name = term.Safe(c.Owner()) + " on " + name
	}
	return func() tea.Cmd {
		m, c, there := find(a.shown.Result)
		same := there && (alone || slices.ContainsFunc(a.subjects(), func(s stake) bool { return s.model == m && (c == nil || s.claim == c) }))
		if !same && (alone || len(a.marks) == 0) {
			a.say(name+" is no longer what is selected: nothing was done, look again", paint.Warn)
			return nil
		}
		return do(m, c)
	}
}
