package desk

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
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
	recipe          string
	claim           model.ClaimID
}

// Aim is what a key would act on now.
func (d *Desk) Aim() aim {
	if p := d.page(); p != nil {
		return aim{view: p.View.Name, arg: p.Arg, line: p.List.Selected()}
	}
	out := aim{row: d.List.Selected()}
	if m := d.Model(); m != nil && out.row.Urgent() { // what was found may come to stand for another recipe
		out.recipe = m.Path
	}
	if d.Focus == OnClaims {
		out.claim = d.Claims.List.Selected()
	}
	return out
}

// firstLook is how long after the first whole picture the selection stays on what stands on top: what the servers tell of
// sessions and watches comes a moment later, and what needs attention with it. From then on it stays on its row.
const firstLook = 3 * time.Second

// SettleSelection ends the first look.
func (d *Desk) SettleSelection() {
	s := d.shown.Result.Snapshot
	switch whole := s.Complete || len(s.Partial) > 0; {
	case !d.List.Loose || !whole:
	case d.wholeAt.IsZero():
		d.wholeAt = d.shown.Now
	case d.shown.Now.Sub(d.wholeAt) >= firstLook:
		d.List.Loose = false
	}
}

// NoteShift remembers that the selection is no longer on what it was on before a message that was no key.
func (d *Desk) NoteShift(before aim) {
	if d.Aim() != before {
		d.shiftedAt = d.clock()
	}
}

// Misaimed says why a key that acts must not: the selection has moved by itself a moment ago, or what it is on is gone.
// Empty: nothing is in the way.
func (d *Desk) Misaimed() string {
	if gone := d.goneSubject(); gone != "" {
		return gone + ": select something that is there"
	}
	return d.justMoved()
}

// Misplaced is misaimed for keys that are about the recipe alone: it may stand although what is selected of it is gone.
func (d *Desk) Misplaced() string {
	if m := d.standing(); m == nil {
		return d.Misaimed()
	}
	return d.justMoved()
}

// standing is the recipe that is shown, where it is there; nil on a page.
func (d *Desk) standing() *model.Model {
	if d.page() != nil {
		return nil
	}
	return d.Model()
}

// justMoved says that the selection has moved by itself a moment ago; empty when it has not.
func (d *Desk) justMoved() string {
	m, c := d.Subject()
	if m == nil || d.shiftedAt.IsZero() || d.clock().Sub(d.shiftedAt) >= settled {
		return ""
	}
	to := term.Safe(m.Path)
	if c != nil && (d.Focus == OnClaims || d.page() != nil) {
		to = term.Safe(c.Owner()) + " in " + to
	}
	return "the selection has just moved to " + to + ": press again"
}

// ended is the selected row where it is that of a finding that has ended, of a recipe that is still there; else nil.
func (d *Desk) ended() *view.GoneRow {
	if g := d.List.Lost(); g != nil && g.Item.Finding != nil && d.shown.Result.ByPath(g.Item.Model.Path) != nil {
		return g
	}
	return nil
}

// endedText says of the selected finding that it has ended; empty when it has not.
func (d *Desk) endedText() string {
	if g := d.ended(); g != nil && d.leapt {
		return g.Item.Finding.Code + " is not found at this moment"
	} else if g != nil {
		if story.Unknown(d.shown.Result, g.Item.Finding) {
			return "not known since " + d.shown.Clock(g.At) + ", as not every server answers: " + g.Item.Finding.Text
		}
		return "cleared at " + d.shown.Clock(g.At) + ": " + g.Item.Finding.Text
	}
	return ""
}

// goneSubject says of what is selected that it is gone; empty when it is there.
func (d *Desk) goneSubject() string {
	switch p, g := d.page(), d.List.Lost(); {
	case p != nil && p.Lost():
		return "the selected line is gone"
	case p != nil || d.List.Row() == nil:
		return ""
	case d.ended() != nil && d.Focus == OnList:
		return g.Item.Finding.Code + " of " + g.Item.About() +
			say.Either(d.leapt, " is not found at this moment", " has cleared")
	case d.Model() == nil && g != nil:
		return term.Safe(g.Item.Model.Path) + " is " + d.GoneWord()
	}
	if g := d.Claims.Lost(); g != nil && d.Focus == OnClaims {
		return term.Safe(g.Item.Owner()) + " in " + term.Safe(d.Claims.Path) + " is gone"
	}
	return ""
}

// GoneModel is the selected recipe as it was last known, when it is gone and still selected; else nil.
func (d *Desk) GoneModel() *model.Model {
	if g := d.List.Lost(); d.page() == nil && g != nil && d.Model() == nil {
		return g.Item.Model
	}
	return nil
}

// GoneWord says how sure it is that what is not seen is not there.
func (d *Desk) GoneWord() string {
	switch {
	case !d.shown.Result.Snapshot.Complete:
		return "not read yet"
	case d.shown.Link.File:
		return "not there at this moment"
	}
	return "gone"
}

// goneArea tells about a selected recipe that is gone what was last known of it.
func (d *Desk) goneArea(m *model.Model, w int) (out []paint.Line) {
	since := d.shown.AsOf()
	if g := d.List.Lost(); g != nil {
		since = g.At
	}
	add := func(s paint.Style, text string) {
		for _, l := range term.Wrap(text, w-2, 4, d.shown.Theme.Ellipsis) {
			out = append(out, paint.Line{s.Text(" " + l)})
		}
		out = append(out, nil)
	}
	if d.leapt { // what was known of it may be of later
		add(paint.Warn, d.GoneWord())
		on, back := d.shown.Keys.HandOn.Help().Key, d.shown.Keys.HandBack.Help().Key
		add(paint.Dim, "it stays selected until you move; "+on+" goes on to when it comes, "+back+
			" back to when it was there")
		return out
	}
	add(paint.Warn, d.GoneWord()+": since "+d.shown.Clock(since)+", "+say.Age(d.shown.AsOf().Sub(since))+" ago; was "+term.Safe(m.Summary(since)))
	add(paint.Dim, "it stays selected until you move, and is selected still if it comes back; "+d.shown.Keys.Events.Help().Key+" tells what happened")
	return out
}

// Aimed opens a form about the selection, unless the selection has just moved or is gone.
func (d *Desk) Aimed(open func() tea.Cmd) tea.Cmd {
	if why := d.Misaimed(); why != "" {
		d.say(why, paint.Warn)
		return nil
	}
	return open()
}
