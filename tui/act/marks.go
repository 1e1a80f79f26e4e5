package act

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// mark is a claim that is to be acted on together with others.
type mark struct {
	recipe string
	claim  model.ClaimID
	owner  string
}

// ToggleMark marks the claim under the cursor, or unmarks it, and moves on. On a finding's row that names several it asks
// which.
func (h *Hand) ToggleMark() tea.Cmd {
	return h.Which("mark", h.screen.Subjects(), func(m *model.Model, c *model.Claim) tea.Cmd {
		if c == nil {
			h.host.Say("nothing is selected that could be marked", paint.Warn)
			return nil
		}
		k := mark{m.Path, c.ID(), c.Owner()}
		if i := slices.Index(h.Marks, k); i >= 0 {
			h.Marks = slices.Delete(h.Marks, i, i+1)
		} else {
			h.Marks = append(h.Marks, k)
		}
		h.screen.MoveOn()
		return nil
	})
}

// Marked reports whether a claim is marked.
func (h *Hand) Marked(recipe string, id model.ClaimID) bool {
	return slices.ContainsFunc(h.Marks, func(k mark) bool { return k.recipe == recipe && k.claim == id })
}

// MarkedIn reports whether any claim of a recipe is marked.
func (h *Hand) MarkedIn(m *model.Model) bool {
	return slices.ContainsFunc(h.Marks, func(k mark) bool { return k.recipe == m.Path })
}

// MarkedItem reports whether a page's line is about a claim that is marked.
func (h *Hand) MarkedItem(it *view.Item) bool {
	return it.To.Recipe != "" && h.Marked(it.To.Recipe, it.To.Claim)
}

// dropMarks forgets marks of claims that are no more, and says so.
func (h *Hand) dropMarks() {
	var gone []mark
	h.Marks = slices.DeleteFunc(h.Marks, func(k mark) bool {
		m := h.shown.Live.ByPath(k.recipe)
		if m != nil && view.ClaimOf(m, k.claim) != nil {
			return false
		}
		gone = append(gone, k)
		return true
	})
	h.sayGone(gone)
}

// sayGone says that marked claims are gone, and how many are left.
func (h *Hand) sayGone(gone []mark) {
	if len(gone) == 0 {
		return
	}
	text := term.Safe(gone[0].owner) + " in " + term.Safe(gone[0].recipe) + ", marked, is gone"
	if n := len(gone); n > 1 {
		text = paint.Number(n) + " marked are gone, " + term.Safe(gone[0].owner) + " in " + term.Safe(gone[0].recipe) + " among them"
	}
	h.host.Say(text+"; "+paint.Counted(len(h.Marks), "mark is", "marks are")+" left", paint.Warn)
}

// offerMarked goes through the marked claims, one plan and one confirmation at a time.
func (h *Hand) offerMarked(v actions.Verb) tea.Cmd {
	h.queue = slices.Clone(h.Marks)
	h.queued, h.queueVerb = len(h.queue), v
	return h.nextQueued()
}

// nextQueued opens the plan for the next marked claim; those that are gone are passed over, and named.
func (h *Hand) nextQueued() tea.Cmd {
	for len(h.queue) > 0 && !Busy(h.stack) {
		k := h.queue[0]
		h.queue = h.queue[1:]
		if m := h.shown.Result.ByPath(k.recipe); m == nil || view.ClaimOf(m, k.claim) == nil {
			h.sayGone([]mark{k})
		} else {
			c := view.ClaimOf(m, k.claim)
			cmd := h.offerFor(h.queueVerb, m, c)
			if d := layer.Top[*PlanBox](h.stack); d != nil {
				d.Prefix = paint.Number(h.queued-len(h.queue)) + " of " + paint.Number(h.queued) + ": "
			}
			return cmd
		}
	}
	return nil
}

// dropQueue leaves the marked claims alone whose plans have not come up yet.
func (h *Hand) dropQueue() {
	if n := len(h.queue); n > 0 {
		h.queue = nil
		h.host.Say(paint.Number(n)+" marked are left alone", paint.Plain)
	}
}
