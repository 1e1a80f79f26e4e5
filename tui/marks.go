package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
)

// mark is a claim that is to be acted on together with others.
type mark struct {
	recipe string
	claim  inspect.ClaimID
}

// toggleMark marks the claim under the cursor, or unmarks it, and moves on.
func (a *App) toggleMark() {
	m, c := a.subject()
	if m == nil || c == nil {
		a.say("nothing is selected that could be marked", Warn)
		return
	}
	k := mark{m.Path, c.ID()}
	if i := slices.Index(a.marks, k); i >= 0 {
		a.marks = slices.Delete(a.marks, i, i+1)
	} else {
		a.marks = append(a.marks, k)
	}
	a.move(1)
}

func (a *App) marked(recipe string, id inspect.ClaimID) bool {
	return len(a.marks) > 0 && slices.Contains(a.marks, mark{recipe, id})
}

// markedIn reports whether any claim of a recipe is marked.
func (a *App) markedIn(m *inspect.Model) bool {
	return slices.ContainsFunc(a.marks, func(k mark) bool { return k.recipe == m.Path })
}

func (a *App) markedItem(it *item) bool {
	return it.to.recipe != "" && a.marked(it.to.recipe, it.to.claim)
}

// dropMarks forgets marks of claims that are no more.
func (a *App) dropMarks() {
	a.marks = slices.DeleteFunc(a.marks, func(k mark) bool {
		m := a.live.ByPath(k.recipe)
		return m == nil || claimOf(m, k.claim) == nil
	})
}

// offerMarked goes through the marked claims, one plan and one confirmation at a time.
func (a *App) offerMarked(v actions.Verb) tea.Cmd {
	a.queue = slices.Clone(a.marks)
	a.queued, a.queueVerb = len(a.queue), v
	return a.nextQueued()
}

// nextQueued opens the plan for the next marked claim; those that are gone are passed over.
func (a *App) nextQueued() tea.Cmd {
	for len(a.queue) > 0 && a.mode == browsing {
		k := a.queue[0]
		a.queue = a.queue[1:]
		m := a.res.ByPath(k.recipe)
		if m == nil {
			continue
		}
		if c := claimOf(m, k.claim); c != nil {
			cmd := a.offerFor(a.queueVerb, m, c)
			if a.dialog != nil {
				a.dialog.title = number(a.queued-len(a.queue)) + " of " + number(a.queued) + ": " + a.dialog.title
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
		a.say(number(n)+" marked are left alone", Plain)
	}
}
