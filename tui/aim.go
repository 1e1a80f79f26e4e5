package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// settled is how long the selection must have held still by itself before a key acts on it: who pressed a key in that
// time meant what was selected before.
const settled = time.Second

// aim is what a key would act on: the page and its line, or the recipe and, in the claims, the claim.
type aim struct {
	view, arg, line string
	row             view.RowID
	claim           model.ClaimID
}

func (a *App) aim() aim {
	if p := a.page(); p != nil {
		return aim{view: p.View.Name, arg: p.Arg, line: p.List.Selected()}
	}
	out := aim{row: a.list.Selected()}
	if a.focus == onClaims {
		out.claim = a.claims.List.Selected()
	}
	return out
}

// firstLook is how long after the first whole picture the selection stays on what stands on top: what the servers tell of
// sessions and watches comes a moment later, and what needs attention with it. From then on it stays on its row.
const firstLook = 3 * time.Second

// settleSelection ends the first look.
func (a *App) settleSelection() {
	s := a.shown.Result.Snapshot
	switch whole := s.Complete || len(s.Partial) > 0; {
	case !a.list.Loose || !whole:
	case a.wholeAt.IsZero():
		a.wholeAt = a.shown.Now
	case a.shown.Now.Sub(a.wholeAt) >= firstLook:
		a.list.Loose = false
	}
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
	if gone := a.goneSubject(); gone != "" {
		return gone + ": select something that is there"
	}
	return a.justMoved()
}

// misplaced is misaimed for keys that are about the recipe alone: it may stand although what is selected of it is gone.
func (a *App) misplaced() string {
	if m := a.standing(); m == nil {
		return a.misaimed()
	}
	return a.justMoved()
}

// standing is the recipe that is shown, where it is there; nil on a page.
func (a *App) standing() *model.Model {
	if a.page() != nil {
		return nil
	}
	return a.model()
}

// justMoved says that the selection has moved by itself a moment ago; empty when it has not.
func (a *App) justMoved() string {
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

// noMore is said of a finding that has ended.
const noMore = "no more"

// ended is the selected row where it is that of a finding that has ended, of a recipe that is still there; else nil.
func (a *App) ended() *view.GoneRow {
	if g := a.list.Lost(); g != nil && g.Item.Finding != nil && a.shown.Result.ByPath(g.Item.Model.Path) != nil {
		return g
	}
	return nil
}

// endedText says of the selected finding that it has ended; empty when it has not.
func (a *App) endedText() string {
	if g := a.ended(); g != nil {
		return noMore + ", since " + a.shown.Clock(g.At) + ": " + g.Item.Finding.Text
	}
	return ""
}

// goneSubject says of what is selected that it is gone; empty when it is there.
func (a *App) goneSubject() string {
	switch p, g := a.page(), a.list.Lost(); {
	case p != nil && p.Lost():
		return "the selected line is gone"
	case p != nil || a.list.Row() == nil:
		return ""
	case a.ended() != nil && a.focus == onList:
		return g.Item.Finding.Code + " of " + g.Item.About() + " is " + noMore
	case a.model() == nil && g != nil:
		return term.Safe(g.Item.Model.Path) + " is " + a.goneWord()
	}
	if g := a.claims.Lost(); g != nil && a.focus == onClaims {
		return term.Safe(g.Item.Owner()) + " in " + term.Safe(a.claims.Path) + " is gone"
	}
	return ""
}

// goneModel is the selected recipe as it was last known, when it is gone and still selected; else nil.
func (a *App) goneModel() *model.Model {
	if g := a.list.Lost(); a.page() == nil && g != nil && a.model() == nil {
		return g.Item.Model
	}
	return nil
}

// goneWord says how sure it is that what is not seen is not there.
func (a *App) goneWord() string {
	switch {
	case !a.shown.Result.Snapshot.Complete:
		return "not read yet"
	case a.shown.Link.File:
		return "not there at this moment"
	}
	return "gone"
}

// goneArea tells about a selected recipe that is gone what was last known of it.
func (a *App) goneArea(m *model.Model, w int) (out []paint.Line) {
	since := a.shown.AsOf()
	if g := a.list.Lost(); g != nil {
		since = g.At
	}
	add := func(s paint.Style, text string) {
		for _, l := range term.Wrap(text, w-2, 4, a.shown.Theme.Ellipsis) {
			out = append(out, paint.Line{s.Text(" " + l)})
		}
		out = append(out, nil)
	}
	add(paint.Warn, a.goneWord()+": since "+a.shown.Clock(since)+", "+say.Age(a.shown.AsOf().Sub(since))+" ago; was "+term.Safe(m.Summary(since)))
	add(paint.Dim, "it stays selected until you move, and is selected still if it comes back; "+a.shown.Keys.Events.Help().Key+" tells what happened")
	return out
}

// aimed opens a form about the selection, unless the selection has just moved or is gone.
func (a *App) aimed(open func() tea.Cmd) tea.Cmd {
	if why := a.misaimed(); why != "" {
		a.say(why, paint.Warn)
		return nil
	}
	return open()
}
