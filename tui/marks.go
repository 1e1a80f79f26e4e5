package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// mark is a claim that is to be acted on together with others.
type mark struct {
	recipe string
	claim  model.ClaimID
	owner  string
}

// toggleMark marks the claim under the cursor, or unmarks it, and moves on. On a finding's row that names several it asks
// which.
func (a *App) toggleMark() tea.Cmd {
	return a.which("mark", a.subjects(), func(m *model.Model, c *model.Claim) tea.Cmd {
		if c == nil {
			a.say("nothing is selected that could be marked", paint.Warn)
			return nil
		}
		k := mark{m.Path, c.ID(), c.Owner()}
		if i := slices.Index(a.marks, k); i >= 0 {
			a.marks = slices.Delete(a.marks, i, i+1)
		} else {
			a.marks = append(a.marks, k)
		}
		a.move(1)
		return nil
	})
}

func (a *App) marked(recipe string, id model.ClaimID) bool {
	return slices.ContainsFunc(a.marks, func(k mark) bool { return k.recipe == recipe && k.claim == id })
}

// markedIn reports whether any claim of a recipe is marked.
func (a *App) markedIn(m *model.Model) bool {
	return slices.ContainsFunc(a.marks, func(k mark) bool { return k.recipe == m.Path })
}

func (a *App) markedItem(it *view.Item) bool {
	return it.To.Recipe != "" && a.marked(it.To.Recipe, it.To.Claim)
}

// dropMarks forgets marks of claims that are no more, and says so.
func (a *App) dropMarks() {
	var gone []mark
	a.marks = slices.DeleteFunc(a.marks, func(k mark) bool {
		m := a.shown.Live.ByPath(k.recipe)
		if m != nil && view.ClaimOf(m, k.claim) != nil {
			return false
		}
		gone = append(gone, k)
		return true
	})
	a.sayGone(gone)
}

// sayGone says that marked claims are gone, and how many are left.
func (a *App) sayGone(gone []mark) {
	if len(gone) == 0 {
		return
	}
	text := term.Safe(gone[0].owner) + " in " + term.Safe(gone[0].recipe) + ", marked, is gone"
	if n := len(gone); n > 1 {
		text = paint.Number(n) + " marked are gone, " + term.Safe(gone[0].owner) + " in " + term.Safe(gone[0].recipe) + " among them"
	}
	a.say(text+"; "+paint.Counted(len(a.marks), "mark is", "marks are")+" left", paint.Warn)
}

// offerMarked goes through the marked claims, one plan and one confirmation at a time.
func (a *App) offerMarked(v actions.Verb) tea.Cmd {
	a.queue = slices.Clone(a.marks)
	a.queued, a.queueVerb = len(a.queue), v
	return a.nextQueued()
}

// nextQueued opens the plan for the next marked claim; those that are gone are passed over, and named.
func (a *App) nextQueued() tea.Cmd {
	for len(a.queue) > 0 && !a.busy() {
		k := a.queue[0]
		a.queue = a.queue[1:]
		if m := a.shown.Result.ByPath(k.recipe); m == nil || view.ClaimOf(m, k.claim) == nil {
			a.sayGone([]mark{k})
		} else {
			c := view.ClaimOf(m, k.claim)
			cmd := a.offerFor(a.queueVerb, m, c)
			if d := top[*planBox](a); d != nil {
				d.Place = paint.Number(a.queued-len(a.queue)) + " of " + paint.Number(a.queued) + ": "
			}
			return cmd
		}
	}
	return nil
}

// dropQueue leaves the marked claims alone whose plans have not come up yet.
func (a *App) dropQueue() {
	if n := len(a.queue); n > 0 {
		a.queue = nil
		a.say(paint.Number(n)+" marked are left alone", paint.Plain)
	}
}
