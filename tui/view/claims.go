package view

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Claims is the right pane: the claims of the shown recipe.
type Claims struct {
	List  widget.List[model.ClaimID, model.Claim] // loose: the selection stays with whoever is first
	Path  string                                  // the recipe's
	kind  layout.Kind
	Whole bool // the recipe was gone to, and no claim of it has been chosen yet

	table, Height int // where its lines were last drawn in the panel
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
func (c *Claims) Show(m *model.Model, stay bool, now time.Time) {
	loose := c.List.Loose
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
	c.List.Fill(m.Claims, nil, now)
}

// News compares the shown recipe with what it is now: which claims came, and which went.
func (c *Claims) News(m *model.Model, at time.Time) {
	if m != nil && m.Path == c.Path && m.Kind == c.kind {
		c.List.News(m.Claims, nil, at)
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
	if y < c.table || y >= c.table+c.Height {
		return
	}
	if c.List.Choose(c.List.Top + y - c.table) {
		c.List.Loose, c.Whole = false, false
	}
}

// Lines draws a recipe in an area of w×h cells: the answer first, then what is wrong, then the line of
// claims, then what does not belong.
func (c *Claims) Lines(p panel.Panel, pen panel.Pen, focus bool, marked func(model.ClaimID) bool) []paint.Line {
	t, m, w, h := pen.Theme, pen.Model, pen.W, pen.H
	head := panel.Head(t, pen)
	if p.Draw != nil && h-len(head) > 6 {
		if d := p.Draw(pen); len(d) > 0 && len(head)+len(d) < h-3 {
			head = append(append(head, d...), nil)
		}
	}
	tail := detail(t, m, c.Selected(m), pen.Said, w, h-len(head)-len(m.Claims)-2)
	if n := len(m.Foreign); n > 0 {
		tail = append(tail, panel.ForeignLine(t, m.Foreign, w))
	}
	room := max(1, h-len(head)-len(tail))
	c.table, c.Height = len(head)+1, room-1
	out := append(head, c.rows(p, pen, focus, marked, room)...)
	for len(out) < h-len(tail) {
		out = append(out, nil)
	}
	return append(out, tail...)
}

// rows draws the part of the claims around the selection.
func (c *Claims) rows(p panel.Panel, pen panel.Pen, focus bool, marked func(model.ClaimID) bool, h int) []paint.Line {
	if c.List.Len() == 0 {
		return []paint.Line{{paint.Dim.Text(" no claims")}}
	}
	t, cols := pen.Theme, panel.ColumnsFor(pen.W, p, panel.SeqWidth(pen.Model))
	return c.List.Draw(widget.Look[model.ClaimID, model.Claim]{Theme: t, Now: pen.Now, Head: panel.TableHead(t, cols), Focus: focus || c.Lost() != nil,
		Marked: func(c *model.Claim) bool { return marked(c.ID()) },
		Row: func(r *model.Claim, gone *goneClaim, fresh bool) paint.Line {
			if gone != nil {
				return goneLine(t, gone, p, cols, pen.Now)
			}
			l := panel.ClaimLine(t, r, p, cols, pen.Now)
			if fresh {
				l[1].Text = widget.CameSign + l[1].Text[1:]
			}
			return l
		}}, pen.W, h)
}

// goneLine draws a claim that is no more.
func goneLine(t *paint.Theme, g *goneClaim, p panel.Panel, cols panel.Columns, now time.Time) paint.Line {
	l := panel.ClaimLine(t, &g.Item, p, cols, g.At) // how long it stood does not grow any more
	l[1].Text = widget.GoneSign + term.Fit("gone", cols.Role, t.Ellipsis)
	if cols.On > 0 {
		l[len(l)-1-paint.BoolInt(cols.Why > 0)].Text = " " + term.Fit(say.Age(now.Sub(g.At))+" ago", cols.On, t.Ellipsis)
	}
	return paint.Dimmed(l)
}

// detail says about the selected claim what its row has no room for, in at most h lines.
func detail(t *paint.Theme, m *model.Model, c *model.Claim, said string, w, h int) []paint.Line {
	if c == nil || h < 3 {
		return nil
	}
	var out []paint.Line
	for _, text := range []string{panel.WhyText(t, c), term.Safe(c.Node()), panel.ClaimFacts(m.Kind, c), said} {
		if text == "" {
			continue
		}
		for i, s := range term.Wrap(text, w-3, 2, t.Ellipsis) {
			out = append(out, paint.Line{paint.Dim.Text(" " + paint.OnFirst(i, t.Dot) + term.Blank(1+i) + s)})
		}
	}
	if len(out) > h {
		out = out[:h]
	}
	return out
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
