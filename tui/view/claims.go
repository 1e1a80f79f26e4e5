package view

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Claims is the right pane: the claims of the shown recipe.
type Claims struct {
	List  widget.List[model.ClaimID, model.Claim] // loose: the selection stays with whoever is first
	Path  string                                  // the recipe's
	kind  layout.Kind
	Whole bool // the recipe was gone to, and no claim of it has been chosen yet

	held, heldH   int // where those who hold were last drawn in the panel
	table, Height int // where the others were
	twins         chart.Twins
	ages          chart.Ages
}

// goneClaim is a claim that went away.
type goneClaim = widget.Gone[model.ClaimID, model.Claim]

// NewClaims is the pane of no recipe yet.
func NewClaims() Claims {
	c := Claims{List: widget.NewList[model.ClaimID, model.Claim](func(c *model.Claim) (model.ClaimID, bool) { return c.ID(), true })}
	c.List.Match(func(c *model.Claim, id model.ClaimID) bool { return id != (model.ClaimID{}) && c.Is(id) })
	return c
}

// Show points the pane at a recipe. The selection follows its claim; in a recipe that was not shown before
// it is the first claim. Where stay is set it was made by the operator, and stays on a claim that goes.
func (c *Claims) Show(m *model.Model, p panel.Panel, stay bool, now time.Time) {
	loose, first := c.List.Loose, m != nil && m.Path != c.Path
	if m == nil {
		*c = NewClaims()
	} else if m.Path != c.Path {
		*c = NewClaims()
		c.Path = m.Path
	}
	if c.List.Loose, c.List.Hold = loose, stay; m == nil {
		return
	}
	c.kind = m.Kind
	c.List.Part(nil)
	if p.Parted() { // they are drawn apart, and stay in sight
		c.List.Part(func(c *model.Claim) (string, bool) { return "", chart.HoldsRole(c.Role()) })
	}
	claims := m.Claims
	if p.Vote && len(claims) > 0 && len(claims) <= votesSorted {
		claims = lackingLast(claims)
		if lack := &claims[len(claims)-1]; first && lack.Vote() == nil { // what it waits for is a key away
			c.List.Select(claims[firstLacking(claims)].ID())
		}
	}
	c.List.Fill(claims, nil, now)
}

// votesSorted is of how many sites at most those that have not voted stand last.
const votesSorted = 2000

// lackingLast is sites with those last that have not voted.
func lackingLast(claims []model.Claim) []model.Claim {
	out := make([]model.Claim, 0, len(claims))
	for _, c := range panel.Lacking(claims) {
		out = append(out, *c)
	}
	return out
}

// firstLacking is the first of the sites at the end that have not voted.
func firstLacking(claims []model.Claim) int {
	i := len(claims)
	for i > 0 && claims[i-1].Vote() == nil {
		i--
	}
	return i
}

// News compares the shown recipe with what it is now: which claims came, and which went.
// Of one that is hot it is not told who went: that would be a flood.
func (c *Claims) News(m *model.Model, hot bool, at time.Time) {
	if m != nil && m.Path == c.Path && m.Kind == c.kind {
		c.List.News(m.Claims, func(*model.Claim) bool { return hot }, at)
	}
}

// Lost is the selected claim while it is gone, or nil.
func (c *Claims) Lost() *goneClaim {
	_, gone := c.List.Current()
	return gone
}

// Selected is the selected claim of a recipe, or nil; one that is gone is none of it.
func (c *Claims) Selected(m *model.Model) *model.Claim {
	sel, gone := c.List.Current()
	if m == nil || sel == nil || gone != nil || m.Path != c.Path {
		return nil
	}
	for i := range m.Claims { // it is of this very picture, as a rule
		if &m.Claims[i] == sel {
			return sel
		}
	}
	return ClaimOf(m, sel.ID())
}

// Move shifts the selection by n lines; h is how many are on the screen.
func (c *Claims) Move(n, h int) {
	if c.Whole { // the first step chooses the claim that the cursor is on
		if c.Whole = false; n == 1 || n == -1 {
			n = 0
		}
	}
	c.List.Move(n, h)
}

// Choose selects the claim in a line of the panel, if there is one.
func (c *Claims) Choose(y int) {
	at := -1
	switch {
	case y >= c.held && y < c.held+c.heldH:
		at = c.List.HeadAt(y - c.held)
	case y >= c.table && y < c.table+c.Height:
		at = c.List.Top + y - c.table
	}
	if c.List.Choose(at) {
		c.List.Loose, c.Whole = false, false
	}
}

// ClaimOf finds a claim by its identity; without one it is the first, which is the one that matters.
func ClaimOf(m *model.Model, id model.ClaimID) *model.Claim {
	for i := range m.Claims {
		if m.Claims[i].Is(id) || id == (model.ClaimID{}) {
			return &m.Claims[i]
		}
	}
	return nil
}
