package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// actMenu lists what can be done to the selected, and what cannot, with the reason. What can be done comes first, and
// the first of that is selected; nothing is when nothing can be done.
func (a *App) actMenu() {
	m, c := a.subject()
	if m == nil {
		a.say("nothing is selected that could be acted on", Warn)
		return
	}
	entries := append(a.offered(m, c), a.ownPart(m)...)
	if len(entries) == 0 {
		a.say("there is nothing to do here", Warn)
		return
	}
	slices.SortStableFunc(entries, func(x, y entry) int { return boolInt(x.off != "") - boolInt(y.off != "") })
	about := m.Path
	if c != nil {
		about = c.Owner()
	}
	at := 0
	if entries[0].off != "" {
		at = -1
	}
	a.choose(&menu{title: "act on " + term.Safe(about), entries: entries, at: at, renew: a.entriesNow(m, c)})
}

// entriesNow makes the entries anew for what a menu was opened for; none when that is gone.
func (a *App) entriesNow(m *inspect.Model, c *inspect.Claim) func(*App) []entry {
	find := pin(m, c)
	return func(a *App) []entry {
		m, c, ok := find(a.live)
		if !ok || a.paused {
			return nil
		}
		return append(a.offered(m, c), a.ownPart(m)...)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// offered are the plans that can be made about a claim and its recipe.
func (a *App) offered(m *inspect.Model, c *inspect.Claim) (out []entry) {
	for _, o := range a.opts.Operator.Offers(a.res, m, c, a.now) {
		if o.Disabled != "" {
			o = a.otherwise(o, m)
		}
		out = append(out, entry{key: o.Key, label: o.Label, off: o.Disabled,
			run: a.pinned(m, c, func(a *App) tea.Cmd { return a.act(o.Verb) })})
	}
	return out
}

// ownPart is what one can do in a recipe oneself: vote and take a place.
func (a *App) ownPart(m *inspect.Model) (out []entry) {
	if a.opts.Joiner == nil {
		return nil
	}
	if m.Kind == inspect.TwoPhase {
		e := entry{key: a.keys.Vote.Help().Key, label: "vote for a site", off: a.mayJoin(),
			run: a.pinned(m, nil, func(a *App) tea.Cmd { a.voteForm(); return nil })}
		if len(unvoted(m)) == 0 {
			e.off = "every site has voted"
		}
		out = append(out, e)
	}
	if slices.Contains(joinable(), string(m.Kind)) {
		out = append(out, entry{key: a.keys.Join.Help().Key, label: "take a place in it", off: a.mayJoin(),
			run: a.pinned(m, nil, func(a *App) tea.Cmd { a.joinForm(); return nil })})
	}
	return out
}

// pinned does something to what was selected when the menu opened, and nothing when something else is selected by now.
func (a *App) pinned(m *inspect.Model, c *inspect.Claim, do func(*App) tea.Cmd) func(*App) tea.Cmd {
	path, name, id := m.Path, term.Safe(m.Path), inspect.ClaimID{}
	if c != nil {
		name, id = term.Safe(c.Owner())+" on "+name, c.ID()
	}
	return func(a *App) tea.Cmd {
		m, c := a.subject()
		same := m != nil && m.Path == path && (id == inspect.ClaimID{} || c != nil && c.Is(id))
		if !same && len(a.marks) == 0 {
			a.say(name+" is no longer what is selected: nothing was done, look again", Warn)
			return nil
		}
		return do(a)
	}
}
