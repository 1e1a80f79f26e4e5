package waits

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Root is a session, or a znode that no session owns, that blocks others and waits for nobody: where help begins.
type Root struct {
	Session znode.SessionID // 0: nobody owns the znode
	Claim   *model.Claim    // what it holds that others wait for, the first of it
	Model   *model.Model
	Blocks  int // sessions behind it, directly or through others
	Stands  int // of these, the ones that only stand by in elections
	Across  int // of these, the ones behind another claim of a session that waits: threads of one process may differ
}

// Branch is one line of a blocking tree: a wait, and how many others are between it and the root.
type Branch struct {
	Depth  int
	Wait   Wait
	Across bool // it waits for another claim of the session above it than the one that waits there
}

// Doubt says how many are behind a root only if threads are as they seem, with a comma before it; else it is empty.
func (r *Root) Doubt() string {
	if r.Across == 0 {
		return ""
	}
	return ", " + strconv.Itoa(r.Across) + " of them likely: threads of one process may differ"
}

// Doubt says that a branch is behind the one above it only if threads are as they seem, with a semicolon before it; else it
// is empty.
func (b *Branch) Doubt() string {
	if !b.Across {
		return ""
	}
	return "; likely behind the wait above"
}

// findRoots lists the roots: first those that block the most sessions that do nothing else than wait. Who holds is one
// unless a wait of its own may keep it from letting go; who only stands in a line, or by for
// an election, holds nothing.
func (w *Waits) findRoots(g *waitGraph) (out []Root) {
	seen := map[znode.SessionID]int{}
	var behind [][]int32
	for claim := range g.at {
		on := g.waitersOn(int32(claim))
		if len(on) == 0 {
			continue
		}
		e := &g.edges[on[0]]
		if !w.heads(g, e, int32(claim)) {
			continue
		}
		i, told := seen[e.To]
		if !told || e.To == 0 {
			i = len(out)
			seen[e.To] = i
			out = append(out, Root{Session: e.To, Claim: e.Blocker, Model: e.Model})
			behind = append(behind, nil)
		}
		behind[i] = append(behind[i], on...)
	}
	for i := range out {
		c := g.crowd(behind[i], out[i].Session)
		out[i].Blocks, out[i].Stands, out[i].Across = c.all, c.stands, c.across
	}
	out = slices.DeleteFunc(out, func(r Root) bool { return r.Blocks == 0 })
	sorted.By(out, func(a, b Root) int {
		return cmp.Or(cmp.Compare(b.Blocks-b.Stands, a.Blocks-a.Stands), cmp.Compare(b.Blocks, a.Blocks))
	})
	return out
}

// heads reports whether a blocking claim is where help begins: it waits for nothing, and nor does whoever holds it.
func (w *Waits) heads(g *waitGraph, e *Wait, claim int32) bool {
	switch {
	case e.To == 0 && e.Blocker.Unread(): // whose it is is not known
		return model.Holding(e.Blocker.Role())
	case e.To == 0:
		return model.Holding(e.Blocker.Role()) || !e.Model.Kind.Leads()
	case !model.Holding(e.Blocker.Role()):
		return false
	}
	base := claim - int32(e.Blocker.Position())
	return !slices.ContainsFunc(g.waits[e.To], func(n int32) bool {
		return g.counts(n, false) && g.behindWait(e.Blocker, base, n)
	})
}

// Branches lists who waits behind a root, each below the one that it waits for, at most so many; more is how many
// there are beyond. A session that waits in two places stands twice, and each of its waits once.
func (w *Waits) Branches(r Root, most int) (out []Branch, more int) {
	g := w.graph
	type step struct {
		edge   int32
		depth  int
		across bool
	}
	var todo []step
	for _, claim := range g.rootClaims(r) {
		on := g.waitersOn(claim)
		if r.Session != 0 && !w.heads(g, &g.edges[on[0]], claim) {
			continue
		}
		for _, e := range on {
			todo = append(todo, step{e, 0, false})
		}
	}
	slices.Reverse(todo)
	done := map[int32]bool{}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := g.of[s.edge]
		if done[n] {
			continue
		}
		done[n] = true
		if len(out) < most {
			out = append(out, Branch{s.depth, g.edges[s.edge], s.across})
		} else {
			more++
		}
		var next []step
		for _, e := range g.waitersOn(g.nodes[n].claim) {
			next = append(next, step{e, s.depth + 1, false})
		}
		g.behindOthers(n, unlisted{}, func(e int32) { next = append(next, step{e, s.depth + 1, true}) })
		slices.Reverse(next)
		todo = append(todo, next...)
	}
	return out, more
}

// rootClaims lists the claims of a root that others wait for.
func (g *waitGraph) rootClaims(r Root) []int32 {
	if r.Session != 0 {
		return g.holds[r.Session]
	}
	for claim := range g.at {
		if on := g.waitersOn(int32(claim)); len(on) > 0 && g.edges[on[0]].Blocker == r.Claim {
			return []int32{int32(claim)}
		}
	}
	return nil
}
