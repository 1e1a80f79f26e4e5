package tui

import (
	"slices"
	"sort"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
)

// goneClaim is a claim that went away, drawn in front of the claim at index pos.
type goneClaim struct {
	claim *model.Claim
	at    time.Time
	pos   int
	held  bool // the selection is on it
}

// lost is the selected claim while it is gone, or nil.
func (c *claims) lost() *goneClaim {
	for i := range c.gone {
		if c.gone[i].held {
			return &c.gone[i]
		}
	}
	return nil
}

// release lets go of a selected claim that is gone.
func (c *claims) release() {
	if g := c.lost(); g != nil {
		g.held = false
	}
}

// holdGone keeps the selection on a claim that went away; was is the recipe as it was last shown. It reports whether the
// claim is known from there.
func (c *claims) holdGone(was *model.Model) bool {
	if g := c.lost(); g != nil {
		return true
	}
	for i := range c.gone {
		if c.gone[i].claim.Is(c.sel) {
			c.gone[i].held = true
			return true
		}
	}
	if was == nil || c.at >= len(was.Claims) || !was.Claims[c.at].Is(c.sel) {
		return false
	}
	c.gone = append(c.gone, goneClaim{&was.Claims[c.at], c.asOf, c.at, true})
	c.sortGone()
	return true
}

// bound keeps what is gone in front of the end of n claims.
func (c *claims) bound(n int) {
	for i := range c.gone {
		c.gone[i].pos = min(c.gone[i].pos, n)
	}
}

func (c *claims) sortGone() {
	sort.SliceStable(c.gone, func(i, j int) bool { return c.gone[i].pos < c.gone[j].pos })
}

// cursorRow is the line of the table that the selection is on.
func (c *claims) cursorRow() int {
	for k := range c.gone {
		if c.gone[k].held {
			return c.gone[k].pos + k
		}
	}
	return c.rowOf(c.at)
}

// news compares the shown recipe with what it is now: which claims came, and which went.
func (c *claims) news(m *model.Model, at time.Time) {
	old := c.shown
	if old == nil || m == nil || old == m || old.Path != m.Path || old.Kind != m.Kind {
		return
	}
	is := make(map[model.ClaimID]int, len(m.Claims))
	for i := range m.Claims {
		is[m.Claims[i].ID()] = i
	}
	moved := make([]int, len(old.Claims)+1) // where a claim that stood at an index would stand now
	was := make(map[model.ClaimID]bool, len(old.Claims))
	moved[len(old.Claims)] = len(m.Claims)
	for i := len(old.Claims) - 1; i >= 0; i-- {
		id := old.Claims[i].ID()
		was[id] = true
		if j, stays := is[id]; stays {
			moved[i] = j
		} else if moved[i] = moved[i+1]; i == len(old.Claims)-1 {
			moved[i] = c.lastStanding(old, is)
		}
	}
	for i := range c.gone {
		c.gone[i].pos = moved[min(c.gone[i].pos, len(old.Claims))]
	}
	c.went(old, is, moved, at)
	for i := range m.Claims {
		if id := m.Claims[i].ID(); !was[id] {
			if c.came == nil {
				c.came = map[model.ClaimID]time.Time{}
			}
			c.came[id] = at
		}
	}
}

// lastStanding is the place behind the last of the old claims that is still there.
func (c *claims) lastStanding(old *model.Model, is map[model.ClaimID]int) int {
	for i := len(old.Claims) - 1; i >= 0; i-- {
		if j, ok := is[old.Claims[i].ID()]; ok {
			return j + 1
		}
	}
	return 0
}

// went keeps the claims that are no more; of many the first, which held or were next.
func (c *claims) went(old *model.Model, is map[model.ClaimID]int, moved []int, at time.Time) {
	n := 0
	for i := range old.Claims {
		if _, stays := is[old.Claims[i].ID()]; stays {
			continue
		}
		if n++; n > maxGone {
			break
		}
		c.gone = append(c.gone, goneClaim{claim: &old.Claims[i], at: at, pos: moved[i]})
	}
	for k := 0; k < len(c.gone) && len(c.gone) > maxGone; {
		if c.gone[k].held {
			k++
			continue
		}
		c.gone = slices.Delete(c.gone, k, k+1)
	}
	c.sortGone()
}

func (c *claims) expire(now time.Time) {
	for id, at := range c.came {
		if now.Sub(at) >= freshFor {
			delete(c.came, id)
		}
	}
	c.gone = slices.DeleteFunc(c.gone, func(g goneClaim) bool { return !g.held && now.Sub(g.at) >= goneFor })
}

// rowOf is the line of the table that the claim at index i stands in.
func (c *claims) rowOf(i int) int {
	row := i
	for k := range c.gone {
		if c.gone[k].pos <= i {
			row++
		}
	}
	return row
}

// inRow is the index of the claim in a line of the table, or the claim that is gone and stood there.
func (c *claims) inRow(row int) (int, *goneClaim) {
	for k := range c.gone {
		switch at := c.gone[k].pos + k; {
		case at == row:
			return -1, &c.gone[k]
		case at > row:
			return row - k, nil
		}
	}
	return row - len(c.gone), nil
}

// sign is what stands in a claim's gutter.
func (c *claims) sign(id model.ClaimID) string {
	if _, ok := c.came[id]; ok {
		return cameSign
	}
	return " "
}

// goneLine draws a claim that is no more.
func goneLine(t *paint.Theme, g *goneClaim, p panel.Panel, cols panel.Columns, now time.Time) paint.Line {
	l := panel.ClaimLine(t, g.claim, p, cols, g.at) // how long it stood does not grow any more
	l[1].Text = goneSign + term.Fit("gone", cols.Role, t.Ellipsis)
	if cols.On > 0 {
		l[len(l)-1-paint.BoolInt(cols.Why > 0)].Text = " " + term.Fit(say.Age(now.Sub(g.at))+" ago", cols.On, t.Ellipsis)
	}
	return paint.Dimmed(l)
}
