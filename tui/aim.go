package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// settled is how long the selection must have held still by itself before a key acts on it: who pressed a key in that
// time meant what was selected before.
const settled = time.Second

// aim is what a key would act on: the page and its line, or the recipe and, in the claims, the claim.
type aim struct {
	view, arg, line string
	recipe          string
	claim           inspect.ClaimID
}

func (a *App) aim() aim {
	if p := a.page(); p != nil {
		return aim{view: p.view.name, arg: p.arg, line: p.sel}
	}
	out := aim{recipe: a.list.sel.path}
	if a.focus == onClaims {
		out.claim = a.claims.sel
	}
	return out
}

// noteShift remembers that the selection is no longer on what it was on before a message that was no key.
func (a *App) noteShift(before aim) {
	if a.aim() != before {
		a.shiftedAt = a.opts.Clock()
	}
}

// misaimed says why a key that acts must not: the selection has moved by itself a moment ago, or what it is on is gone.
// Empty: nothing is in the way.
func (a *App) misaimed() string {
	if gone := a.goneModel(); gone != nil {
		return term.Safe(gone.Path) + " is " + a.goneWord() + ": select something that is there"
	}
	m, c := a.subject()
	if m == nil || a.shiftedAt.IsZero() || a.opts.Clock().Sub(a.shiftedAt) >= settled {
		return ""
	}
	to := term.Safe(m.Path)
	if c != nil && (a.focus == onClaims || a.page() != nil) {
		to = term.Safe(c.Owner()) + " in " + to
	}
	return "the selection has just moved to " + to + ": press again"
}

// acts reports whether a key acts on the selection, or opens a form or a box about it.
func (k *KeyMap) acts(msg tea.KeyMsg) bool {
	return key.Matches(msg, k.Revoke, k.Break, k.Restore, k.Act, k.Mark, k.Unmark, k.Join, k.Vote, k.Copy, k.Notify, k.Sort, k.Reverse, k.Hex)
}

// held is the selected recipe while it is gone: its row stays, and the selection on it, until the operator moves.
type held struct {
	goneRow
	path string
}

// hold keeps the selected recipe's row when the recipe goes, and lets go of it when it is back or no longer selected.
func (a *App) hold() {
	path, f := a.list.sel.path, &a.fades
	switch {
	case !a.list.chosen || path == "" || a.res.ByPath(path) != nil:
		f.held = nil
	case f.held != nil && f.held.path == path:
	default:
		f.held = a.lastSeen(path)
	}
	if f.held != nil {
		f.held.row.word = a.goneWord()
	}
}

// lastSeen is the selected row as it was when its recipe was there; nil where it was never drawn.
func (a *App) lastSeen(path string) *held {
	r := a.list.current()
	if r == nil || r.model == nil || r.model.Path != path {
		return nil
	}
	h := &held{goneRow{row: row{section: string(r.model.Kind), model: r.model}, at: a.asOf(), index: a.list.at}, path}
	if a.list.at > 0 {
		h.after = a.list.rows[a.list.at-1].key()
	}
	return h
}

// goneModel is the selected recipe as it was last known, when it is gone and still selected; else nil.
func (a *App) goneModel() *inspect.Model {
	if r := a.list.current(); a.page() == nil && r != nil && r.model == nil {
		return r.late
	}
	return nil
}

// goneWord says how sure it is that what is not seen is not there.
func (a *App) goneWord() string {
	switch {
	case !a.res.Snapshot.Complete:
		return "not read yet"
	case a.link.File:
		return "not there at this moment"
	}
	return "gone"
}

// goneArea tells about a selected recipe that is gone what was last known of it.
func (a *App) goneArea(m *inspect.Model, w int) (out []line) {
	since := a.asOf()
	if h := a.fades.held; h != nil {
		since = h.at
	}
	add := func(s Style, text string) {
		for _, l := range term.Wrap(text, w-2, 4, a.theme.Ellipsis) {
			out = append(out, line{{" " + l, s}})
		}
		out = append(out, nil)
	}
	add(Warn, a.goneWord()+": since "+a.clock(since)+", "+inspect.Age(a.asOf().Sub(since))+" ago; was "+term.Safe(m.Summary(since)))
	add(Dim, "it stays selected until you move, and is selected still if it comes back; "+a.keys.Events.Help().Key+" tells what happened")
	return out
}

// aimed opens a form about the selection, unless the selection has just moved or is gone.
func (a *App) aimed(open func(*App)) tea.Cmd {
	if why := a.misaimed(); why != "" {
		a.say(why, Warn)
		return nil
	}
	open(a)
	return nil
}
